#include "common/tool/program/program_input.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <regex>

#include "common/base/files/files.hpp"
#include "common/report/text/table.hpp"

namespace ladder {
namespace {

constexpr std::size_t most_bytes = std::size_t{256} << 20;
constexpr int first_pause = 300, pause = 3000;  // milliseconds: until something comes, and between its parts

enum class InputKind { file, pipe, terminal, nothing };

InputKind kind_of_input() {
  struct stat found {};
  if (fstat(STDIN_FILENO, &found) != 0) return InputKind::nothing;
  if (S_ISREG(found.st_mode)) return InputKind::file;
  if (S_ISFIFO(found.st_mode) || S_ISSOCK(found.st_mode)) return InputKind::pipe;
  return isatty(STDIN_FILENO) ? InputKind::terminal : InputKind::nothing;
}

/// @return whether it ended
bool read_all(std::string& text) {
  char buffer[65536];
  while (text.size() < most_bytes && !interrupted()) {
    pollfd ready{STDIN_FILENO, POLLIN, 0};
    const int there = poll(&ready, 1, text.empty() ? first_pause : pause);
    if (there < 0 && errno == EINTR) continue;
    if (there <= 0) return false;
    const ssize_t n = read(STDIN_FILENO, buffer, sizeof buffer);
    if (n == 0) return true;
    if (n < 0 && errno != EINTR) return true;
    if (n > 0) text.append(buffer, static_cast<std::size_t>(n));
  }
  return false;
}

/// Whether a source may read standard input: what nobody reads need not be spoken of.
bool may_read(const ProgramRequest& request) {
  static const std::regex reads(R"(\b(cin|stdin|STDIN_FILENO|scanf|getchar|gets|read\s*\(\s*0)\b)");
  return std::any_of(request.sources.begin(), request.sources.end(),
                     [](const auto& source) { return std::regex_search(read_text(source), reads); });
}

}  // namespace

ProgramInput program_input(Context& context, const ProgramRequest& request) {
  ProgramInput input;
  const InputKind kind = kind_of_input();
  const std::string with_file = fmt::format("From a file: ./ladder check {} < input.txt", request.name());
  if (kind == InputKind::terminal || kind == InputKind::nothing) {
    if (kind == InputKind::terminal && may_read(request))
      input.note =
          "none: a program under check does not read the keyboard, its input ends at once. " + with_file;
    return input;
  }
  std::string text;
  const bool whole = read_all(text);
  if (!text.empty()) {
    input.file = context.scratch() / "input";
    write_text(input.file, text);
  }
  if (!whole && (!text.empty() || may_read(request)))
    input.note = fmt::format("cut off after {} bytes: what comes through the pipe had not ended. {}",
                             text.size(), with_file);
  return input;
}

std::string missing_arguments(const ProgramRequest& request) {
  // main(int argc, char** argv) or char* argv[], by whatever names; then argv[1], argv[i], argv + 1; not
  // argv[0].
  static const std::regex declared(
      R"(\bmain\s*\(\s*int(?:\s+\w+)?\s*,\s*(?:const\s+)?char\s*(?:const\s*)?\*\s*(?:const\s*)?(?:\*\s*)?(\w+))");
  if (!request.arguments.empty()) return "";
  for (const auto& file : request.sources) {
    const std::string source = read_text(file);
    std::smatch found;
    if (!std::regex_search(source, found, declared)) continue;
    const std::regex used("\\b" + found.str(1) + R"(\s*(?:\+|\[\s*(?!0\s*\]|\])))");
    if (std::regex_search(source, used))
      return fmt::format("main reads {}, and was started without arguments: {}", found.str(1),
                         report::unbroken(fmt::format("./ladder check {} -- ARGUMENTS", request.name())));
  }
  return "";
}

}  // namespace ladder
