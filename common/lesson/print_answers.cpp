/// @file
/// Prints the values of a lesson's pages, tests/NN-name/answers.cpp, as JSON.

#include <cstdio>
#include <nlohmann/json.hpp>

#include "common/lesson/amounts.hpp"

int main() {
  nlohmann::json all = nlohmann::json::array();
  for (const ladder::Answer& one : ladder::page_answers()) {
    all.push_back({{"name", one.name}, {"value", one.value}, {"decimals", one.decimals}});
    if (one.limit.rung)
      all.back()["limit"] = {{"rung", one.limit.rung},
                             {"amount", one.limit.amount},
                             {"size", one.limit.size},
                             {"at_least", one.limit.at_least}};
  }
  const std::string text = all.dump() + "\n";
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0 ? 0 : 1;
}
