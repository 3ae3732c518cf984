#include "common/report/results/predicted_number.hpp"

#include <fmt/format.h>

#include "common/base/text/numbers.hpp"

namespace ladder::report {

std::string prediction_sentence(const PredictedNumber& p) {
  std::string text = fmt::format("You predicted {} {}", amount_text(p.said), p.metric);
  if (p.after_profile) text += " (after a profile had shown it)";
  if (!p.truth) return text + ". Not known: " + p.why + ".";
  if (p.said == *p.truth) return text + ": exactly what it is.";
  text += fmt::format("; it is {}", amount_text(*p.truth));
  if (p.said > 0 && *p.truth > 0) text += fmt::format(", {:.3g}x of that", *p.truth / p.said);
  return text + ".";
}

}  // namespace ladder::report
