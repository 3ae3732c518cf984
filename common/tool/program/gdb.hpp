#pragma once
/// @file
/// gdb on a confined worker: it stays in its sandbox, gdb looks in from outside.

#include <string>

namespace ladder {

/// @throws UsageError where gdb is not installed
void require_gdb();

/// Goes on in a process of its own, and waits in this one for the first program whose path has that part;
/// stops it, and starts gdb on it, which has the terminal then. The program goes on when gdb ends; this
/// process ends with the other. (A child that waited would not live: run_process ends what it did not start.)
void with_gdb_on(const std::string& part_of_path);

}  // namespace ladder
