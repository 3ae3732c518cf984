#include "common/tool/maintain/testing/test_summary.hpp"

#include <fmt/format.h>

#include <map>

#include "common/base/text/text.hpp"
#include "common/report/text/table.hpp"

namespace ladder {
namespace {

std::string unescaped(std::string text) {
  static const std::pair<const char*, const char*> marks[] = {
      {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&apos;", "'"}, {"&#xA;", "\n"}, {"&amp;", "&"}};
  for (const auto& [mark, letter] : marks)
    for (std::size_t at; (at = text.find(mark)) != std::string::npos;)
      text.replace(at, std::string_view(mark).size(), letter);
  return text;
}

std::string attribute(const std::string& tag, const std::string& name) {
  const auto at = tag.find(" " + name + "=\"");
  if (at == std::string::npos) return "";
  const auto from = at + name.size() + 3;
  return unescaped(tag.substr(from, tag.find('"', from) - from));
}

/// The lines of a text that are not blank, without what indents them.
std::vector<std::string> filled_lines(const std::string& text) {
  std::vector<std::string> lines;
  for (const std::string& line : lines_of(text))
    if (const auto first = line.find_first_not_of(" \t"); first != std::string::npos)
      lines.push_back(line.substr(first));
  return lines;
}

/// Where a failure says much: what was checked is at its begin, and where that stands is at its end.
std::string brief(const std::string& text) {
  std::vector<std::string> lines = filled_lines(text);
  constexpr std::size_t first = 8, last = 6;
  if (lines.size() > first + last) {
    lines[first] = "…";
    lines.erase(lines.begin() + first + 1, lines.end() - last);
  }
  return fmt::format("{}", fmt::join(lines, "\n"));
}

}  // namespace

std::string last_lines(const std::string& text, std::size_t most) {
  std::vector<std::string> lines = filled_lines(text);
  if (lines.size() > most) lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(most));
  return fmt::format("{}", fmt::join(lines, "\n"));
}

std::string told(const TestSummary::Entry& failure, std::size_t width) {
  std::string out = "FAILED  " + failure.name;
  for (const std::string& line : report::wrapped(last_lines(failure.text, 15), width - 8))
    out += "\n        " + line;
  return out;
}

std::string TestSummary::line() const {
  return fmt::format("{} passed, {} failed, {} skipped", passed_, failures_.size(), skips_.size());
}

std::string TestSummary::text(std::size_t width) const {
  std::string out;
  const auto section = [&](const char* title, const std::vector<Entry>& entries) {
    if (entries.empty()) return;
    out += std::string(title) + ":\n";
    for (const Entry& e : entries) {
      out += "  " + e.name + "\n";
      for (const std::string& line : report::wrapped(e.text, width - 6)) out += "      " + line + "\n";
    }
  };
  // The same reason for many rows is said once.
  std::map<std::string, std::vector<std::string>> by_reason;
  for (const Entry& e : skips_) by_reason[e.text].push_back(e.name);
  std::vector<Entry> grouped;
  for (const auto& [reason, names] : by_reason)
    grouped.push_back(
        {names.size() == 1 ? names[0] : fmt::format("{} and {} more", names[0], names.size() - 1), reason});
  section("failed", failures_);
  section("skipped", grouped);
  return out + line();
}

void TestSummary::add(const model::TestCounts& counted) {
  passed_ += counted.passed;
  for (const model::FailedCheck& one : counted.failures) failures_.push_back({one.name, one.text});
  for (const model::SkippedCheck& one : counted.skips) skips_.push_back({one.name, one.reason});
}

model::TestCounts TestSummary::counts() const {
  model::TestCounts all{.passed = passed_,
                        .failed = static_cast<int>(failures_.size()),
                        .skipped = static_cast<int>(skips_.size())};
  for (const Entry& one : failures_) all.failures.push_back({one.name, one.text});
  for (const Entry& one : skips_) all.skips.push_back({one.name, one.text});
  return all;
}

bool take_junit(const std::string& xml, const std::string& program, TestSummary& summary) {
  std::size_t at = 0;
  while ((at = xml.find("<testcase", at)) != std::string::npos) {
    const auto tag_end = xml.find('>', at);
    if (tag_end == std::string::npos) return false;
    const std::string tag = xml.substr(at, tag_end - at);
    const std::string name = program + ": " + attribute(tag, "name");
    if (tag.back() == '/') {
      summary.pass();
      at = tag_end;
      continue;
    }
    const auto end = xml.find("</testcase>", tag_end);
    if (end == std::string::npos) return false;
    const std::string body = xml.substr(tag_end + 1, end - tag_end - 1);
    auto bad = body.find("<failure");
    if (bad == std::string::npos) bad = body.find("<error");
    if (bad != std::string::npos) {
      const auto from = body.find('>', bad) + 1;
      summary.fail(name, brief(unescaped(body.substr(from, body.find("</", from) - from))));
    } else if (body.find("<skipped") != std::string::npos) {
      summary.skip(name, "skipped by the test");
    } else {
      summary.pass();
    }
    at = end;
  }
  return xml.find("</testsuites>") != std::string::npos;
}

int take_skips(const std::string& text, const std::string& program, TestSummary& summary) {
  int count = 0;
  for (const std::string& line : lines_of(text)) {
    if (line.empty()) continue;
    summary.skip(program, line);
    ++count;
  }
  return count;
}

}  // namespace ladder
