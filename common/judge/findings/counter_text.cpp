#include "common/judge/findings/counter_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "common/base/observation/launch_sum.hpp"
#include "common/base/text/numbers.hpp"
#include "common/judge/findings/redundant_work.hpp"
#include "common/judge/findings/source_text.hpp"
#include "common/trace/access_text.hpp"

namespace ladder {
namespace {

constexpr std::size_t max_lines = 3;

/// How a metric looks at lines: which ones count, their amounts, and a question.
struct View {
  bool (*matters)(const LineCounters&);
  double (*amount)(const LineCounters&);
  const char* unit;
  const char* question;
  const char* question_of_number = nullptr;  ///< where each request is ideal; null: a request has no ideal
};

bool is_global(const LineCounters& line) {
  return line.space == "global";
}
bool is_shared(const LineCounters& line) {
  return line.space == "shared" && line.operation != "atomic";
}
bool is_global_load(const LineCounters& line) {
  return line.space == "global" && line.operation == "load";
}
bool is_global_atomic(const LineCounters& line) {
  return line.space == "global" && line.operation == "atomic";
}

double sectors_of(const LineCounters& line) {
  return static_cast<double>(line.sectors);
}
double wavefronts_of(const LineCounters& line) {
  return static_cast<double>(line.wavefronts);
}
double requests_of(const LineCounters& line) {
  return static_cast<double>(line.requests);
}
double lanes_of(const LineCounters& line) {
  return static_cast<double>(line.lanes);
}

View view_of(std::string_view metric) {
  const auto begins = [&](std::string_view name) { return metric.substr(0, name.size()) == name; };
  if (begins("wavefronts"))
    return {
        is_shared, wavefronts_of, "wavefronts",
        "The bank of a 4-byte word is its index in shared memory modulo 32; a double is two words. In which "
        "banks are the elements that the lanes of a warp access together?",
        "How often is one value read from shared memory, and which reads could be one because a thread keeps "
        "it?"};
  if (begins("requests"))
    return {is_global_load, requests_of, "requests", "How many bytes can one lane load at once?"};
  if (begins("atomics"))
    return {is_global_atomic, lanes_of, "atomic operations",
            "Which of these could the threads of a block first combine where only they see it?"};
  return {
      is_global, sectors_of, "sectors",
      "Lanes of a warp differ in threadIdx.x first. Which index should follow it, and which data are loaded "
      "more often than they are needed?",
      "How many threads load the same element from device memory, and how many of them could share one "
      "load?"};
}

const std::string& object_of(const LineCounters& line) {
  static const std::string unknown;
  return line.worst ? line.worst->object : unknown;
}

bool same_access(const LineCounters& a, const LineCounters& b) {
  const auto key = [](const LineCounters& l) {
    return std::tie(l.site.line, l.site.file, l.space, l.operation, l.size, object_of(l));
  };
  return key(a) == key(b);
}

/// The same access of all launches as one.
std::vector<LineCounters> merged(const Observation& observation, const View& view, std::string_view kernel) {
  std::vector<LineCounters> lines;
  for (const LaunchCounters& launch : observation.launches) {
    if (launch.kernel.find(kernel) == std::string::npos) continue;
    for (const LineCounters& line : launch.lines) {
      if (!view.matters(line)) continue;
      const auto same =
          std::ranges::find_if(lines, [&](const LineCounters& l) { return same_access(l, line); });
      if (same == lines.end())
        lines.push_back(line);
      else
        add_counts(*same, line);
    }
  }
  return lines;
}

std::string text_of(const LineCounters& line, const View& view, const PlannedStep& step) {
  std::string text = line_text(line.site, step);
  if (line.worst && !line.worst->object.empty())
    text += (text.empty() ? "" : "  ") + ("[" + line.worst->object + "]");
  text += fmt::format("{}{}: {} {}", text.empty() ? "" : "  ", line.operation, grouped(view.amount(line)),
                      view.unit);
  if (const std::string cost = cost_text(line); !cost.empty()) text += ", " + cost;
  if (const std::string lanes = describe(line); !lanes.empty()) text += "; " + lanes;
  return text;
}

/// The lines that ask most, below a heading each. @return whether there are any
template <class Left, class Text>
bool explain_largest(const std::vector<LineCounters>& lines, const View& view, const PlannedStep& step,
                     const Left& left_out, const Text& text, TestReport& report) {
  constexpr double little = 0.1;  // below this share a line explains nothing
  double all = 0;
  for (const LineCounters& line : lines) all += view.amount(line);
  std::size_t told = 0;
  for (const LineCounters& line : lines) {
    if (told == max_lines || left_out(line) || view.amount(line) < little * all) continue;
    report.detail(line_name(line.site, step), text_of(line, view, step) + text(line));
    ++told;
  }
  return told > 0;
}

/// Lines of which a request could cost less.
bool is_above_ideal(const LineCounters& line, const View& view) {
  const bool has_ideal = view.amount == sectors_of || view.amount == wavefronts_of;
  return has_ideal && line.operation != "atomic" && !is_ideal(line);
}

/// What would still be too much if every request were ideal: then there are too many requests.
bool too_many_requests(const std::vector<LineCounters>& lines, const View& view, const TargetResult& missed) {
  double all = 0, above = 0;
  for (const LineCounters& line : lines) {
    all += view.amount(line);
    if (is_above_ideal(line, view)) above += view.amount(line) * (1 - 1 / beyond_ideal(line));
  }
  if (above == 0 || missed.relation != "<=") return above == 0;
  return missed.measured * (1 - above / all) > 1.05 * missed.bound;
}

/// Lines whose requests are ideal, and what follows from that.
void explain_ideal_lines(const std::vector<LineCounters>& lines, const View& view, bool only,
                         const TargetResult& missed, const PlannedStep& step, TestReport& report) {
  const bool told = explain_largest(
      lines, view, step, [&](const LineCounters& line) { return is_above_ideal(line, view); },
      [](const LineCounters& line) { return fmt::format("; {} requests", grouped(requests_of(line))); },
      report);
  const std::string times =
      missed.measured > 0 && missed.relation == "<=" ? fmt::format(" {:.2g} times", missed.measured) : "";
  if (told && only)
    report.detail("What happened",
                  fmt::format("Each request moves no more than its lanes ask for. There are too many "
                              "requests: together{} the minimum.",
                              times));
  else if (told)
    report.detail("What happened",
                  "Even if every request were ideal, they would be too many: some lines load again what they "
                  "had already loaded.");
}

void explain_lines(const Observation& observation, std::string_view metric, std::string_view kernel,
                   const TargetResult& missed, const PlannedStep& step, TestReport& report) {
  const View view = view_of(metric);
  auto lines = merged(observation, view, kernel);
  std::erase_if(lines, [&](const LineCounters& line) { return !(view.amount(line) > 0); });
  if (lines.empty() || explain_repeated_stores(lines, step, report)) return;
  // By what is above the ideal.
  std::ranges::stable_sort(lines, [&](const LineCounters& a, const LineCounters& b) {
    const auto excess = [&](const LineCounters& l) {
      return view.amount(l) * (1 - 1 / std::max(1.0, beyond_ideal(l)));
    };
    return std::pair(excess(a), view.amount(a)) > std::pair(excess(b), view.amount(b));
  });
  std::size_t told = 0;
  for (const LineCounters& line : lines) {
    if (told == max_lines || !is_above_ideal(line, view)) continue;
    report.detail(line_name(line.site, step), text_of(line, view, step));
    ++told;
  }
  const bool too_many = too_many_requests(lines, view, missed);
  if (!view.question_of_number) {
    explain_largest(
        lines, view, step, [](const LineCounters&) { return false; }, [](const LineCounters&) { return ""; },
        report);
  } else if (told == 0 || too_many) {
    explain_ideal_lines(lines, view, told == 0, missed, step, report);
  }
  if (view.question_of_number && told == 0)
    report.detail("Think", view.question_of_number);
  else
    report.detail("Think", view.question);
}

void explain_branches(const Observation& observation, std::string_view kernel, const PlannedStep& step,
                      TestReport& report) {
  constexpr double little = 0.05;  // below this share of the idle lanes a line explains nothing
  std::vector<BranchCounters> branches;
  for (const LaunchCounters& launch : observation.launches) {
    if (launch.kernel.find(kernel) == std::string::npos) continue;
    for (const BranchCounters& b : launch.branches) {
      const auto same = std::ranges::find_if(branches, [&](const BranchCounters& other) {
        return other.site.line == b.site.line && other.site.file == b.site.file;
      });
      if (same == branches.end()) {
        branches.push_back(b);
      } else {
        same->executed += b.executed;
        same->divergent += b.divergent;
        same->idle += b.idle;
      }
    }
  }
  std::ranges::stable_sort(branches, [](const BranchCounters& a, const BranchCounters& b) {
    return std::tie(a.idle, a.divergent, a.executed) > std::tie(b.idle, b.divergent, b.executed);
  });
  double idle = 0;  // 0: not known
  for (const BranchCounters& b : branches) idle += static_cast<double>(b.idle);
  for (std::size_t i = 0; i < std::min(max_lines, branches.size()); ++i) {
    const BranchCounters& b = branches[i];
    const double share = idle > 0 ? static_cast<double>(b.idle) / idle : 0;
    if (idle > 0 && i > 0 && share < little) break;
    report.detail(
        line_name(b.site, step),
        fmt::format("{}  executed {} times by warps, {} times their lanes went both ways",
                    line_text(b.site, step), grouped(static_cast<double>(b.executed)),
                    grouped(static_cast<double>(b.divergent))) +
            (share > 0 ? fmt::format("; {:.0f} % of the idle lanes follow from that", 100 * share) : ""));
  }
}

}  // namespace

void remark_on_sectors(const std::vector<std::pair<std::string, Observation>>& cases, const PlannedStep& step,
                       TestReport& report) {
  constexpr double much = 2, share = 0.25, few = 32;  // requests: of a few nothing follows
  const View view = view_of("sectors");
  std::map<std::string, std::pair<std::string, LineCounters>> worst;  // by line: the case, and what it asked
  for (const auto& [label, observation] : cases) {
    double all = 0;
    const auto lines = merged(observation, view, "");
    for (const LineCounters& line : lines) all += sectors_of(line);
    for (const LineCounters& line : lines) {
      const bool counts =
          line.operation != "atomic" && requests_of(line) >= few && sectors_of(line) >= share * all;
      if (!counts || beyond_ideal(line) < much) continue;
      auto& [where, most] = worst[line_name(line.site, step)];
      if (where.empty() || beyond_ideal(line) > beyond_ideal(most)) where = label, most = line;
    }
  }
  for (const auto& [name, found] : worst) {
    report.detail("Remark", fmt::format("{}, {}: {}", name, found.first, text_of(found.second, view, step)));
    report.detail("",
                  fmt::format("The results are right, and no number of this rung depends on it. On a GPU "
                              "this line moves {:.2g} times the data that it asks for: which index should "
                              "follow threadIdx.x?",
                              beyond_ideal(found.second)));
  }
}

void ask_about(std::string_view metric, TestReport& report) {
  const auto begins = [&](std::string_view name) { return metric.starts_with(name); };
  if (begins("barriers"))
    report.detail("Think",
                  "A barrier is for threads of different warps. Which of these barriers orders only "
                  "threads of one warp, and which orders nothing?");
  else if (begins("most_barriers"))
    report.detail(
        "Think",
        "The launch lasts as long as its busiest block. Which work of that block could another one do?");
  else if (begins("grid_barriers"))
    report.detail("Think",
                  "For each wait of the whole grid: what has another block written that is read after it? "
                  "Which two waits could be one?");
  else if (begins("local"))
    report.detail(
        "Think",
        "Registers have no address. Which array of a thread has an index that the compiler does not know?");
  else if (begins("fp64_instructions"))
    report.detail("Think",
                  "Which division, root or function of the library takes most instructions? Which of them "
                  "could be looked up, and which two be one?");
  else if (begins("fp64"))
    report.detail("Think",
                  "Which of these operations could integers do, and which repeat what never changes?");
  else if (begins("conversions"))
    report.detail("Think",
                  "A double's exponent and fraction are bits. What do they say already that a conversion "
                  "would compute?");
  else if (begins("active") || begins("divergent"))
    report.detail(
        "Think",
        "Lanes that take different branches wait for each other. Which lanes of a warp take the same one?");
  else if (begins("branches"))
    report.detail(
        "Think",
        "Which conditions does a work-item ask although the launch, or the loop around them, has answered "
        "them already?");
}

void explain_counters(const Observation& observation, std::string_view metric, const PlannedStep& step,
                      TestReport& report, const TargetResult& missed) {
  const auto colon = metric.find(':');
  const std::string_view kernel = colon == metric.npos ? "" : metric.substr(colon + 1);
  if (explain_idle_blocks(observation, kernel, report)) return;
  if (metric.starts_with("active") || metric.starts_with("divergent") || metric.starts_with("branches"))
    explain_branches(observation, kernel, step, report);
  ask_about(metric, report);
  for (const std::string_view of_lines : {"sectors", "sweeps", "wavefronts", "requests", "atomics"})
    if (metric.starts_with(of_lines)) explain_lines(observation, metric, kernel, missed, step, report);
}

}  // namespace ladder
