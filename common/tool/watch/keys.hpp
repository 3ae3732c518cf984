#pragma once
/// @file
/// Keys of a terminal, one by one and without an echo. Its modes are put back at the end, and while the tool
/// is stopped.

#include <termios.h>

namespace ladder {

/// The terminal on standard input, where there is one in whose foreground this process is. One at a time.
class Keys {
 public:
  Keys();
  ~Keys();
  Keys(const Keys&) = delete;
  Keys& operator=(const Keys&) = delete;

  /// Whether there is a terminal to read keys of.
  bool there() const { return terminal_ && !lost_; }

  /// The next key; 0 where none was pressed. Ctrl-Z stops the process here, where a shell can make it go on.
  char next();

  /// Whether the terminal has gone.
  bool lost() const { return lost_; }

  /// Since the last call, or at the first one.
  bool size_changed();

 private:
  void take();
  void give_back();

  termios before_{};  // first: the next one is made by reading it
  bool terminal_ = false, taken_ = false, lost_ = false;
};

}  // namespace ladder
