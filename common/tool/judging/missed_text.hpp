#pragma once
/// @file
/// What a person reads of a rung that is right and misses its number: a sentence, and then the numbers.

#include <string>
#include <utility>
#include <vector>

#include "common/model/result.hpp"

namespace ladder {

/// "it moves 4.5 times the data it needs (limit 1.1)". @param target  of a result, with what was measured
std::string missed_sentence(const model::Target& target);

/// "right in all 7 classes, but it moves 4.5 times the data it needs (limit 1.1)"; empty where no target says
/// why.
std::string missed_message(const model::StepResult& step);

/// Headings and texts: the points, and what was counted.
std::vector<std::pair<std::string, std::string>> missed_numbers(const model::StepResult& step);

}  // namespace ladder
