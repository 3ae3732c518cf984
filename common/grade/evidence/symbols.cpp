#include "common/grade/evidence/symbols.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <string_view>

#include "common/grade/evidence/known_names.hpp"

namespace ladder::grade {
namespace {

/// A function or variable of the harness, also one that only some workers have. Templates and inline
/// functions of our headers are weak in a step.
bool is_ours(const std::string& name) {
  return name.starts_with("ladder_") || name.starts_with("_ZN6ladder") || name.starts_with("_ZNK6ladder");
}

/// The name without the version that shared libraries add.
std::string bare(const std::string& name) {
  return name.substr(0, name.find('@'));
}

/// Takes a decimal length and that many characters from the front of a mangled name; empty: there is none.
std::string_view take_identifier(std::string_view& mangled) {
  std::size_t length = 0, digits = 0;
  for (; digits < mangled.size() && digits < 6 && std::isdigit(static_cast<unsigned char>(mangled[digits]));
       ++digits)
    length = 10 * length + static_cast<std::size_t>(mangled[digits] - '0');
  if (digits == 0 || digits + length > mangled.size()) return {};
  const std::string_view identifier = mangled.substr(digits, length);
  mangled.remove_prefix(digits + length);
  return identifier;
}

/// "ladder", "executor", "block_barrier" of a mangled C++ name, up to its first template argument; nothing of
/// another name.
std::vector<std::string_view> identifiers_of(std::string_view mangled) {
  if (!mangled.starts_with("_Z")) return {};
  mangled.remove_prefix(2);
  for (std::string_view kind : {"TI", "TS", "TV", "TT", "TH", "TW", "GV", "Z"})
    if (mangled.starts_with(kind)) {
      mangled.remove_prefix(kind.size());
      break;
    }
  const bool nested = mangled.starts_with('N');
  if (nested) mangled.remove_prefix(1);
  while (!mangled.empty() && std::string_view("KVRO").find(mangled.front()) != std::string_view::npos)
    mangled.remove_prefix(1);
  std::vector<std::string_view> found;
  for (std::string_view one; !(one = take_identifier(mangled)).empty();) {
    found.push_back(one);
    if (!nested) break;
  }
  return found;
}

/// Whether the headers that steps include declare a name that no library has: of the harness, of the lesson,
/// or of CUDA's interface as the executor has it. By the name's identifiers, each of which must be a word of
/// the headers where it could be.
bool is_declared(const std::string& name, const std::vector<std::string_view>& identifiers,
                 const Surroundings& around) {
  const auto in = [](const std::set<std::string>& words) {
    return [&words](std::string_view one) { return words.contains(std::string(one)); };
  };
  if (name.starts_with("ladder_")) return in(around.executor_words)(name) || in(around.device_words)(name);
  const auto all = [&](const auto& is_known) {
    return !identifiers.empty() && std::all_of(identifiers.begin(), identifiers.end(), is_known);
  };
  if (identifiers.size() > 1 && identifiers[0] == "ladder")
    return all(in(identifiers[1] == "executor" ? around.executor_words : around.device_words));
  return all(
      [&](std::string_view one) { return in(around.executor_words)(one) || in(around.lesson_words)(one); });
}

/// Why a name that a step uses is for a person to look at; its `why` is empty for one that is harmless.
Suspicion look_at_use(const std::string& name, const Surroundings& around) {
  const Suspicion harmless{};
  const std::vector<std::string_view> identifiers = identifiers_of(name);
  const bool of_us = is_ours(name) || (!identifiers.empty() && identifiers.front() == "ladder");
  const bool declared = is_declared(name, identifiers, around);
  // cublasDgemm() of the executor is a function of C++, and does the work all the same.
  const std::string_view plain = identifiers.size() == 1 ? identifiers.front() : name;
  if (declared && !is_suspicious(plain)) return harmless;
  if (!of_us && is_harmless(name)) return harmless;  // also where the harness defines it: hooks, operator new
  if (!declared && (of_us || around.harness.contains(name)))
    return {name, "calls a part of the harness that no header for rungs declares", ""};
  Reason reason = reason_of(plain);
  if (around.linear_algebra.contains(name)) reason = reason_of("cblas_");
  return {name, std::string(reason.why), std::string(reason.honest)};
}

}  // namespace

void add_words(const std::string& text, std::set<std::string>& words) {
  const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (std::size_t i = 0; i < text.size();) {
    if (text.compare(i, 2, "//") == 0 || text.compare(i, 2, "/*") == 0) {
      const auto end = text.find(text[i + 1] == '/' ? "\n" : "*/", i + 2);
      i = end == text.npos ? text.size() : end + 1;
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && is_letter(text[end])) ++end;
    if (end > i && !std::isdigit(static_cast<unsigned char>(text[i]))) words.insert(text.substr(i, end - i));
    i = std::max(end, i + 1);
  }
}

Symbols symbols_from(const std::string& printed) {
  Symbols found;
  std::istringstream lines(printed);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name, type;
    if (!(words >> name >> type) || type.size() != 1) continue;
    const std::string_view kind = type;
    const auto is = [&](std::string_view kinds) { return kinds.find(kind) != kinds.npos; };
    if (is("Uwv")) found.used.insert(bare(name));
    if (is("Ti")) found.defined.insert(bare(name));
    if (is("W")) found.weak.insert(bare(name));
    if (is("ABCDGRS")) found.data.insert(bare(name));
  }
  return found;
}

std::vector<Suspicion> suspicions(const Symbols& step, const Surroundings& around,
                                  const std::set<std::string>& reference) {
  std::vector<Suspicion> all;
  const auto of_library = [&](const std::string& name) { return around.library.contains(name); };
  const auto look = [&](const std::set<std::string>& names, bool ours, const auto& theirs) {
    for (const std::string& name : names) {
      if (around.harness.contains(name) || (ours && is_ours(name)))
        all.push_back({name, "defines a name of the harness itself", ""});
      else if (theirs(name))
        all.push_back(
            {name, "defines a function of a library itself", "a helper of its own has that name by chance"});
    }
  };
  look(step.defined, true, of_library);
  look(step.weak, false,
       [&](const std::string& name) { return !name.starts_with("_Z") && of_library(name); });
  // A global variable may well be called like a function of the C library.
  look(step.data, true, [](const std::string&) { return false; });
  for (const std::string& name : step.used) {
    if (reference.contains(name)) continue;
    if (Suspicion one = look_at_use(name, around); !one.why.empty()) all.push_back(std::move(one));
  }
  return all;
}

}  // namespace ladder::grade
