#include "common/base/files/toml_entries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/base/error.hpp"
#include "common/base/text/nearest.hpp"

namespace ladder {

bool Problems::attempt(Place place, const std::function<void()>& read) {
  try {
    read();
    return true;
  } catch (const Error& error) {
    add(place, error.what());
    return false;
  }
}

std::vector<std::string> Problems::lines(const std::string& file) const {
  std::vector<One> sorted = all_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const One& a, const One& b) {
    return std::pair(a.place.line, a.place.column) < std::pair(b.place.line, b.place.column);
  });
  std::vector<std::string> lines;
  for (const One& one : sorted)
    lines.push_back(fmt::format("{}:{}:{}: {}", file, one.place.line, one.place.column, one.what));
  return lines;
}

const toml::node* Entries::get(const std::string& key) const {
  const toml::node* node = table_.get(key);
  return node || !defaults_ ? node : defaults_->get(key);
}

Place Entries::place(const std::string& key) const {
  const toml::node* node = get(key);
  return place_of(node ? node->source() : table_.source());
}

const toml::node* Entries::find(const std::string& key, const char* type, bool needed) {
  read_.insert(key);
  const toml::node* node = get(key);
  if (!node && needed)
    problems_.add(
        place(), fmt::format("{}{} is missing; it must be {}", name_.empty() ? "" : name_ + ": ", key, type));
  return node;
}

void Entries::wrong_type(const toml::node& node, const std::string& key, const char* type) {
  problems_.add(place_of(node.source()), fmt::format("{} must be {}", key, type));
}

std::optional<std::string> Entries::any_text(const std::string& key, bool needed) {
  constexpr const char* type = "a quoted string";
  const toml::node* node = find(key, type, needed);
  if (!node) return std::nullopt;
  auto value = node->value_exact<std::string>();
  if (!value) wrong_type(*node, key, type);
  return value;
}

std::optional<std::string> Entries::text(const std::string& key, bool needed) {
  auto value = any_text(key, needed);
  if (!value || !value->empty()) return value;
  problem(key, fmt::format("{} is empty", key));
  return std::nullopt;
}

std::optional<double> Entries::number(const std::string& key, bool needed) {
  constexpr const char* type = "a number";
  const toml::node* node = find(key, type, needed);
  if (!node) return std::nullopt;
  const auto value = node->is_number() ? node->value<double>() : std::nullopt;
  if (value && std::isfinite(*value)) return value;
  wrong_type(*node, key, type);
  return std::nullopt;
}

std::optional<int> Entries::whole(const std::string& key, int least, int most) {
  const toml::node* node = find(key, "", false);
  if (!node) return std::nullopt;
  const auto value = node->value_exact<std::int64_t>();
  if (value && *value >= least && *value <= most) return static_cast<int>(*value);
  wrong_type(*node, key, fmt::format("an integer from {} to {}", least, most).c_str());
  return std::nullopt;
}

std::optional<bool> Entries::flag(const std::string& key) {
  constexpr const char* type = "true or false";
  const toml::node* node = find(key, type, false);
  if (!node) return std::nullopt;
  const auto value = node->value_exact<bool>();
  if (!value) wrong_type(*node, key, type);
  return value;
}

std::vector<std::string> Entries::texts(const std::string& key) {
  constexpr const char* type = "a list of quoted strings: [\"…\", \"…\"]";
  std::vector<std::string> all;
  const toml::node* node = find(key, type, false);
  if (!node) return all;
  if (!node->is_array()) wrong_type(*node, key, type);
  if (node->is_array())
    for (const toml::node& one : *node->as_array()) {
      const auto value = one.value_exact<std::string>();
      if (!value) {
        wrong_type(one, key, type);
      } else if (std::find(all.begin(), all.end(), *value) != all.end()) {
        problems_.add(place_of(one.source()), fmt::format("{} has '{}' twice", key, *value));
      } else {
        all.push_back(*value);
      }
    }
  return all;
}

std::optional<toml::date_time> Entries::date_time(const std::string& key, bool needed) {
  constexpr const char* type = "a time without quotes: 2027-02-14T23:59";
  const toml::node* node = find(key, type, needed);
  if (!node) return std::nullopt;
  const auto value = node->value_exact<toml::date_time>();
  if (!value) wrong_type(*node, key, type);
  return value;
}

std::optional<std::string> Entries::word(const std::string& key, const std::vector<std::string>& words) {
  auto value = text(key);
  if (!value || std::find(words.begin(), words.end(), *value) != words.end()) return value;
  problem(key, unknown(key, *value, words));
  return std::nullopt;
}

double Entries::points(const std::string& key) {
  const auto value = number(key, true);
  if (value && !(*value > 0 && *value <= 10000)) problem(key, fmt::format("{} {}: more than 0", key, *value));
  return value.value_or(0);
}

std::optional<Entries> Entries::table(const std::string& key) {
  constexpr const char* type = "a table: { … }";
  const toml::node* node = find(key, type, false);
  if (!node) return std::nullopt;
  const toml::table* defaults = defaults_ ? defaults_->get_as<toml::table>(key) : nullptr;
  if (node->is_table())
    return Entries(*node->as_table(), name_.empty() ? "[" + key + "]" : key, problems_,
                   defaults == node ? nullptr : defaults);
  wrong_type(*node, key, type);
  return std::nullopt;
}

std::vector<Entries> Entries::tables(const std::string& key, bool needed, const toml::table* defaults) {
  const std::string type =
      name_.empty() ? "given as [[" + key + "]] for each" : "a list of tables: [{ … }, { … }]";
  std::vector<Entries> all;
  const toml::node* node = find(key, type.c_str(), needed);
  if (!node) return all;
  const bool fits = node->is_array() && node->as_array()->is_homogeneous(toml::node_type::table);
  if (!fits) wrong_type(*node, key, type.c_str());
  if (fits)
    for (const toml::node& one : *node->as_array())
      all.emplace_back(*one.as_table(), name_.empty() ? "[[" + key + "]]" : key, problems_, defaults);
  return all;
}

std::vector<std::pair<std::string, Place>> Entries::keys(const std::string& key) {
  std::vector<std::pair<std::string, Place>> all;
  if (const toml::table* table = table_.get_as<toml::table>(key))
    for (const auto& [name, value] : *table)
      all.emplace_back(std::string(name.str()), place_of(name.source()));
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return std::pair(a.second.line, a.second.column) < std::pair(b.second.line, b.second.column);
  });
  return all;
}

void Entries::finish() {
  for (const auto& [key, value] : table_) {
    const std::string name(key.str());
    if (read_.contains(name)) continue;
    problems_.add(place_of(key.source()),
                  (name_.empty() ? "" : name_ + ": ") + unknown("entry", name, {read_.begin(), read_.end()}));
  }
}

toml::table parse_toml(const std::filesystem::path& file, const std::string& shown) {
  try {
    return toml::parse_file(file.string());
  } catch (const toml::parse_error& error) {
    const Place place = place_of(error.source());
    throw Error(fmt::format("{}:{}:{}: {}", shown, place.line, place.column, error.description()));
  }
}

}  // namespace ladder
