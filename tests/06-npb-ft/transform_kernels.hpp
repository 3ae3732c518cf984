#pragma once
/// @file
/// The causes that work E names for its speed, as far as a trace shows them: granularity and parallelism.

#include <nlohmann/json.hpp>

namespace npb_ft::test {

constexpr const char* title_of_causes = "Granularity and parallelism, from traces";

/// A record: for each g step of the plan the kernels of its transforms, how many of them and how many threads
/// each has.
/// @param M  log2 of the grid's points
nlohmann::json causes(int M);

}  // namespace npb_ft::test
