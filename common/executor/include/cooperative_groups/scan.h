#pragma once
/// @file
/// Prefix sums over a group, by the threads' ranks.

#include "cooperative_groups/reduce.h"

namespace cooperative_groups {

/// The values of the threads up to and with the caller, combined.
template <class Group, class T, class Combine>
std::decay_t<T> inclusive_scan(const Group& group, T&& value, Combine&& combine, LADDER_EXECUTOR_SITE) {
  using Value = std::decay_t<T>;
  Value result{};
  const unsigned own = group.thread_rank();
  bool first = true;
  const auto use = [&](unsigned rank, const Value& next) {
    if (rank > own) return;
    result = first ? next : static_cast<Value>(combine(result, next));
    first = false;
  };
  group.each_value(static_cast<const Value&>(value), use, site);
  return result;
}
template <class Group, class T>
std::decay_t<T> inclusive_scan(const Group& group, T&& value, LADDER_EXECUTOR_SITE) {
  return inclusive_scan(group, value, plus<std::decay_t<T>>(), site);
}

/// The values of the threads before the caller, combined; of the first thread T{}.
template <class Group, class T, class Combine>
std::decay_t<T> exclusive_scan(const Group& group, T&& value, Combine&& combine, LADDER_EXECUTOR_SITE) {
  using Value = std::decay_t<T>;
  Value result{};
  const unsigned own = group.thread_rank();
  bool first = true;
  const auto use = [&](unsigned rank, const Value& next) {
    if (rank >= own) return;
    result = first ? next : static_cast<Value>(combine(result, next));
    first = false;
  };
  group.each_value(static_cast<const Value&>(value), use, site);
  return result;
}
template <class Group, class T>
std::decay_t<T> exclusive_scan(const Group& group, T&& value, LADDER_EXECUTOR_SITE) {
  return exclusive_scan(group, value, plus<std::decay_t<T>>(), site);
}

}  // namespace cooperative_groups
