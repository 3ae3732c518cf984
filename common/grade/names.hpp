#pragma once
/// @file
/// Which file of a submission is meant by a wanted name.

#include <string>
#include <string_view>
#include <vector>

#include "common/grade/contents.hpp"

namespace ladder::grade {

/// A file's name without what a platform has added.
struct PlainName {
  std::string name;                 ///< "g2_shared_tiles.cu"
  std::string person;               ///< Canvas: "smithbob_340934"; empty: no download of Canvas
  int version = 0;                  ///< Canvas: the N of -N, which grows with each submission
  std::string sort_name{}, user{};  ///< Canvas: "smithbob", of "Smith, Bob"; "340934"
  bool late = false;                ///< Canvas says so
};

/// Takes apart "smithbob_LATE_340934_208490284_g2_shared_tiles-1.cu" (Canvas's form: name, user, file, name
/// of the file, version).
PlainName plain_name(std::string_view file_name);

std::string lower(std::string_view text);
/// The last part of a path.
std::string file_name(const std::string& path);
/// What comes before it, without '/'.
std::string folder_of(const std::string& path);

/// A file that was chosen, or the reason why none was.
struct Choice {
  const Packed* file = nullptr;
  std::vector<Refused> refused;
};

/// The file meant by "03-dgemm/g2_shared_tiles.cu": the one at lessons/03-dgemm/g2_shared_tiles.cu of any
/// folder, else in a
/// folder 03-dgemm, else the only one of that name. Of Canvas's versions the newest. Files with equal bytes
/// are one.
Choice choose(const std::string& wanted, const std::vector<Packed>& files);

/// The file of that name in a folder, of one person where the names are Canvas's.
Choice choose_beside(const Packed& step, const std::string& name, const std::vector<Packed>& files);

}  // namespace ladder::grade
