#include "common/lesson/rung.hpp"

#include <fmt/format.h>

#include "common/base/error.hpp"
#include "common/base/text/nearest.hpp"

namespace ladder {
namespace {

void take(const std::variant<bool, double>& value, const std::variant<int*, bool*, double*>& member,
          const std::string& name) {
  const bool is_flag = std::holds_alternative<bool>(value);
  if (is_flag != std::holds_alternative<bool*>(member))
    throw Error(fmt::format("{} must be {}", name, is_flag ? "a number" : "true or false"));
  if (is_flag) {
    *std::get<bool*>(member) = std::get<bool>(value);
  } else if (int* const* whole = std::get_if<int*>(&member)) {
    **whole = static_cast<int>(std::get<double>(value));
  } else {
    *std::get<double*>(member) = std::get<double>(value);
  }
}

}  // namespace

bool bounds_work(const Target& target) {
  return target.relation == "<=" && target.bound >= 1 && target.metric != "balance" &&
         target.metric != "ulps";
}

const Target& Step::target() const {
  static const Target none;
  return targets.empty() ? none : targets.front();
}

void read_asks(const Step& row,
               const std::vector<std::pair<const char*, std::variant<int*, bool*, double*>>>& members) {
  for (const auto& [name, value] : row.asks) {
    bool known = false;
    std::vector<std::string> names;
    for (const auto& [member, place] : members) {
      names.push_back(member);
      if (name != member) continue;
      known = true;
      take(value, place, row.file + ": asks." + name);
    }
    if (!known) throw Error(row.file + ": asks: " + unknown("entry", name, names));
  }
}

std::vector<std::string> lacking(const Step& row) {
  std::vector<std::string> all;
  if (row.idea.empty()) all.push_back("idea is missing");
  for (std::size_t i = 0; i < row.targets.size(); ++i) {
    const Target& target = row.targets[i];
    const auto add = [&](const char* what) { all.push_back(fmt::format("target {}: {}", i + 1, what)); };
    if (target.metric.empty()) add("metric is missing");
    if (target.amount.empty()) add("amount is missing: the necessary amount as a function");
    if (target.necessary.empty()) add("necessary is missing: the necessary amount in words");
    if (target.size <= 0) add("size is missing: what the target is measured at");
    if (bounds_work(target) && target.proof.empty() && target.own_cost.empty())
      add("proof or own_cost is missing: may a program need less?");
    if (target.floor.empty() != target.proof.empty()) add("floor and proof: one without the other");
  }
  if (!row.time.peer.empty() && row.time.size <= 0) all.push_back("time.size is missing");
  if (row.hints[0].empty() || row.hints[1].empty()) all.push_back("hints: two are needed");
  return all;
}

}  // namespace ladder
