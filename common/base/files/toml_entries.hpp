#pragma once
/// @file
/// Entries of a TOML file, each read once: what is of another type, missing, or read by nobody is a problem
/// with its place.

#define TOML_ENABLE_UNRELEASED_FEATURES 1  // times without seconds: 2027-02-14T23:59
#define TOML_HEADER_ONLY 1
#include <toml++/toml.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/base/files/place.hpp"

namespace ladder {

/// What is wrong with a file.
class Problems {
 public:
  void add(Place place, const std::string& what) { all_.push_back({place, what}); }
  /// Runs what reads a value. An Error becomes a problem of that place. @return whether there was none
  bool attempt(Place place, const std::function<void()>& read);
  /// A line each, in the order of the file.
  std::vector<std::string> lines(const std::string& file) const;
  bool empty() const { return all_.empty(); }

 private:
  struct One {
    Place place;
    std::string what;
  };
  std::vector<One> all_{};
};

inline Place place_of(const toml::source_region& region) {
  return {static_cast<int>(region.begin.line), static_cast<int>(region.begin.column)};
}

/// A table of the file.
class Entries {
 public:
  /// @param name      as messages call it: "[late]"; empty for the whole file
  /// @param defaults  has what the table itself does not; null: nothing
  Entries(const toml::table& table, std::string name, Problems& problems,
          const toml::table* defaults = nullptr)
      : table_(table), name_(std::move(name)), problems_(problems), defaults_(defaults) {}

  /// Entries by their keys. None that is there: nothing, or the problem that it is missing.
  std::optional<std::string> text(const std::string& key, bool needed = false);
  std::optional<double> number(const std::string& key, bool needed = false);
  std::optional<int> whole(const std::string& key, int least, int most);
  std::optional<bool> flag(const std::string& key);
  std::vector<std::string> texts(const std::string& key);
  std::optional<toml::date_time> date_time(const std::string& key, bool needed = false);
  /// A text that may be empty.
  std::optional<std::string> any_text(const std::string& key, bool needed = false);
  /// One of these words.
  std::optional<std::string> word(const std::string& key, const std::vector<std::string>& words);
  /// More than 0 points.
  double points(const std::string& key);
  std::optional<Entries> table(const std::string& key);
  /// The tables of an array. @param defaults  of each of them
  std::vector<Entries> tables(const std::string& key, bool needed = false,
                              const toml::table* defaults = nullptr);
  /// Keys and numbers of a table, in the order of the file.
  std::vector<std::pair<std::string, Place>> keys(const std::string& key);

  /// Where an entry's value stands; the table's place when it is not there.
  Place place(const std::string& key) const;
  Place place() const { return place_of(table_.source()); }
  bool has(const std::string& key) const { return get(key) != nullptr; }
  bool is_text(const std::string& key) const { return get(key) && get(key)->is_string(); }
  bool is_flag(const std::string& key) const { return get(key) && get(key)->is_boolean(); }
  void problem(const std::string& key, const std::string& what) { problems_.add(place(key), what); }
  bool attempt(const std::string& key, const std::function<void()>& read) {
    return problems_.attempt(place(key), read);
  }
  /// Names what nobody has read: call it last.
  void finish();

 private:
  const toml::node* get(const std::string& key) const;
  const toml::node* find(const std::string& key, const char* type, bool needed);
  void wrong_type(const toml::node& node, const std::string& key, const char* type);
  const toml::table& table_;
  std::string name_;
  Problems& problems_;
  const toml::table* defaults_ = nullptr;
  std::set<std::string> read_{};
};

/// A TOML file. @param shown what messages call it @throws Error with its line and column where it is no TOML
toml::table parse_toml(const std::filesystem::path& file, const std::string& shown);

}  // namespace ladder
