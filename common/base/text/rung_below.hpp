#pragma once
/// @file
/// Which rung is the one below, for plans, checks, stored runs and figures alike: what a rung is compared
/// with has to be what it was timed with.

#include <string>
#include <string_view>

#include "common/base/text/step_name.hpp"

namespace ladder {

/// The rung below: the last one before it on its track that the same family (family_of) runs.
/// @param rungs    a lesson's, in the order of its table
/// @param name     "g2_shared_tiles"
/// @param file_of  a rung's file, "g2_shared_tiles.cu", or its name where no file is known
/// @return an iterator; the end for the first rung of a track, and for a name that is none of theirs
template <class Rungs, class FileOf>
auto rung_below(const Rungs& rungs, std::string_view name, FileOf file_of) {
  const auto name_of = [](std::string_view file) { return file.substr(0, file.rfind('.')); };
  const auto family = [](std::string_view file) {
    const auto dot = file.rfind('.');
    return std::string_view(family_of(file[0], dot == file.npos ? "" : file.substr(dot)));
  };
  auto rung = rungs.begin();
  while (rung != rungs.end() && name_of(file_of(*rung)) != name) ++rung;
  if (name.empty() || rung == rungs.end()) return rungs.end();
  const std::string own = file_of(*rung);
  while (rung != rungs.begin()) {
    const std::string file = file_of(*--rung);
    if (!file.empty() && file[0] == own[0] && family(file) == family(own)) return rung;
  }
  return rungs.end();
}

/// The program that a rung is compared with: what its row names, else the rung below. Empty: there is none.
/// @param named  the row's field `gain.without`
template <class Rungs, class FileOf>
std::string program_without(const std::string& named, const Rungs& rungs, std::string_view name,
                            FileOf file_of) {
  if (!named.empty()) return named == "nothing" ? "" : named;
  const auto below = rung_below(rungs, name, file_of);
  if (below == rungs.end()) return "";
  const std::string file = file_of(*below);
  return file.substr(0, file.rfind('.'));
}

}  // namespace ladder
