#pragma once
/// @file
/// A table of a lesson's source, made on this machine.

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ladder::model {

/// A table of a source, made on this machine.
struct Reproduction {
  std::string lesson{}, title{};
  std::vector<std::string> columns{};
  std::vector<std::vector<nlohmann::json>> rows{};  ///< cells: text, numbers, null
  std::vector<std::string> notes{};
  std::optional<std::vector<nlohmann::json>> figures{};  ///< nothing: the table is drawn; none: it is not
  std::string device{};                                  ///< where it is not the machine's GPU
  std::vector<std::string> block{};                      ///< run --npb: lines of the standard block
  nlohmann::json traffic{};                              ///< numbers behind the table that pages compare with
};

}  // namespace ladder::model
