#include "common/judge/findings/finding_cases.hpp"

#include <map>
#include <optional>
#include <string>

namespace ladder {
namespace {

// Operations of a case by the lesson's model. Sanitizers make a call ten to fifty times slower.
constexpr double small_work = 5e6;  // the product of n = 135: tens of milliseconds
constexpr double max_work = 1.3e8;  // the product of n = 400: a second or two

double work_of(const Case& one) {
  if (!one.model) return 0;
  const Work work = one.model();
  return work.fp64 + work.fp32 + work.integer;
}

/// Arrays of few bytes can take much work: sums over random numbers.
bool is_small(const Case& one, const Watch& watch) {
  return one.shape.bytes() <= watch.largest && (watch.looks_for.empty() || work_of(one) <= small_work);
}

/// What is watched of a class.
struct Class {
  std::size_t first;
  std::optional<std::size_t> first_small{}, largest_small{};
};

std::map<std::string, Class> classes_of(const std::vector<Case>& cases, const Watch& watch) {
  std::map<std::string, Class> classes;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (!cases[i].refused.empty()) continue;
    Class& its = classes.try_emplace(cases[i].group, Class{i}).first->second;
    if (!is_small(cases[i], watch)) continue;
    if (!its.first_small) its.first_small = its.largest_small = i;
    if (cases[i].shape.bytes() > cases[*its.largest_small].shape.bytes()) its.largest_small = i;
  }
  return classes;
}

}  // namespace

std::vector<FindingCase> finding_cases(const std::vector<Case>& cases, const Watch& watch) {
  const bool sanitizer = !watch.looks_for.empty();
  std::map<std::size_t, int> calls;  // by place
  std::optional<std::size_t> large;  // of a sanitizer
  for (const auto& [name, its] : classes_of(cases, watch)) {
    if (its.first_small && (sanitizer || its.first == its.first_small))
      calls[*its.first_small] = calls[*its.largest_small] = watch.repetitions;
    else if (!sanitizer)
      calls[its.first] = watch.repetitions;
    else if (!large || work_of(cases[its.first]) < work_of(cases[*large]))
      large = its.first;
  }
  if (large && calls.empty())
    calls[*large] = watch.repetitions;
  else if (large && work_of(cases[*large]) <= max_work)
    calls[*large] = 1;
  std::vector<FindingCase> chosen;
  for (const auto& [place, count] : calls) chosen.push_back({place, count});
  return chosen;
}

}  // namespace ladder
