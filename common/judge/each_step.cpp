#include "common/judge/each_step.hpp"

#include <algorithm>

#include "common/base/catch.hpp"
#include "common/base/text/step_name.hpp"
#include "common/base/text/text.hpp"
#include "common/lesson/rung_json.hpp"

namespace ladder::detail {

void for_each_step(
    const Lesson& lesson, TestKind kind,
    const std::function<void(const PlannedStep& step, const Step& row, TestReport& report)>& judge) {
  if (!plan().wants(kind)) return;
  for (const PlannedStep& step : plan().steps) {
    DYNAMIC_SECTION(step.label() << " on " << step.backend) {
      TestReport report(step, kind);
      report.progress("starting", 0, 1);  // if the judge dies now, the tool knows in which step
      set_under_way(&step);
      try {
        const Step& row = row_of(lesson, step);
        report.data(data_words[static_cast<std::size_t>(row.data)]);
        if (step.skip.empty())
          judge(step, row, report);
        else
          report.set(Verdict::skipped, step.skip);
      } catch (const Failure& failure) {
        report.set(failure);
      } catch (const Error& error) {  // of the lesson: its table does not fit its tests
        report.set(Verdict::not_run, error.what());
      }
      remember(step, kind, report.verdict(), report.message());
      report.write();
      INFO(name(report.verdict()) << ": " << report.message());
      CHECK((report.verdict() == Verdict::pass || report.verdict() == Verdict::skipped));
    }
  }
}

bool is_mutant(const PlannedStep& step) {
  return !step.mutant.empty() && step.tree != "attempts";
}

std::string text_of(const std::string& message,
                    const std::vector<std::pair<std::string, std::string>>& details) {
  std::string text = message;
  for (const auto& [heading, detail] : details) text += "\n" + detail;
  return text;
}

bool suffices(const PlannedStep& step, const std::string& text) {
  const auto missing = [&](const std::string& word) { return text.find(word) == text.npos; };
  return step.words && std::ranges::none_of(*step.words, missing);
}

std::string again(const PlannedStep& step) {
  const std::string number = plan().key.empty() ? std::to_string(plan().seed) : plan().key;
  const std::string seed = plan().key_is_secret ? "" : " --seed " + number;
  if (is_mutant(step)) return "./ladder test " + plan().lesson.substr(0, 2) + " --part mutants" + seed;
  const std::string tree = step.tree == "solutions" ? " --tree solutions" : "";  // others are a student's own
  const std::string by = plan().private_tests.empty() ? "" : " --private " + plan().private_tests;
  const std::string size = plan().size > 0 ? " --size " + std::to_string(plan().size) : "";
  const std::string file = plan().file.empty() ? "" : " --matrix " + shell_word(plan().file);
  return "./ladder check " + rung_of(plan().lesson, step.step) + tree + by + seed + size + file;
}

Random random_of(const Purpose& purpose, std::uint64_t place, std::uint64_t salt) {
  return random_for(purpose, plan().seed * 1000003u + place * 7919u + salt);
}

Random random_of_case(const std::string& step, std::size_t index) {
  return random_of({step, "case", index}, index);
}

Case problem_of(const Judged& suite, const Step& row, int size, bool restricted) {
  if (plan().file.empty()) return suite.sized(row, size, restricted);
  if (!suite.of_file) throw Error(plan().lesson + " reads no files");
  return suite.of_file(row, plan().file);
}

std::vector<Case> problems_of(const Judged& suite, const Step& row) {
  if (plan().file.empty()) return suite.cases(row, plan().size);
  return {problem_of(suite, row, 0, false)};
}

int stated_size(const Step& row) {
  if (plan().states_problem()) return plan().size;
  return row.target().size > 0 ? row.target().size : row.time.size;
}

int ranks_of(const PlannedStep& step, const Case& one) {
  if (one.ranks == 0) return step.ranks;
  return runs_on_gpu(step) ? std::min(one.ranks, step.ranks) : one.ranks;
}

Outcome run_case(Session& session, const PlannedStep& step, const Case& one, std::size_t index) {
  AnyInstance instance(one.shape);
  Random random = random_of_case(step.step, index);
  one.fill(instance, random);
  return session.call(instance);
}

bool repeats_failure(const PlannedStep& step, TestReport& report) {
  const Earlier* earlier = failed_earlier(step);
  if (!earlier) return false;
  report.set(earlier->verdict, earlier->message);
  return true;
}

}  // namespace ladder::detail
