#include "common/judge/findings/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "common/judge/earlier_verdicts.hpp"
#include "common/judge/findings/oclgrind_rules.hpp"
#include "common/judge/findings/source_text.hpp"

namespace ladder {
namespace {

constexpr std::size_t max_of_a_kind = 3, max_kinds = 3;

/// The name of a kind of finding, and the question that leads to its cause. "{line}" is the line of the
/// finding, "{other}" the line of the other access.
struct KindText {
  const char* kind;
  const char* words;
  const char* question;
  const char* operation = nullptr;  ///< a row for this one alone stands before the one for all of the kind
};

constexpr std::array<KindText, 26> kind_texts{{
    {"shared-race", "race in shared memory",
     "Which threads must be finished with {other} before {line} may run, and what makes them wait?"},
    {"global-race", "race in device memory",
     "Which threads touch this element, and what orders those of different blocks?"},
    {"out-of-bounds", "access out of bounds",
     "How many bytes does the call on {line} copy, and how many does each side have from there on?", "copy"},
    {"out-of-bounds", "access out of bounds",
     "Which index does this thread use on {line}, and how many elements are there?"},
    {"use-after-free", "use of memory that was freed",
     "Who owns this memory, and what still waits to use it?"},
    {"uninitialised", "read of memory that nobody wrote",
     "Which thread should have written what {line} reads, and is it sure to have done so before?"},
    {"barrier", "barrier with a phase that does not end",
     "Which threads arrive for the phase that {line} waits for, and who may go on before it is over?",
     "arrivals"},
    {"barrier", "barrier that not all threads reach",
     "Which condition keeps some threads of the block from {line}?"},
    {"shuffle", "shuffle from a lane that is not there",
     "Which lanes of the warp reach {line}, and which of them does the mask name?"},
    {"early-read", "result read before it is there", "What has the host waited for when it reaches {line}?"},
    {"missing-dependence", "two streams touch the same data unordered",
     "Which of the two must come first, and what makes the other one wait?"},
    {"host-access", "host memory and device memory mixed up",
     "Does the pointer on {line} point to memory of the host or of the device?"},
    {"leak", "memory that is never freed", "Who frees what {line} allocates, on every path out?"},
    {"read-only", "write to constant memory", "Who sets this variable, and may a kernel do that?"},
    {"misaligned", "misaligned access", "By how many bytes must the address on {line} be divisible?"},
    {"null", "access through a null pointer", "Where does the pointer on {line} get its value?"},
    {"exited-before-barrier", "threads leave before a barrier", "Who is still expected at the barrier?"},
    {"same-value-race", "threads write the same value to one place",
     "Is the element on {line} for all threads, or should each have its own?"},
    {"invalid-free", "free of memory that was not allocated",
     "What was the value of the pointer on {line} when its memory was allocated?"},
    {"thread-race", "race between threads",
     "Does each thread need its own copy of what both lines access, or must they take turns?"},
    {"mutex", "wrong use of a lock", "Which thread holds the lock on {line}, and which one releases it?"},
    {"undefined", "undefined behaviour",
     "What are the operands on {line}, at the smallest and the largest size?"},
    {"stack-overflow", "stack overflow",
     "How often does the function on {line} call itself, and how large are the arrays of one call?"},
    {"launch", "launch that was refused",
     "How many blocks, threads and bytes does the launch on {line} ask for, and who asks whether it ran?"},
    {"lost-text", "text that never appears",
     "Which call of the host waits until the kernel has ended, so that what it printed on {line} is shown?"},
    {"endless", "loop that does not end",
     "What would end the loop on {line}, and which thread could make that true?"},
}};

const KindText& text_of(const Finding& finding) {
  static constexpr KindText unknown{"", "finding", ""};  // its message says it all
  const auto found = std::ranges::find_if(kind_texts, [&](const KindText& t) {
    return finding.kind == t.kind && (!t.operation || finding.operation == t.operation);
  });
  return found == kind_texts.end() ? unknown : *found;
}

std::string with_lines(std::string text, const Finding& finding, const PlannedStep& step) {
  const auto put = [&](const std::string& mark, const std::string& name) {
    for (std::size_t at; (at = text.find(mark)) != std::string::npos;) text.replace(at, mark.size(), name);
  };
  put("{line}", line_name(finding.site, step));
  put("{other}", finding.other ? line_name(finding.other->site, step) : "the other access");
  return text;
}

std::string object_of(const std::string& address) {
  return address.substr(0, address.find_first_of("[ +"));
}

/// "lines 24 and 27", "line 24 and helper.cuh:7", "line 24" for one line only.
std::string lines_of(const Finding& finding, const PlannedStep& step) {
  const std::string one = line_name(finding.site, step);
  const std::string two = finding.other ? line_name(finding.other->site, step) : one;
  if (one == two) return one;
  const std::string prefix = "line ";
  if (one.starts_with(prefix) && two.starts_with(prefix))
    return fmt::format("lines {} and {}", one.substr(prefix.size()), two.substr(prefix.size()));
  return one + " and " + two;
}

/// "Same for Bs, lines 24 and 27."
std::string same_text(const Finding& finding, const PlannedStep& step) {
  const std::string object = object_of(finding.address), lines = lines_of(finding, step);
  return object.empty() ? fmt::format("Same on {}.", lines) : fmt::format("Same for {}, {}.", object, lines);
}

/// The question that leads to the cause.
std::string question_of(const Finding& finding, const PlannedStep& step) {
  // Where both are the same line, it makes no sense to ask which of the two comes first.
  const bool race =
      finding.kind == "shared-race" || finding.kind == "global-race" || finding.kind == "thread-race";
  if (race && finding.other && line_name(finding.other->site, step) == line_name(finding.site, step))
    return with_lines(finding.kind == "thread-race"
                          ? "Does each thread need its own copy of what {line} accesses? "
                            "If not, what makes the threads take turns?"
                          : "Which other threads touch this element on {line}, and "
                            "what keeps them from doing so at the same "
                            "time?",
                      finding, step);
  return with_lines(text_of(finding).question, finding, step);
}

/// Whether the line that reads too early is one on which threads overwrite each other's result: then a
/// barrier would hide that more threads run the line than need it.
bool all_threads_store_it(const Finding& race, const Observation& observation) {
  if (race.kind != "shared-race" || !race.other) return false;
  const auto stores_on = [&](const SourceLine& line) {
    return std::ranges::any_of(observation.findings, [&](const Finding& f) {
      return f.kind.ends_with("-race") && f.operation == "write" && f.other &&
             f.other->operation == "write" && f.site.line == line.line && f.site.file == line.file &&
             f.other->site.line == line.line && f.other->site.file == line.file;
    });
  };
  return race.operation == "read" && stores_on(race.site);
}

using Group = std::vector<const Finding*>;

/// Findings of a severity by kind, in the order of their first occurrence.
std::vector<Group> groups_of(const Observation& observation, const std::string& severity) {
  std::vector<Group> groups;
  for (const Finding& finding : observation.findings) {
    if (finding.severity != severity) continue;
    const auto found =
        std::ranges::find_if(groups, [&](const Group& g) { return g.front()->kind == finding.kind; });
    if (found == groups.end())
      groups.push_back({&finding});
    else
      found->push_back(&finding);
  }
  return groups;
}

/// One kind of finding: the first one in full, the others by their names and lines.
std::string text_of(const Group& group, const PlannedStep& step) {
  std::string text = group.front()->message;
  if (!text.empty() && text.back() != '.') text += ".";
  std::set<std::string> said{same_text(*group.front(), step)};
  std::size_t told = 1;
  for (const Finding* finding : group) {
    const std::string same = same_text(*finding, step);
    if (told >= max_of_a_kind || !said.insert(same).second) continue;
    text += " " + same;
    ++told;
  }
  return text;
}

/// What is no error, with its line and the case: "line 31, 3 x 3: 179 threads …". A kind is told once for
/// each line.
void tell_once(const char* heading, const Group& group, const std::string& label, const PlannedStep& step,
               TestReport& report) {
  const Finding& first = *group.front();
  const std::string line = first.site.line > 0 ? line_name(first.site, step) : "";
  if (!report.is_new(first.kind + " " + line)) return;
  std::string where = line;
  if (!label.empty()) where += (where.empty() ? "" : ", ") + label;
  report.detail(heading, (where.empty() ? "" : where + ": ") + text_of(group, step));
  std::string meaning = first.meaning;
  if (first.kind == "exited-before-barrier" && passed_earlier(step))
    meaning += " The results are right: here nothing is missing.";
  if (!meaning.empty()) report.detail("", meaning);
}

}  // namespace

std::string headline(const Observation& observation, const PlannedStep& step) {
  const auto groups = groups_of(observation, "error");
  if (groups.empty()) return "";
  const Finding& first = *groups.front().front();
  std::string text = text_of(first).words;
  if (first.kind == "thread-race")
    text += ", " + lines_of(first, step);
  else if (first.site.line > 0)
    text += ", " + line_name(first.site, step);
  if (groups.size() > 1) text += fmt::format(", and {} more kinds of finding", groups.size() - 1);
  return text;
}

void explain_findings(const Observation& observation, const std::string& label, const PlannedStep& step,
                      TestReport& report) {
  const auto errors = groups_of(observation, "error");
  for (std::size_t i = 0; i < std::min(errors.size(), max_kinds); ++i) {
    report.detail(i == 0 ? "What happened" : "Also", text_of(errors[i], step));
    if (const std::string& meaning = errors[i].front()->meaning; !meaning.empty()) report.detail("", meaning);
  }
  if (!errors.empty()) {
    const Finding& first = *errors.front().front();
    report.set_cause(first.kind);
    if (all_threads_store_it(first, observation))
      report.detail("Think",
                    with_lines("Which threads need the value that {line} reads, and how many of them "
                               "must store it?",
                               first, step));
    else if (const std::string question = question_of(first, step); !question.empty())
      report.detail("Think", question);
  }
  const auto warnings = groups_of(observation, "warning");
  for (std::size_t i = 0; i < std::min(warnings.size(), max_kinds); ++i)
    tell_once("Warning", warnings[i], label, step, report);
}

void explain_notes(const Observation& observation, const std::string& label, const PlannedStep& step,
                   TestReport& report) {
  const auto notes = groups_of(observation, "note");
  for (std::size_t i = 0; i < std::min(notes.size(), max_kinds); ++i) {
    tell_once("Note", notes[i], label, step, report);
    const Finding& first = *notes[i].front();
    if (!first.kind.ends_with("-race") || observation.findings_of("error") > 0) continue;
    report.set_cause(first.kind);
    report.detail(
        "Think",
        with_lines("Whose value must stay on {line}, and what keeps the other threads from writing there?",
                   first, step));
  }
}

bool judge_observation(const Observation& observation, const std::string& label, const PlannedStep& step,
                       TestReport& report) {
  explain_findings(observation, label, step, report);
  const std::string what = headline(observation, step);
  if (what.empty()) {
    if (const auto blocks = observation.blocks(); blocks.observed < blocks.all)
      report.detail("Observed in part",
                    fmt::format("{}: findings: none in {} of {} blocks", label, blocks.observed, blocks.all));
    return false;
  }
  explain_notes(observation, label, step, report);
  report.set(Verdict::wrong,
             (passed_earlier(step) && !was_wrong_at_target(step) ? "right results, but at " : "") + label +
                 ": " + what);
  return true;
}

Failure told_end(const Failure& failure, const Observation& observation, const PlannedStep& step) {
  Failure told = failure;
  const std::string found = headline(observation, step);
  if (found.empty()) return told;
  // For a failed call the thrown text repeats the finding; a message has only space for its beginning.
  const auto is_cause = [&end = failure.message](const Finding& f) {
    constexpr std::size_t begin = 60;
    return f.fatal || (!f.message.empty() && end.find(f.message.substr(0, begin)) != std::string::npos);
  };
  if (std::ranges::none_of(observation.findings, is_cause)) {
    told.message += "; before that: " + found;
    return told;
  }
  // CUDA's name of the error stays: a GPU reports it, too. How the executor ended the process adds nothing.
  const auto name = failure.message.find("cudaError");
  const std::string error =
      name == std::string::npos
          ? ""
          : "threw " + failure.message.substr(name, failure.message.find(':', name) - name) + ": ";
  told.message = error + found;
  std::erase_if(told.details, [](const auto& detail) {
    return detail.first == "Ended with" ||
           (detail.first == "Printed" && detail.second.starts_with("    "));  // the rest of that message
  });
  return told;
}

bool judge_fault(const Failure& failure, const std::string& label, const PlannedStep& step,
                 TestReport& report) {
  const bool ended_badly = failure.verdict == Verdict::crashed || failure.verdict == Verdict::timeout;
  if (!ended_badly || !failure.observation) return false;
  const bool fatal = std::ranges::any_of(failure.observation->findings, &Finding::fatal);
  if (fatal || headline(*failure.observation, step).empty())
    return judge_observation(*failure.observation, label, step, report);
  Failure told = told_end(failure, *failure.observation, step);
  told.message = label + ": " + told.message;
  report.set(told);
  explain_findings(*failure.observation, label, step, report);
  return true;
}

Observation read_log(const Watch& watch, Session& session) {
  session.finish();
  Observation observation = watch.read_log(session.file(watch.log).value_or(""));
  if (!watch.record.empty()) observation.launches = read_record(session, watch.record).launches;
  return observation;
}

Watch watch_of(const PlannedStep& step, const Step& row, bool counters) {
  Watch watch;
  if (step.backend == "executor" || step.backend == "cuda") {
    if (step.observed.empty())
      watch.skip = step.no_observed.empty() ? "this build has no observed worker of it" : step.no_observed;
    else
      watch.launch = observed_launch_of(step, row.data);
  } else if (step.backend == "opencl") {
    watch = simulated_watch_of(step, row, counters);
  } else {
    watch.possible = false;
  }
  return watch;
}

std::vector<Watch> watches_of(const PlannedStep& step, const Step& row) {
  if (step.backend != "cpu" && step.backend != "mpi") return {watch_of(step, row)};
  std::vector<Watch> watches;
  const auto add = [&](const char* what, const char* looks_for, int repetitions) {
    Watch watch;
    watch.looks_for = looks_for;
    watch.repetitions = repetitions;
    if (step.sanitized.count(what))
      watch.launch = sanitized_launch_of(step, row.data, what);
    else if (const auto why = step.no_sanitized.find(what); why != step.no_sanitized.end())
      watch.skip = why->second;
    else
      return;
    watches.push_back(watch);
  };
  add("races", "races", 3);
  add("memory", "accesses out of bounds and undefined behaviour", 1);
  return watches;
}

void tell_unwatched(const Watch& watch, const std::string& why, TestReport& report) {
  report.detail("Note", watch.looks_for + " not looked for: " + why);
}

}  // namespace ladder
