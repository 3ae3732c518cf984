#pragma once
/// @file
/// A student's prediction next to the measured number, in words: for the verbs check and profile.

#include <optional>
#include <string>

namespace ladder::report {

/// A number that the student predicted before (or after) seeing the measured one, next to the measured one.
struct PredictedNumber {
  std::string metric;
  double said = 0;
  int size = 0;                 ///< n that was meant; 0: not stated
  bool after_profile = false;   ///< a profile had shown the measured number before
  std::optional<double> truth;  ///< the measured number; nothing when this run does not have it
  std::string why;              ///< then why not
};

/// "You predicted 74,752 sectors; it is 274,432, 3.67x of that."
std::string prediction_sentence(const PredictedNumber& prediction);

}  // namespace ladder::report
