#pragma once
/// @file
/// Which file of a submission is meant by a wanted name.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "common/grade/intake/contents.hpp"

namespace ladder::grade {

/// How far a name is from what was asked for; of one folder the nearest counts.
enum class Spelling {
  exact,
  copy,   ///< "g1_naive (1).cu", "g1_naive-1.cu", "Copy of g1_naive.cu": browsers and systems number copies
  ending  ///< "g1_naive.cu.txt": an editor has added an ending, or Windows hides it
};

/// A file's name without what platforms, browsers and editors have added.
struct PlainName {
  std::string name;                 ///< "g2_shared_tiles.cu"
  std::string person;               ///< Canvas: "smithbob_340934"; empty: no download of Canvas
  int version = 0;                  ///< Canvas: the N of -N, which grows with each submission
  std::string sort_name{}, user{};  ///< Canvas: "smithbob", of "Smith, Bob"; "340934"
  bool late = false;                ///< Canvas says so
  Spelling spelling = Spelling::exact;
  int copy = 0;        ///< the N of " (N)"
  std::string sent{};  ///< as the person has called it: "g2_shared_tiles (1).cu"
};

/// Takes apart "smithbob_LATE_340934_208490284_g2_shared_tiles-1.cu" (Canvas's form: name, user, file, name
/// of the file, version), "g2_shared_tiles (1).cu" and "g2_shared_tiles.cu.txt".
PlainName plain_name(std::string_view file_name);

/// Whether a file could be meant by the name of a source: the name itself, however it is spelled, or with
/// another ending or none: "g2_shared_tiles.cpp".
/// @param plain  plain_name() of the file's name
bool could_be(std::string_view file_name, const PlainName& plain, std::string_view source);

std::string lower(std::string_view text);
/// Of a file that a step may bring along: .hpp, .cuh or .h.
bool is_header(const std::string& name);
/// The last part of a path.
std::string file_name(const std::string& path);
/// What comes before it, without '/'.
std::string folder_of(const std::string& path);

/// A file that was chosen, or the reason why none was.
struct Choice {
  const Packed* file = nullptr;
  std::vector<Refused> refused;
};

/// What a file is worth as somebody's work: of one that cannot be read a person learns, of a skeleton nobody
/// would.
enum class Worth { work, unreadable, skeleton };

/// The file meant by "03-dgemm/g2_shared_tiles.cu": the one at lessons/03-dgemm/g2_shared_tiles.cu of any
/// folder, else in a folder 03-dgemm, else the only one of that name; outside of inner archives before
/// inside. An unreadable file or a skeleton counts only where no copy is worth more. Of Canvas's versions the
/// newest. Files with equal bytes are one.
/// @param worth  of a file
Choice choose(const std::string& wanted, const std::vector<Packed>& files,
              const std::function<Worth(const Packed&)>& worth);

/// The file of that name in a folder, of one person where the names are Canvas's.
Choice choose_beside(const Packed& step, const std::string& name, const std::vector<Packed>& files);

}  // namespace ladder::grade
