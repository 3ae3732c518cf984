#include "tests/common/approved.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <regex>
#include <utility>
#include <vector>

#include "common/base/files/files.hpp"
#include "common/base/process/process.hpp"
#include "common/tool/core/unified_diff.hpp"
#include "tests/common/catch.hpp"

namespace ladder::test {
namespace {

namespace fs = std::filesystem;

/// What differs between runs and machines, and what is in its place.
struct Rule {
  std::regex pattern;
  std::string replacement;
};

/// A text as a regular expression that matches nothing else.
std::string quoted(const std::string& text) {
  static const std::regex special(R"([.^$|()\[\]{}*+?\\])");
  return std::regex_replace(text, special, R"(\$&)");
}

/// The one list. Rules apply in this order: paths before the numbers and names within them.
const std::vector<Rule>& rules() {
  static const std::vector<Rule> all = [] {
    std::vector<Rule> list;
    const auto add = [&](const std::string& pattern, const std::string& replacement) {
      list.push_back({std::regex(pattern), replacement});
    };
    // TMPDIR, whose name may have blanks, or another folder for temporary files.
    const std::string folder = "(" + quoted(fs::temp_directory_path().string()) + R"(|(/[^/\s'"]+)*))";
    // The toy checkout of fixture.hpp: a temporary folder with a random end.
    add(folder + R"(/toy checkout \w{6})", "CHECKOUT");
    // A ScratchFolder: a temporary folder with the process's number and a random end.
    add(folder + R"(/ladder-\d+-\w{6})", "SCRATCH");
    // The build folder may lie in the checkout: it comes first.
    add(quoted(build_folder().string()), "BUILD");
    add(quoted(fs::path(__FILE__).parent_path().parent_path().parent_path().string()), "PROJECT");
    // Names of what is kept in .ladder: the second in which it was put there, numbered within that second.
    add(R"(\b20[2-9]\d-\d\d-\d\d-\d{6}(-\d+)?)", "DATE-TIME");
    // Dates and times of day, in JSON and in sentences, with the day of the week.
    add(R"(\b20[2-9]\d-\d\d-\d\dT\d\d:\d\d:\d\dZ)", "DATE");
    add(R"((\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun) )?\b20[2-9]\d-\d\d-\d\d( \d\d:\d\d(:\d\d)?)?)", "DATE");
    // How far a fixed date is from today, and how long ago the test began.
    add(R"(\b\d{3,} days)", "N days");
    add(R"(\b\d+ minutes? ago)", "N minutes ago");
    // Seconds that the tool has measured of itself.
    add(R"(\btook \d+(\.\d+)? (ms|s|min)\b)", "took N s");
    // The time that a program took.
    add(R"((exit status \d+), [0-9.]+ (us|µs|ms|s|min)\b)", "$1, N ms");
    // Drawn where no --seed is given; what a test gives is checked by itself.
    add(R"(((?:--)?[Ss]eed) \d+)", "$1 SEED");
    // The key of all random inputs, and hashes of files.
    add(R"(\b[0-9a-f]{64}\b)", "SHA-256");
    // Versions of handouts and receipts are hashes of what is in them, texts of the tool among that.
    add(R"(\bH-[0-9A-Z]{4,}\b)", "H-VERSION");
    add(R"((Receipt +|as in |changed since )[A-Z]{8}\b)", "$1RECEIPT");
    // libarchive's words for a broken zip differ between its versions.
    add(R"((is damaged or not whole): .*)", "$1: REASON");
    // The line appears only where other programs keep this machine busy.
    add(R"(busy: other programs used \d+ % of this machine; .*\n)", "");
    // Editors remove blanks at the ends of lines.
    add(R"([ \t]+\n)", "\n");
    return list;
  }();
  return all;
}

/// The approved file of a check. A source may have moved since it was compiled: LADDER_ROOT names the
/// checkout.
fs::path file_of(const std::string& name, CheckPlace place) {
  fs::path source = place.file;
  if (const char* const root = std::getenv("LADDER_ROOT"); root && !fs::exists(source.parent_path()))
    if (const auto at = source.string().rfind("/tests/"); at != std::string::npos)
      source = root + source.string().substr(at);
  std::string stem = source.stem().string();
  if (stem.ends_with("_test")) stem.resize(stem.size() - 5);
  return source.parent_path() / "approved" / (stem + "." + name + ".txt");
}

/// A file as the person at the checkout names it.
std::string shown(const fs::path& file) {
  const std::string path = file.string();
  const auto at = path.rfind("/tests/");
  return at == std::string::npos ? path : path.substr(at + 1);
}

/// The checks so far. One line may be passed several times, with the same text; two lines may not share a
/// file.
struct Check {
  int line;
  std::string text;
};

std::map<fs::path, Check>& checks() {
  static std::map<fs::path, Check> all;
  return all;
}

/// How an approved file differs from what was got; empty: not at all.
std::string difference_to(const fs::path& file, const std::string& text) {
  const bool is_there = fs::exists(file);
  if (is_there && read_text(file) == text) return "";
  const ScratchFolder folder;
  write_text(folder.path() / "got", text);
  return difference(is_there ? file : fs::path("/dev/null"), folder.path() / "got",
                    is_there ? "approved" : "nothing is approved yet", "got");
}

std::string text_of(const ProcessResult& ended) {
  std::string text = ended.output;
  if (!text.empty() && text.back() != '\n') text += "\n(no newline)\n";
  if (ended.status != 0) text += fmt::format("exit status {}\n", ended.status);
  return text;
}

}  // namespace

std::string normalised(std::string text) {
  for (const Rule& rule : rules()) text = std::regex_replace(text, rule.pattern, rule.replacement);
  return text;
}

std::string transcript(const std::vector<std::string>& call, const ProcessResult& ended) {
  std::string line = "$ ./ladder";
  for (const std::string& word : call)
    line += word.empty() || word.find(' ') != std::string::npos ? " '" + word + "'" : " " + word;
  return line + "\n" + text_of(ended) + "\n";
}

void approve(const std::string& name, const ProcessResult& ended, CheckPlace place) {
  approve(name, text_of(ended), place);
}

void approve(const std::string& name, const std::string& raw, CheckPlace place) {
  const fs::path file = file_of(name, place);
  std::string text = normalised(raw);
  if (!text.empty() && text.back() != '\n') text += '\n';
  const auto [check, is_new] = checks().try_emplace(file, Check{place.line, text});
  const std::string line = fmt::format("{}:{}", shown(place.file), place.line);
  if (check->second.line != place.line) {
    FAIL_CHECK(fmt::format("{}: line {} approves \"{}\" already: give this output another name", line,
                           check->second.line, name));
    return;
  }
  if (!is_new && check->second.text != text) {
    FAIL_CHECK(fmt::format("{}: \"{}\" has another text than when this line was passed before", line, name));
    return;
  }
  if (std::getenv("LADDER_RENEW") != nullptr) {
    if (!fs::exists(file) || read_text(file) != text) write_text(file, text);
    SUCCEED();
    return;
  }
  const std::string differs = difference_to(file, text);
  if (differs.empty())
    SUCCEED();
  else
    FAIL_CHECK(fmt::format("{}\n{}./ladder test --renew writes {}; read the difference before you commit it",
                           line, differs, shown(file)));
}

}  // namespace ladder::test
