#include "common/tool/watch/watch_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "common/base/text/text.hpp"
#include "common/grade/sha256.hpp"
#include "common/report/results/results.hpp"
#include "common/report/text/table.hpp"
#include "common/tool/judging/judging.hpp"
#include "common/tool/standing/progress.hpp"
#include "common/tool/student/feedback.hpp"

namespace ladder {
namespace {

using Clock = std::chrono::steady_clock;

/// Whether a step ran, so that its counters and findings are worth a second run: of an endless loop they
/// would take minutes.
bool ran(const model::StepResult& result) {
  static const std::set<Verdict> others = {Verdict::build_error, Verdict::not_started, Verdict::not_run,
                                           Verdict::skipped,     Verdict::rejected,    Verdict::timeout};
  return !others.contains(result.verdict);
}

/// One save of one step.
class Judgement {
 public:
  Judgement(Context& context, const SavedStep& saved)
      : context_(context),
        saved_(saved),
        entry_(*context.catalogue.resolve({saved.path}).front()),
        source_(hash()) {}

  bool run() {
    context_.terminal.begin_work();
    say_task_left();
    context_.terminal.status(fmt::format("{}: building", entry_.label()));
    model::StepResult first = judged({TestKind::correctness});
    if (stopped()) return false;
    if (!ran(first)) {
      first.points.reset(), first.max_points.reset();  // of this run only: what was not run is not counted
      return show(first), true;
    }
    first_after_ = seconds();
    if (saved_.whole) context_.terminal.print(first_line(first));
    context_.terminal.status(fmt::format("{}: counters and findings", entry_.label()));
    const model::StepResult all = judged({TestKind::correctness, TestKind::targets, TestKind::findings});
    if (stopped()) return false;
    show(all);
    return true;
  }

 private:
  /// What needs no compiler.
  void say_task_left() {
    const auto lines = lines_of(read_text(source_of(context_.root, context_.options.tree, entry_)));
    const auto is_task = [](const std::string& line) {
      const auto code = line.find_first_not_of(" \t");
      return code != line.npos && line.compare(code, 14, "ladder::task()") == 0;
    };
    const auto task = std::find_if(lines.begin(), lines.end(), is_task);
    if (!saved_.saved || !saved_.whole || task == lines.end()) return;
    context_.terminal.print(
        fmt::format("Line {} still has ladder::task(): while it is there, the rung is not started.",
                    task - lines.begin() + 1));
  }

  std::string hash() const {
    return sha256(read_text(source_of(context_.root, context_.options.tree, entry_)));
  }
  bool stopped() const { return interrupted() || source_ != hash(); }

  double seconds() const {
    return saved_.saved ? std::chrono::duration<double>(Clock::now() - *saved_.saved).count() : 0;
  }

  /// Only what these kinds need is built: the observed worker not for the verdict.
  model::StepResult judged(std::vector<TestKind> kinds) {
    Task task{.lesson = &context_.catalogue.lesson(entry_.lesson),
              .jobs = jobs_for(context_, {&entry_}, context_.options.tree),
              .kinds = std::move(kinds)};
    const Outcome outcome = judge(context_, std::move(task));
    context_.terminal.end_work();
    for (const std::string& problem : outcome.problems) context_.terminal.print("problem: " + problem);
    return outcome.steps.at(0);
  }

  /// The verdict of the plain worker, in one line since all of it comes again: right so far is not PASS.
  std::string first_line(const model::StepResult& result) const {
    const std::string text = fmt::format("{}  {}  {}", context_.terminal.bold(report::label(result)),
                                         result.verdict == Verdict::pass
                                             ? "right so far"
                                             : context_.terminal.verdict(std::string(name(result.verdict))),
                                         result.message);
    const auto lines = report::wrapped(text, static_cast<std::size_t>(context_.terminal.width()) - 4);
    return lines.empty() ? "" : lines[0] + (lines.size() > 1 ? " ..." : "");
  }

  void show(const model::StepResult& result) {
    Progress progress(context_);
    progress.take(result);
    progress.save();
    std::string text = judged_text(context_, progress, entry_, result);
    if (!saved_.whole) text.erase(text.find('\n') + 1);
    context_.terminal.print(text);
    if (saved_.saved && saved_.whole)
      context_.terminal.print(context_.terminal.dim(
          first_after_ > 0 ? fmt::format("{:.1f} s from the save to the verdict, {:.1f} s to the end",
                                         first_after_, seconds())
                           : fmt::format("{:.1f} s from the save to the verdict", seconds())));
    context_.write_json(report::document("watch", context_.seed,
                                         context_.catalogue.by_lesson({model::DocumentStep{result}})));
  }

  Context& context_;
  const SavedStep& saved_;
  StepEntry& entry_;
  const std::string source_;
  double first_after_ = 0;
};

}  // namespace

bool judge_saved(Context& context, const SavedStep& saved) {
  return Judgement(context, saved).run();
}

}  // namespace ladder
