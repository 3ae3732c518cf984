#include "common/judge/test_report.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <mutex>
#include <nlohmann/json.hpp>

#include "common/base/error.hpp"
#include "common/base/process_tree.hpp"
#include "common/base/text.hpp"
#include "common/judge/confinement.hpp"
#include "common/judge/supervisor.hpp"

namespace ladder {
namespace {

using nlohmann::json;

/// JSON knows no infinity and no NaN.
json finite(double value) {
  return std::isfinite(value) ? json(value) : json(nullptr);
}

json json_of(const TargetResult& t) {
  json j{{"metric", t.metric},         {"relation", t.relation}, {"bound", t.bound},
         {"verdict", name(t.verdict)}, {"reason", t.reason},     {"necessary", t.necessary}};
  j["measured"] = t.known ? finite(t.measured) : json(nullptr);
  const bool decided = t.verdict == Verdict::pass || t.verdict == Verdict::missed;
  j["met"] = decided ? json(t.verdict == Verdict::pass) : json(nullptr);
  if (t.below) j["below"] = finite(*t.below);
  if (t.known) j["amount"] = finite(t.amount), j["necessary_amount"] = finite(t.necessary_amount);
  j["points"] = t.points;
  j["max_points"] = t.max_points;
  return j;
}

/// {"joules", "calls", "seconds", "in_calls", "source"} and, when something is missing, "reason".
json json_of(const EnergyResult& e) {
  json j = json::object();
  if (e.calls > 0)
    j = {{"joules", e.joules},
         {"calls", e.calls},
         {"seconds", e.seconds},
         {"in_calls", e.in_calls},
         {"source", e.source}};
  if (!e.reason.empty()) j["reason"] = e.reason;
  return j;
}

json text_pairs(const std::vector<std::pair<std::string, std::string>>& pairs) {
  json j = json::array();
  for (const auto& [heading, text] : pairs) j.push_back({heading, text});
  return j;
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

void TestReport::progress(const std::string& text, int done, int of) const {
  json record = record_of(step_, "progress");
  record.update({{"kind", to_string(kind_)}, {"text", text}, {"done", done}, {"of", of}});
  append_record(record);
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
  if (verdict_ == Verdict::pass) message_ = fmt::format("right in all {} classes", cases_.size());
  if (verdict_ != Verdict::wrong) return;
  std::string classes;
  for (const auto& [group, count] : cases_)
    classes += fmt::format("{}{} {} of {}", classes.empty() ? "" : ", ", group, count.first, count.second);
  message_ += "   " + classes;
}

void TestReport::write() const {
  json j = record_of(step_, "verdict");
  j.update({{"device", step_.device},
            {"data", data_},
            {"kind", to_string(kind_)},
            {"verdict", name(verdict_)},
            {"message", message_},
            {"details", text_pairs(details_)},
            {"seed", plan().seed},
            {"points", points_},
            {"max_points", max_points_}});
  // For --times. Not in records of grading: the same inputs give the same record.
  if (plan().verb == "test") j["processor"] = processor_seconds_used() - used_before_;
  if (!plan().key.empty() && !plan().key_is_secret) j["key"] = plan().key;
  json cases = json::array();
  for (const auto& [group, count] : cases_)
    cases.push_back({{"class", group}, {"passed", count.first}, {"of", count.second}});
  j["cases"] = cases;
  if (failed_case_) j["failed_case"] = {{"index", failed_case_->first}, {"case", failed_case_->second}};
  if (!worst_.measure.empty()) {
    j["error"] = {{"measure", worst_.measure}, {"value", finite(worst_.error)}, {"bound", worst_.bound}};
    if (!worst_.second_measure.empty())
      j["error"]["second_measure"] = worst_.second_measure,
      j["error"]["second_value"] = finite(worst_.second_error);
  }
  j["targets"] = json::array();
  for (const TargetResult& target : targets_) j["targets"].push_back(json_of(target));
  if (const auto gaps = take_missing_protection(); !gaps.empty()) j["unconfined"] = gaps;
  if (timed_) put(time_, j);
  if (const json energy = json_of(energy_); !energy.empty()) j["energy"] = energy;
  append_record(j);
}

json record_of(const PlannedStep& step, const char* kind) {
  return {{"record", kind},    {"lesson", plan().lesson}, {"step", step.step},
          {"tree", step.tree}, {"mutant", step.mutant},   {"backend", step.backend}};
}

void append_record(const json& record) {
  const std::lock_guard none_while_all_end(ending_gate());
  const Descriptor file(::open(plan().results.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  const std::string text = record.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
  if (!file || ::write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()) ||
      ::fdatasync(file.get()) != 0)
    throw Error("cannot write the results to " + plan().results + ": " + std::strerror(errno));
}

}  // namespace ladder
