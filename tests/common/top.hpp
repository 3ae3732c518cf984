#pragma once
/// @file
/// What the programs tests/NN-name/benches/top share: rungs and the library by turns, and the file for
/// docs/top.md.
///
/// A ratio is the library's time over the rung's of the same round: the median of 15, and its interval of 96
/// %, the 4th and the 12th.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace ladder::top {

using nlohmann::json;

inline constexpr int rounds = 15, low = 3, high = 11;  // of 15 sorted values: the median's interval of 96 %

/// What limits every program.
struct Ceiling {
  const char* name;
  double rate;  ///< operations per second
};

/// The beginning of a file.
inline json document(const std::string& lesson, const std::string& library, const std::string& error_unit,
                     const std::string& device, const Ceiling& ceiling) {
  const char* const commit = std::getenv("LADDER_COMMIT");
  char date[] = "2000-01-01";
  const std::time_t now = std::time(nullptr);
  std::strftime(date, sizeof date, "%F", std::localtime(&now));
  std::printf("%s, %s: %.3g TF\n", device.c_str(), ceiling.name, 1e-12 * ceiling.rate);
  return {{"schema", "gpu-ladder-top/1"},
          {"lesson", lesson},
          {"device", device},
          {"date", date},
          {"commit", commit ? commit : ""},
          {"library", library},
          {"rounds", rounds},
          {"ceiling", {{"name", ceiling.name}, {"rate", ceiling.rate}}},
          {"error_unit", error_unit},
          {"rows", json::array()}};
}

/// Median and worst of errors; what is no number counts as 1e300.
inline json errors(std::vector<double> all) {
  for (double& one : all)
    if (!(one < 1e300)) one = 1e300;
  std::sort(all.begin(), all.end());
  return {{"median", all[all.size() / 2]}, {"worst", all.back()}};
}

inline json summary(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return {{"median", values[rounds / 2]}, {"low", values[low]}, {"high", values[high]}};
}

/// Times all rows of one shape, the first of which is the library's, and prints them.
/// @param rows     with shape, data, rung, operations and error; gets seconds and ratio
/// @param timed    false: they are only printed
/// @param seconds  of one call of row e
template <class Seconds>
void race(json& rows, bool timed, const Seconds& seconds) {
  const std::size_t count = rows.size();
  std::vector<std::vector<double>> times(count), ratios(count);
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  static std::mt19937 random(20260003);
  for (int round = 0; timed && round < rounds; ++round) {
    std::shuffle(order.begin(), order.end(), random);  // who comes after whom: GPUs get hot
    for (const std::size_t e : order) times[e].push_back(seconds(e));
    for (std::size_t e = 0; e < count; ++e) ratios[e].push_back(times[0].back() / times[e].back());
  }
  for (std::size_t e = 0; e < count; ++e) {
    json& row = rows[e];
    const auto number = [&](const char* field, const char* of) { return row.at(field).at(of).get<double>(); };
    std::printf("%-24s %-10s %-8s error %8.2g %8.2g", row.value("shape", "").c_str(),
                row.value("data", "").c_str(), row.value("rung", "").c_str(), number("error", "median"),
                number("error", "worst"));
    if (timed) {
      row["seconds"] = summary(times[e]), row["ratio"] = summary(ratios[e]);
      std::printf("  %9.4f ms %#6.3g TF  ratio %.3f (%.3f to %.3f)", 1e3 * number("seconds", "median"),
                  1e-12 * row["operations"].get<double>() / number("seconds", "median"),
                  number("ratio", "median"), number("ratio", "low"), number("ratio", "high"));
    }
    std::printf("\n");
  }
  std::fflush(stdout);
}

/// Adds rows to a document.
inline void add(json& document, const json& rows) {
  for (const json& row : rows) document["rows"].push_back(row);
}

inline void store(const json& document, const char* file) {
  std::ofstream(file) << document.dump(1) << "\n";
}

}  // namespace ladder::top
