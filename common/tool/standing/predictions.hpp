#pragma once
/// @file
/// What a student said before looking: kept in .ladder/predictions.json, goes with a submission, earns no
/// points.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace ladder {

/// One number that was said of one step.
struct Prediction {
  std::string step;    ///< "03-dgemm/g2_shared_tiles"
  std::string metric;  ///< a name of common/trace/metrics.hpp, or of a counter
  double value = 0;
  int size = 0;                ///< n; 0: not stated
  std::string time;            ///< UTC, ISO 8601
  bool after_profile = false;  ///< a profile of the step had been shown before
};

/// Reads "sectors=74752", "sectors per flop=0.016", "sectors=74,752".
/// @throws UsageError for an unknown metric (with the nearest), one that no profile shows, and what is no
/// number
Prediction parse_prediction(const std::string& text);

/// Whether a word of the command line is meant as a prediction.
bool looks_like_prediction(std::string_view word);

/// The words of a command line in which what belongs to one prediction is one word: "sectors" "=" "5120" and
/// "sectors" "5120" are "sectors=5120".
std::vector<std::string> joined_predictions(const std::vector<std::string>& words);

/// What to say of a word that is neither a step nor a prediction: "sectors" has no number, "5120" no metric.
/// @param step  as it was typed; empty: none was
std::string why_no_prediction(const std::string& word, const std::string& step);

/// The file of predictions.
class Predictions {
 public:
  /// A file that is there and is not what this class writes is set aside.
  explicit Predictions(std::filesystem::path file);

  /// Keeps one more; marks it when the step has been profiled.
  /// @return what was kept
  Prediction add(Prediction prediction);

  /// Notes that a profile of the step is shown now.
  void profiled(const std::string& step);

  /// Whether one was shown before.
  bool has_profile(const std::string& step) const { return content_["profiled"].contains(step); }

  /// All of a step, oldest first.
  std::vector<Prediction> of(const std::string& step) const;
  /// For each metric and size the last one that was made before a profile, else the last one.
  std::vector<Prediction> last_of(const std::string& step) const;

  /// Writes the file. @throws UsageError naming file and reason
  void save() const;

 private:
  std::filesystem::path file_;
  nlohmann::json content_;
};

}  // namespace ladder
