#include "common/report/page_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/report/table.hpp"

namespace ladder::report {
namespace {

using nlohmann::json;

std::string relation(const json& target) {
  const std::string sign = target.value("relation", "");
  return sign == "<=" ? "≤" : sign == ">=" ? "≥" : sign;
}

bool is_met(const json& target) {
  return target.contains("met") && target["met"].is_boolean() && target["met"].get<bool>();
}

std::string reason_of(const json& target) {
  const std::string reason = target.value("reason", "");
  return reason.empty()                                      ? "not measured"
         : reason.find("observed mode") != std::string::npos ? "comes with the observed mode"
                                                             : reason;
}

}  // namespace

std::string markdown_row(const std::vector<std::string>& cells) {
  std::string row = "|";
  for (const std::string& cell : cells) {
    row += ' ';
    for (const char c : cell)
      row += c == '|' ? std::string("\\|") : c == '\n' ? std::string(" ") : std::string(1, c);
    row += " |";
  }
  return row;
}

std::vector<std::string> markdown_head(const std::vector<std::string>& titles) {
  std::string rule = "|";
  for (std::size_t i = 0; i < titles.size(); ++i) rule += "---|";
  return {markdown_row(titles), rule};
}

std::string link(const std::string& page, const std::filesystem::path& file, const std::string& shown) {
  return fmt::format("[{}]({})", shown,
                     file.lexically_relative(std::filesystem::path(page).parent_path()).generic_string());
}

std::string source_of(const std::string& page, const StoredDocument& document, const std::string& lesson) {
  const std::string folder = document.file.parent_path().filename();
  return fmt::format("From {}: {}.",
                     link(page, document.file, folder + "/" + document.file.filename().string()),
                     StoredMachine::facts(document, lesson));
}

std::string spoken(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

std::string id_of(const std::string& name) {
  return name.substr(0, name.find('_'));
}

std::string time_short(const json& step) {
  const json time = step.value("time", json());
  const auto median = number_in(time, "median"), low = number_in(time, "low"), high = number_in(time, "high");
  if (!median) return "";
  std::string text = short_time(*median);
  if (low && high && *median > 0) text += fmt::format(" ±{:.0f} %", 50 * (*high - *low) / *median);
  return text;
}

std::string time_long(const json& step) {
  const json time = step.value("time", json());
  const auto median = number_in(time, "median"), low = number_in(time, "low"), high = number_in(time, "high"),
             runs = number_in(time, "runs");
  if (!median) return "";
  std::string text = "**" + short_time(*median) + "**";
  if (low && high)
    text += fmt::format(" ({} to {}{})", short_time(*low), short_time(*high),
                        runs ? fmt::format(", {:.0f} runs", *runs) : "");
  return size_of(step).empty() ? text : text + " at " + size_of(step);
}

std::string ratio_short(const json& step, const std::string& peer) {
  const auto ratio = ratio_of(step, peer);
  return ratio ? short_number(*ratio) + "x" : "";
}

std::string ratio_long(const json& step, const std::string& peer, const std::string& whose) {
  const auto ratio = ratio_of(step, peer);
  if (!ratio) return "";
  const json interval = step.value("ratio_interval", json::object()).value(peer, json());
  const auto low = number_in(interval, "low"), high = number_in(interval, "high");
  return short_number(*ratio) + " times " + whose +
         (low && high ? fmt::format(" ({} to {})", short_number(*low), short_number(*high)) : "");
}

std::string library_long(const json& step) {
  const auto library = library_of(step);
  return library ? ratio_long(step, library->name, library->name + "'s speed") : "";
}

std::string targets_short(const json& step, Reasons& reasons) {
  std::string text;
  for (const json& target : step.value("targets", json::array())) {
    const std::string metric = target.value("metric", "");
    const auto measured = number_in(target, "measured");
    if (!text.empty()) text += "; ";
    if (measured) {
      text += fmt::format("{} {} {} {:g}{}", metric, short_number(*measured), relation(target),
                          target.value("bound", 0.0), is_met(target) ? "" : ", missed");
    } else {
      text += metric + " –";
      reasons[reason_of(target)].insert(metric);
    }
  }
  return text;
}

/// Where one is necessary, or none, the number is itself: "findings 0", "chain 0.569", "waits 1".
std::string whose_share(const json& target) {
  const bool itself = number_in(target, "necessary_amount").value_or(0) == 1;
  return itself ? "" : " of the necessary amount";
}

std::string targets_long(const json& step) {
  std::string text;
  for (const json& target : step.value("targets", json::array())) {
    const auto measured = number_in(target, "measured");
    if (!text.empty()) text += "; ";
    text += measured ? fmt::format("{} {}{}, bound {} {:g}: {}", target.value("metric", ""),
                                   short_number(*measured), whose_share(target), relation(target),
                                   target.value("bound", 0.0), is_met(target) ? "met" : "missed")
                     : fmt::format("{}: {}", target.value("metric", ""), reason_of(target));
  }
  return text;
}

std::string not_measured(const std::string& machine) {
  return "*not measured yet on " + machine + "*";
}

}  // namespace ladder::report
