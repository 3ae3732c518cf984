#pragma once
/// @file
/// The first hint: what the last verdict measured, and a question about just that.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/model/result.hpp"

namespace ladder {

/// A heading and its text, as feedback shows them.
using HintBlock = std::pair<std::string, std::string>;

/// What a verdict says about itself: which classes of cases failed, which numbers missed, where; and one
/// question.
/// Empty when there is nothing to hint at: nothing was judged, or nothing failed.
/// @param last  NOT RUN: there was none
std::vector<HintBlock> measured_hint(const model::StepResult& last);

/// The question about a metric that was missed: "sectors:eliminate" is asked about as "sectors" is. Empty:
/// there is none.
std::string_view question_of_metric(std::string_view metric);

/// The question about a class of cases; empty: there is none of its own.
std::string_view question_of_class(std::string_view name);

/// A rung's section of its lesson's page, without folds, pictures and what is generated. Empty: it has none.
/// @param id  "g2"
std::string page_section(const std::string& page, const std::string& id);

}  // namespace ladder
