#include "common/judge/test_report.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <nlohmann/json.hpp>

#include "common/base/error.hpp"
#include "common/base/process/process_tree.hpp"
#include "common/base/text/text.hpp"
#include "common/judge/session/confinement.hpp"
#include "common/judge/session/supervisor.hpp"
#include "common/model/result_json.hpp"

namespace ladder {
namespace {

model::Target recorded(const TargetResult& t) {
  model::Target target{.metric = t.metric,
                       .relation = t.relation,
                       .bound = t.bound,
                       .below = t.below,
                       .necessary = t.necessary,
                       .verdict = t.verdict,
                       .reason = t.reason,
                       .points = t.points,
                       .max_points = t.max_points};
  if (t.known) target.measured = t.measured;
  if (t.known) target.amount = t.amount, target.necessary_amount = t.necessary_amount;
  if (t.verdict == Verdict::pass || t.verdict == Verdict::missed) target.met = t.verdict == Verdict::pass;
  return target;
}

std::optional<model::Energy> recorded(const EnergyResult& e) {
  if (e.calls == 0) return e.reason.empty() ? std::nullopt : std::optional(model::Energy{.reason = e.reason});
  return model::Energy{e.joules, e.calls, e.seconds, e.in_calls, e.source, e.reason};
}

std::optional<model::ResultError> recorded(const Check& worst) {
  if (worst.measure.empty()) return {};
  model::ResultError error{.measure = worst.measure, .value = worst.error, .bound = worst.bound};
  error.second_measure = worst.second_measure;
  if (!worst.second_measure.empty()) error.second_value = worst.second_error;
  return error;
}

/// A text for the student: files of the checkout by their paths in it, and those of the step's own file as
/// lines.
std::string shown(std::string text, const PlannedStep& step) {
  text = with_paths_in(plan().root, std::move(text));
  const std::string own = with_paths_in(plan().root, step.source) + ":";
  for (std::size_t at = 0; own.size() > 1 && (at = text.find(own, at)) != text.npos;)
    if (std::isdigit(static_cast<unsigned char>(text[at + own.size()])))
      text.replace(at, own.size(), "line ");
    else
      at += own.size();
  return text;
}

}  // namespace

TestReport::TestReport(const PlannedStep& step, TestKind kind)
    : step_(step), kind_(kind), used_before_(processor_seconds_used()) {}

void TestReport::progress(const std::string& text, double done, double of) const {
  append_progress(step_, kind_, text, done, of);
}

void TestReport::case_passed(const std::string& group) {
  ++cases_[group].first;
}

void TestReport::set(Verdict verdict, std::string message) {
  verdict_ = verdict;
  message_ = shown(std::move(message), step_);
}

void TestReport::set(const Failure& failure) {
  set(failure.verdict, failure.message);
  for (const auto& [heading, text] : failure.details) detail(heading, text);
}

void TestReport::detail(std::string heading, std::string text) {
  if (closed_.count(heading) > 0) return;
  std::pair<std::string, std::string> one(std::move(heading), shown(std::move(text), step_));
  if (std::find(details_.begin(), details_.end(), one) == details_.end()) details_.push_back(std::move(one));
}

void TestReport::close_headings() {
  for (const auto& [heading, text] : details_) closed_.insert(heading);
}

bool TestReport::has_detail(const std::string& heading) const {
  return std::any_of(details_.begin(), details_.end(), [&](const auto& d) { return d.first == heading; });
}

void TestReport::add(const TargetResult& target, const std::string& said) {
  targets_.push_back(target);
  points(target.points, target.max_points);
  const bool first = target.verdict > verdict_;  // the worst verdict comes first in the message
  const std::string head = first ? said : message_, tail = first ? message_ : said;
  const bool once = tail.empty() || head == tail;  // a cause that two targets share
  set(worse(verdict_, target.verdict), head.empty() ? tail : head + (once ? "" : "; " + tail));
}

void TestReport::keep_worst(const Check& check) {
  const auto weight = [](const Check& c) { return c.bound > 0 ? c.error / c.bound : 0.0; };
  const double second =
      std::max(worst_.second_error, check.second_error);  // each measure has its own worst case
  if (worst_.measure.empty() || !(weight(check) <= weight(worst_))) worst_ = check;
  worst_.second_error = second;
}

double TestReport::share() const {
  if (cases_.empty()) return 1;
  double whole = 0;
  for (const auto& [group, count] : cases_) whole += count.first == count.second;
  return whole / static_cast<double>(cases_.size());
}

void TestReport::name_classes() {
  if (verdict_ == Verdict::pass)
    message_ = cases_.size() == 1 ? "right in the one class that was tried"
                                  : fmt::format("right in all {} classes", cases_.size());
  if (verdict_ != Verdict::wrong) return;
  std::string classes;
  for (const auto& [group, count] : cases_)
    classes += fmt::format("{}{} {} of {}", classes.empty() ? "" : ", ", group, count.first, count.second);
  message_ += "   " + classes;
}

void TestReport::write() const {
  model::Record record{subject_of(step_), {}};
  record.device = step_.device;
  record.data = data_;
  record.kind = kind_;
  record.verdict = verdict_;
  record.message = message_;
  record.details = details_;
  record.seed = plan().seed;
  record.points = points_;
  record.max_points = max_points_;
  // For --times. Not in records of grading: the same inputs give the same record.
  if (plan().verb == "test") record.processor = processor_seconds_used() - used_before_;
  if (!plan().key_is_secret) record.key = plan().key;
  for (const auto& [group, count] : cases_) record.cases.push_back({group, count.first, count.second});
  if (failed_case_) record.failed_case = model::FailedCase{failed_case_->first, failed_case_->second};
  record.error = recorded(worst_);
  for (const TargetResult& target : targets_) record.targets.push_back(recorded(target));
  record.unconfined = take_missing_protection();
  if (timed_) {
    model::Timing timing = timing_of(time_);
    record.time = std::move(timing.time);
    record.ratio = std::move(timing.ratio);
    record.ratio_interval = std::move(timing.ratio_interval);
    if (time_.again) record.again = timing_of(*time_.again);
    if (time_.further) record.further = timing_of(*time_.further);
    record.gain = time_.gain;
  }
  record.energy = recorded(energy_);
  append_record(to_json(record));
}

model::Subject subject_of(const PlannedStep& step) {
  return {plan().lesson, step.step, step.tree, step.mutant, step.backend};
}

nlohmann::json record_of(const PlannedStep& step, const char* kind) {
  nlohmann::json record = to_json(subject_of(step));
  record["record"] = kind;
  return record;
}

void append_progress(const PlannedStep& step, TestKind kind, const std::string& text, double done,
                     double of) {
  append_record(to_json(model::Progress{subject_of(step), kind, text, done, of}));
}

void append_record(const nlohmann::json& record) {
  const std::lock_guard none_while_all_end(ending_gate());
  const Descriptor file(::open(plan().results.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  const std::string text = record.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  if (!file || ::write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()) ||
      ::fdatasync(file.get()) != 0)
    throw Error("cannot write the results to " + plan().results + ": " + std::strerror(errno));
}

}  // namespace ladder
