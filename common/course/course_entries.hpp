#pragma once
/// @file
/// What a course file has besides plain entries: times of its zone, paths from its folder, assignments.

#include "common/base/files/toml_entries.hpp"
#include "common/course/course_file.hpp"

namespace ladder::course {

/// A path of the file, which is seen from its folder; ~/ is the home folder.
std::filesystem::path resolved(const std::string& text, const std::filesystem::path& file);

/// A moment; without an offset of its own it is one of the zone.
std::optional<sys_seconds> moment(Entries& entry, const std::string& key, const TimeZone& zone,
                                  bool needed = false);

/// The entries of an [[assignment]].
Assignment read_assignment(Entries& entry, const Course& course, Problems& problems);

}  // namespace ladder::course
