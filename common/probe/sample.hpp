#pragma once
/// @file
/// What the probes share: measuring something a few times, and printing JSON without a library (nvcc compiles
/// this too).

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

namespace ladder::probe {

/// A text as a JSON string.
inline std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const unsigned char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c >= ' ') out += static_cast<char>(c);
  }
  return out + '"';
}

/// Seconds that a call of `work` takes.
template <class Work>
double seconds_of(Work&& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Times `work` after one call to warm up: at least 5 and at most 200 times, and about half a second in all.
template <class Work>
std::vector<double> times_of(Work&& work) {
  work();
  std::vector<double> times;
  double sum = 0;
  while (times.size() < 5 || (sum < 0.5 && times.size() < 200)) {
    times.push_back(seconds_of(work));
    sum += times.back();
  }
  return times;
}

/// Prints one ceiling as a line of JSON: median, lowest and highest.
/// @param unit  "byte/s", "flop/s", "s" or "cycle"
/// @param how   what exactly was done
inline void print(const char* what, const char* unit, std::vector<double> values, const std::string& how) {
  std::sort(values.begin(), values.end());
  std::printf(
      "{\"what\":%s,\"unit\":%s,\"median\":%.6g,\"low\":%.6g,\"high\":%.6g,\"runs\":%zu,\"how\":%s}\n",
      quoted(what).c_str(), quoted(unit).c_str(), values[values.size() / 2], values.front(), values.back(),
      values.size(), quoted(how).c_str());
  std::fflush(stdout);
}

/// Amount a second in each run.
inline std::vector<double> rates(double amount, std::vector<double> times) {
  for (double& t : times) t = amount / t;
  return times;
}

/// Runs one measurement; when it fails the line carries the error, and the other measurements go on.
template <class Measurement>
void attempt(const char* what, Measurement&& measurement) {
  try {
    measurement();
  } catch (const std::exception& error) {
    std::printf("{\"what\":%s,\"error\":%s}\n", quoted(what).c_str(), quoted(error.what()).c_str());
    std::fflush(stdout);
  }
}

/// "64 MiB".
inline std::string mebibytes(std::size_t bytes) {
  return std::to_string(bytes >> 20) + " MiB";
}

}  // namespace ladder::probe
