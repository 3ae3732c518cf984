#include "common/tool/program/finding_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "common/report/text/table.hpp"

namespace ladder {
namespace {

constexpr std::size_t indent = 4;

std::string place(const SourceLine& site) {
  return site.line > 0 ? fmt::format("{}:{}: ", site.file, site.line) : "";
}

std::string position(const std::array<std::uint32_t, 3>& at) {
  return fmt::format("({},{},{})", at[0], at[1], at[2]);
}

std::string paragraph(const std::string& text, std::size_t width) {
  std::string result;
  for (const std::string& line : report::wrapped(text, width > indent + 20 ? width - indent : 20))
    result += std::string(indent, ' ') + line + "\n";
  return result;
}

int rank(const Finding& finding) {
  if (finding.fatal) return -1;
  return finding.severity == "error" ? 0 : finding.severity == "warning" ? 1 : 2;
}

}  // namespace

std::string finding_text(const Finding& finding, std::size_t width) {
  std::string text = place(finding.site) + finding.severity + ": " + finding.message;
  if (finding.count > 1) text += fmt::format(" ({} times)", finding.count);
  text += "\n";
  if (!finding.kernel.empty())
    text += paragraph(fmt::format("kernel {}, block {}, thread {}", finding.kernel, position(finding.block),
                                  position(finding.thread)),
                      width);
  if (finding.other)
    text += paragraph(
        fmt::format("{}{} by block {}, thread {}", place(finding.other->site), finding.other->operation,
                    position(finding.other->block), position(finding.other->thread)),
        width);
  if (!finding.meaning.empty()) text += paragraph(finding.meaning, width);
  return text;
}

std::string findings_text(const std::vector<Finding>& findings, std::size_t width, std::size_t most) {
  std::vector<const Finding*> order;
  for (const Finding& finding : findings) order.push_back(&finding);
  std::stable_sort(order.begin(), order.end(), [](auto* a, auto* b) { return rank(*a) < rank(*b); });
  std::string text;
  for (std::size_t i = 0; i < std::min(most, order.size()); ++i)
    text += "\n" + finding_text(*order[i], width);
  if (order.size() > most) text += fmt::format("\nand {} more: --json has all\n", order.size() - most);
  return text;
}

}  // namespace ladder
