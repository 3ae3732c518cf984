#pragma once
/// @file
/// gdb on a confined worker: it stays in its sandbox, gdb looks in from outside.

#include <sys/types.h>

#include <string>

namespace ladder {

/// @throws UsageError where gdb is not installed
void require_gdb();

/// Waits, in a process of its own, for the first program whose path has that part; stops it, and starts gdb on it, which has
/// the terminal then. The program goes on when gdb ends.
class GdbOn {
 public:
  explicit GdbOn(const std::string& part_of_path);
  ~GdbOn();
  GdbOn(const GdbOn&) = delete;
  GdbOn& operator=(const GdbOn&) = delete;

 private:
  pid_t watcher_ = -1;
};

}  // namespace ladder
