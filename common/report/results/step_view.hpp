#pragma once
/// @file
/// A step's result as words and short numbers: what the tables of terminal, pages and reports show of it.

#include <optional>
#include <string>
#include <vector>

#include "common/report/results/performance.hpp"

namespace ladder::report {

/// One number of a row.
struct TargetView {
  std::string metric{}, measured{};  ///< "1.02"; "-" where it was not measured, or not decided
  std::string below{};               ///< that of the rung below
  std::string bound{};               ///< "<= 1.1"
  std::string short_bound{};         ///< "≤ 1.1"
  std::string state{};               ///< "met", "missed", "open", "not measured"
  std::string counted{};             ///< "4,096 (1.02x)", "not measured"
  std::string verdict{}, reason{};
};

/// A result; a text is empty where there is nothing to show.
struct StepView {
  std::string name{}, label{}, kind{}, data{};
  std::string device{};             ///< "twin" for a rung on tensor cores that the executor judged
  std::string verdict{}, remark{};  ///< "PASS", and "sectors not measured"
  std::string error{};              ///< "1.2e-16"
  std::string size{};               ///< "n 768", "class A"
  std::string time{};               ///< "12.3 ms ±4 %"
  std::string device_time{};        ///< the same by the device's own clock
  std::string energy{};             ///< "12.3 mJ"
  std::string baseline{}, below{};  ///< "1.35x": their time over the step's
  std::string library{};            ///< "0.304x cuBLAS"
  std::string ceiling{};            ///< "1.21 TFLOP/s, 35 % of the FP64 peak"
  std::string points{};             ///< "7.96/8"
  std::vector<TargetView> targets{};
  std::optional<Performance> performance{};

  /// "PASS, sectors not measured"
  std::string verdict_with_remark() const { return verdict + (remark.empty() ? "" : ", " + remark); }
};

StepView view_of(const model::StepResult& step);

}  // namespace ladder::report
