#pragma once
/// @file
/// The tool on a terminal of its own (a pty), as a person has it: what it shows, keys, and the end of the
/// terminal.

#include <termios.h>

#include <map>
#include <string>
#include <vector>

#include "tests/tool/fixture.hpp"

namespace ladder::test {

/// One program on a pty of 80 columns. The destructor ends what still runs.
class Session {
 public:
  /// @param shell  a script of sh that has it as "$@", and the jobs of a shell; empty: it is the terminal's
  /// first program
  Session(const Checkout& checkout, const std::vector<std::string>& arguments,
          std::map<std::string, std::string> environment = {}, const std::string& shell = "");
  ~Session();
  Session(const Session&) = delete;

  /// Waits until a text is shown after the last one that was waited for. @return whether it came
  bool shows(const std::string& text, double seconds = 60);

  void type(const std::string& keys);
  void hang_up();  ///< as a terminal whose window is closed
  void kill(int number) const;

  /// Waits for the end. @return its status, 128 + signal; -1: it still runs
  int status(double seconds = 20);
  bool stopped();  ///< by Ctrl-Z

  bool echoes() const;  ///< whether the terminal is in the mode that shells want
  const std::string& output() const { return all_; }  ///< all of it
  std::vector<std::string> lines() const;             ///< as they stayed on the screen, without colours

 private:
  bool read_some(int milliseconds);
  pid_t child_ = -1;
  int terminal_ = -1;
  std::string all_;
  std::size_t seen_ = 0;
};

}  // namespace ladder::test
