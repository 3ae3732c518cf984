#pragma once
/// @file
/// Reductions over a group.

#include "cooperative_groups.h"

namespace cooperative_groups {

// The operations, as CUDA calls them. `less` and `greater` give the lesser and the greater value.
#define LADDER_EXECUTOR_OPERATION(NAME, EXPRESSION)                   \
  template <class T = void>                                           \
  struct NAME {                                                       \
    T operator()(const T& a, const T& b) const { return EXPRESSION; } \
  };                                                                  \
  template <>                                                         \
  struct NAME<void> {                                                 \
    template <class T>                                                \
    T operator()(const T& a, const T& b) const {                      \
      return EXPRESSION;                                              \
    }                                                                 \
  };
LADDER_EXECUTOR_OPERATION(plus, a + b)
LADDER_EXECUTOR_OPERATION(less, b < a ? b : a)
LADDER_EXECUTOR_OPERATION(greater, a < b ? b : a)
LADDER_EXECUTOR_OPERATION(bit_and, a& b)
LADDER_EXECUTOR_OPERATION(bit_or, a | b)
LADDER_EXECUTOR_OPERATION(bit_xor, a ^ b)
#undef LADDER_EXECUTOR_OPERATION

/// The values of all threads, combined; every thread gets the result.
template <class Group, class T, class Combine>
std::decay_t<T> reduce(const Group& group, T&& value, Combine&& combine, LADDER_EXECUTOR_SITE) {
  using Value = std::decay_t<T>;
  Value result{};
  bool first = true;
  const auto use = [&](unsigned, const Value& next) {
    result = first ? next : static_cast<Value>(combine(result, next));
    first = false;
  };
  group.each_value(static_cast<const Value&>(value), use, site);
  return result;
}

}  // namespace cooperative_groups
