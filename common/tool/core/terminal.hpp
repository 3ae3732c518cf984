#pragma once
/// @file
/// What a person sees while the tool works: colour where a terminal wants it, and a line of progress.

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

namespace ladder {

/// The place for text; standard error when standard output carries JSON.
class Terminal {
 public:
  /// @param to_stderr  standard output is taken by --json -
  explicit Terminal(bool to_stderr);
  ~Terminal() { end_work(); }  // what is printed next, by another one, begins a line of its own
  Terminal(const Terminal&) = delete;

  /// Prints whole lines, above the line of progress.
  void print(std::string_view text);

  /// Prints sentences, in the width of the window.
  void say(std::string_view text);

  /// Asks for yes or no. @return yes; no where nobody can be asked, and at the end of the input
  bool confirms(std::string_view question);

  /// From now on print() prints nothing, or again what it gets. Progress is shown all the same.
  void mute(bool muted) { muted_ = muted; }

  /// In a process of a job nothing is printed: progress goes to the tool that shows it.
  void to_job(std::function<void(const std::string& what, double share)> tell);

  /// Shows how far a long work is. On a terminal one line is rewritten; elsewhere a plain line comes every
  /// 15 seconds; nothing in the first two seconds.
  /// @param done  share of the work, 0 to 1; the time left is estimated from it
  void progress(std::string_view what, double done);

  /// Shows a line until the next one is printed, only on a terminal.
  void status(std::string_view text);

  /// Takes the width of the window again.
  void look_again();

  /// Starts the clock of progress again and removes its line.
  void begin_work();
  void end_work();

  /// The verdict in its colour, padded to `width`; words carry the meaning, colour only helps.
  std::string verdict(std::string_view name, std::size_t width = 0) const;
  std::string dim(std::string_view text) const;
  std::string bold(std::string_view text) const;

  /// Columns to write in; 100 when it is no terminal and COLUMNS is not set.
  int width() const { return width_; }
  bool colour() const { return colour_; }

 private:
  void erase_line();
  void write_line(std::string_view text);
  void show_line(const std::string& text);
  std::FILE* out_;
  bool live_ = false, colour_ = false, line_shown_ = false, muted_ = false;
  int width_ = 100;
  std::function<void(const std::string&, double)> job_;
  std::string line_;  ///< that is rewritten
  std::chrono::steady_clock::time_point start_, last_;
};

/// Columns of the window that standard error shows on; 0: it is none.
std::size_t width_of_errors();

/// "about 40 s", "about 3 min".
std::string duration(double seconds);

}  // namespace ladder
