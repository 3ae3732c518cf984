#include "common/tool/core/terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "common/report/text/table.hpp"
#include "common/tool/core/build_lock.hpp"

namespace ladder {
namespace {

using Seconds = std::chrono::duration<double>;

std::string painted(bool colour, const char* code, std::string_view text) {
  return colour ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
}

}  // namespace

Terminal::Terminal(bool to_stderr) : out_(to_stderr ? stderr : stdout) {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* kind = std::getenv("TERM");
  const char* elsewhere = std::getenv("LADDER_LIVE");  // remote_job.sh: the terminal is elsewhere
  live_ = (isatty(fileno(out_)) || (elsewhere && *elsewhere)) && kind && std::string_view(kind) != "dumb";
  colour_ = live_ && !(no_colour && *no_colour);
  look_again();
  begin_work();
}

void Terminal::look_again() {
  winsize size{};
  if (live_ && ioctl(fileno(out_), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) width_ = size.ws_col;
  if (const char* columns = std::getenv("COLUMNS"); columns && std::atoi(columns) >= 20)
    width_ = std::atoi(columns);
}

void Terminal::erase_line() {
  if (line_shown_) std::fputs("\r\x1b[K", out_);
  line_shown_ = false;
}

void Terminal::print(std::string_view text) {
  if (!muted_) write_line(text);
}

void Terminal::write_line(std::string_view text) {
  erase_line();
  std::fwrite(text.data(), 1, text.size(), out_);
  if (text.empty() || text.back() != '\n') std::fputc('\n', out_);
  std::fflush(out_);
}

void Terminal::say(std::string_view text) {
  std::string lines;
  for (const std::string& line : report::wrapped(text, static_cast<std::size_t>(width_)))
    lines += line + "\n";
  print(lines);
}

bool Terminal::confirms(std::string_view question) {
  if (!isatty(STDIN_FILENO) || !isatty(fileno(out_))) return false;
  say(std::string(question) + " [y/N]");
  char answer[64] = "";
  if (!std::fgets(answer, sizeof answer, stdin)) return false;
  return answer[0] == 'y' || answer[0] == 'Y';
}

void Terminal::begin_work() {
  end_work();
  start_ = last_ = std::chrono::steady_clock::now();
}

void Terminal::end_work() {
  erase_line();
  std::fflush(out_);
}

void Terminal::to_job(std::function<void(const std::string& what, double share)> tell) {
  muted_ = true;
  live_ = line_shown_ = false;
  job_ = std::move(tell);
}

void Terminal::progress(std::string_view what, double done) {
  const auto now = std::chrono::steady_clock::now();
  const double passed = Seconds(now - start_).count();
  if (!job_) say_to_those_who_wait(fmt::format("{:.0f} %  {}", 100 * done, what));
  if (passed < 2 || Seconds(now - last_).count() < (live_ ? 0.2 : 15.0)) return;
  last_ = now;
  if (job_) return job_(std::string(what), done);
  const std::string left = done > 0.02 ? fmt::format(", {} left", duration(passed / done - passed)) : "";
  const std::string line = fmt::format("{:3.0f} %{}  {}", 100 * done, left, what);
  const std::string shown = report::shortened(line, static_cast<std::size_t>(width_ - 1));
  if (live_)
    show_line(shown);
  else
    write_line(shown);  // of a muted verb, too: nothing that takes minutes is silent
}

void Terminal::status(std::string_view text) {
  const std::string line = dim(report::shortened(std::string(text), static_cast<std::size_t>(width_ - 1)));
  if (live_ && !muted_ && !(line_shown_ && line == line_)) show_line(line);
}

void Terminal::show_line(const std::string& text) {
  erase_line();
  std::fputs(text.c_str(), out_);
  std::fflush(out_);
  line_shown_ = true;
  line_ = text;
}

std::string Terminal::verdict(std::string_view name, std::size_t width) const {
  const char* code = name == "PASS"                                                   ? "32"
                     : name == "SKIPPED" || name == "NOT STARTED"                     ? "2"
                     : name == "MISSED" || name == "INCONCLUSIVE" || name == "REVIEW" ? "33"
                                                                                      : "31";
  return painted(colour_, code, fmt::format("{:<{}}", name, width));
}

std::string Terminal::dim(std::string_view text) const {
  return painted(colour_, "2", text);
}
std::string Terminal::bold(std::string_view text) const {
  return painted(colour_, "1", text);
}

std::size_t width_of_errors() {
  winsize size{};
  return isatty(STDERR_FILENO) && ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

std::string duration(double seconds) {
  if (seconds < 1) return "about 1 s";
  if (seconds < 90) return fmt::format("about {:.0f} s", seconds);
  return fmt::format("about {:.0f} min", seconds / 60);
}

}  // namespace ladder
