#include "common/grade/decisions.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "common/lesson/lesson.hpp"

namespace ladder::grade {
namespace {

using nlohmann::json;

constexpr const char* looked_at = "a person looks at this; points provisional";

json as_json(const Decision& d) {
  return {{"time", d.time}, {"by", d.by}, {"student", d.student}, {"step", d.step}, {"kind", d.kind}, {"points", d.points}, {"reason", d.reason}};
}

bool for_staff(const std::string& verdict) {
  return verdict == "REVIEW" || verdict == "REJECTED";
}

std::string label_of(const json& step) {
  const std::string name = step.value("name", "");
  return step.value("lesson", "").substr(0, 2) + "/" + name.substr(0, name.find('_'));
}

/// What the author of a step reads: the judge's words, or that a person looks, or what the person has decided.
json student_view(const json& step, const Decision* decision) {
  json view = {{"verdict", step.value("verdict", "")}, {"message", step.value("message", "")},
               {"details", step.value("details", json::array())}, {"cases", step.value("cases", json::array())}};
  if (for_staff(view["verdict"])) {
    view["details"] = json::array();
    view["verdict"] = "OPEN";
    view["message"] = looked_at;
    if (decision && decision->kind != "reject") {
      view["verdict"] = step.value("judged_as", std::string("PASS"));
      view["message"] = "a person has looked at this: " + decision->reason;
    } else if (decision) {
      view["verdict"] = "REJECTED";
      view["message"] = decision->reason;
    }
  } else if (decision) {
    view["details"].push_back({"Decided", decision->reason});
  }
  return view;
}

}  // namespace

std::string what_is_wrong(const Decision& d) {
  if (d.kind != "accept" && d.kind != "deduct" && d.kind != "reject") return "a decision is accept, deduct or reject";
  if (d.by.empty()) return "who decides? --by NAME";
  if (d.reason.find_first_not_of(" \t") == std::string::npos) return "a decision needs a reason: the student reads it";
  if (d.kind == "deduct" && !(d.points > 0)) return "how many points are deducted? A number above 0";
  return "";
}

void append(const std::filesystem::path& log, const Decision& decision) {
  const std::string line = as_json(decision).dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
  const int file = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  const bool written = file >= 0 && ::write(file, line.data(), line.size()) == static_cast<ssize_t>(line.size()) && ::fsync(file) == 0;
  const int failed = errno;
  if (file >= 0) ::close(file);
  if (!written) throw Error("cannot add to " + log.string() + ": " + std::strerror(failed));
}

std::vector<Decision> read_decisions(const std::filesystem::path& log) {
  std::vector<Decision> all;
  std::ifstream in(log);
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    const json j = json::parse(line, nullptr, false);
    if (!j.is_object()) throw Error(log.string() + ":" + std::to_string(number) + ": no decision");
    all.push_back({j.value("time", ""), j.value("by", ""), j.value("student", ""), j.value("step", ""), j.value("kind", ""), j.value("points", 0.0), j.value("reason", "")});
  }
  return all;
}

bool waits_for_a_person(const json& step) {
  return for_staff(step.value("verdict", "")) && !step.contains("decided_by");
}

json decided(json record, const std::vector<Decision>& decisions) {
  double points = 0, most = 0;
  for (json& step : record.at("steps")) {
    const auto last = std::find_if(decisions.rbegin(), decisions.rend(), [&](const Decision& d) {
      return d.student == record.value("pseudonym", "") && d.step == label_of(step);
    });
    const Decision* decision = last == decisions.rend() ? nullptr : &*last;
    step["student"] = student_view(step, decision);
    if (decision) {
      step["decided_by"] = decision->by;
      double& had = step["points"].get_ref<double&>();
      if (decision->kind == "deduct") had = std::max(0.0, had - decision->points);
      if (decision->kind == "reject") had = 0;
    }
    points += step.value("points", 0.0);
    most += step.value("max_points", 0.0);
  }
  record["points"] = points;
  record["max_points"] = most;
  return record;
}

}  // namespace ladder::grade
