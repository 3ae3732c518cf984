#include "common/judge/reproduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numeric>

#include "common/base/catch.hpp"
#include "common/base/clock.hpp"
#include "common/judge/test_report.hpp"

namespace ladder::reproduction {

using nlohmann::json;

double Cell::mean() const {
  if (!measured()) return extrapolated;
  return std::accumulate(seconds.begin(), seconds.end(), 0.0) / static_cast<double>(seconds.size());
}

double Cell::standard_error() const {
  const double n = static_cast<double>(seconds.size());
  if (n < 3) return 0;
  double squares = 0;
  for (const double one : seconds) squares += (one - mean()) * (one - mean());
  return std::sqrt(squares / (n - 1) / n);
}

double Cell::median() const {
  return measured() ? ladder::median(seconds) : extrapolated;
}

std::string mean_text(const Cell& cell) {
  if (cell.measured()) return fmt::format("{:.4g}", cell.mean());
  return cell.extrapolated > 0 ? fmt::format("(about {:.2g}, not measured)", cell.extrapolated)
                               : "not measured";
}

std::string median_text(const Cell& cell) {
  if (cell.seconds.size() < 3) return "";
  const Interval interval = median_interval(cell.seconds);
  return fmt::format("{:.4g} ({:.4g} to {:.4g})", interval.median, interval.low, interval.high);
}

Runner::Runner(Launch launch, Call warm_up) : launch_(std::move(launch)), warm_up_(std::move(warm_up)) {
  launch_.timed = true;
  restart();
}

void Runner::restart() {
  session_.emplace(launch_);
  warm_up_(*session_);
  session_->pause();
}

Cell Runner::measure(const Ask& ask, const Call& call) {
  Cell cell;
  cell.extrapolated = last_work_ > 0 ? last_seconds_ * ask.work / last_work_ : 0;
  if (cell.extrapolated > ask.budget)
    cell.reason = fmt::format("one run would be over {} s", number_text(ask.budget));
  const Stopwatch spent;
  try {
    if (ask.warm_up && cell.reason.empty()) call(*session_);
    // Each call also needs fresh numbers and the check of its result: the budget includes them, since the
    // user waits for them.
    while (cell.reason.empty() && static_cast<int>(cell.seconds.size()) < ask.runs) {
      const double each =
          spent.seconds() / static_cast<double>(std::max<std::size_t>(1, cell.seconds.size()));
      if (cell.measured() && spent.seconds() + each > ask.budget)
        cell.reason = fmt::format("{} of {} runs in {:g} s", cell.seconds.size(), ask.runs, ask.budget);
      else
        cell.seconds.push_back(call(*session_));
    }
  } catch (const Failure& failure) {
    if (failure.verdict != Verdict::timeout && !failure.threw) throw;
    cell.reason = failure.message;
    cell.seconds.clear();
    if (failure.verdict == Verdict::timeout) restart();  // the judge ended the worker
    if (failure.threw) {  // the step refused: that says nothing about the time at another size
      session_->pause();
      return cell;
    }
  }
  session_->pause();
  last_seconds_ = cell.mean(), last_work_ = ask.work;
  return cell;
}

const PlannedStep* planned(const std::string& step) {
  for (const PlannedStep& one : plan().steps)
    if (one.step == step && one.skip.empty()) return &one;
  return nullptr;
}

const Peer* peer(const std::vector<Peer>& among, const std::string& name,
                 const std::vector<std::string>& backends) {
  for (const std::string& backend : backends)
    for (const Peer& one : among)
      if (one.name == name && one.backend == backend) return &one;
  return nullptr;
}

void progress(const PlannedStep& step, const std::string& text, double done, double of) {
  append_progress(step, TestKind::reproduce, text, done, of);
}

std::string bar(double value, double most) {
  std::string text;
  for (long b = 0; most > 0 && b < std::lround(24 * value / most); ++b) text += "█";
  return text;
}

json line(const std::string& label, const std::string& part, const std::vector<int>& x,
          const std::vector<double>& y) {
  json points = json::array();
  for (std::size_t i = 0; i < x.size() && i < y.size(); ++i)
    if (y[i] > 0) points.push_back({x[i], y[i]});
  return {{"label", label}, {"part", part}, {"points", points}};
}

json curves(const std::string& name, const std::string& title, const Axis& x, const Axis& y,
            std::vector<json> lines) {
  std::erase_if(lines, [](const json& one) { return one["points"].empty(); });
  std::string alternative = title + ". " + y.label + " against " + x.label + ":";
  for (const json& one : lines)
    alternative +=
        fmt::format(" {} {} at {};", one["label"].get<std::string>(),
                    number_text(one["points"].back()[1].get<double>()), one["points"].back()[0].get<int>());
  alternative.back() = '.';
  return {{"kind", "curves"},
          {"name", name},
          {"title", title},
          {"alternative", alternative},
          {"x", {{"label", x.label}, {"log", x.log}}},
          {"y", {{"label", y.label}, {"log", y.log}}},
          {"lines", lines}};
}

bool wanted(const std::string& title) {
  const std::string& part = plan().only;
  const auto alike = [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); };
  return std::search(title.begin(), title.end(), part.begin(), part.end(), alike) != title.end() ||
         part.empty();
}

void publish(const json& record) {
  const bool is_reason = record.value("columns", json::array()).empty();  // why there is no table at all
  if (is_reason || wanted(record.value("title", ""))) append_record(record);
}

json record(const std::string& lesson, const std::string& title, const std::vector<std::string>& columns) {
  return {{"record", "reproduction"}, {"lesson", lesson},      {"title", title},
          {"columns", columns},       {"rows", json::array()}, {"notes", json::array()}};
}

json without_table(const std::string& lesson, const std::string& title, const std::string& reason) {
  json empty = record(lesson, title, {});
  empty["notes"].push_back(reason);
  return empty;
}

void reproduce(const std::string& lesson, const std::string& title, const std::function<void()>& body) {
  if (!plan().wants(TestKind::reproduce)) return;
  try {
    body();
  } catch (const Failure& failure) {
    const std::string what = fmt::format("{}: {}", name(failure.verdict), failure.message);
    publish(without_table(lesson, title, what));
    FAIL(what);
  }
}

}  // namespace ladder::reproduction
