#include "common/tool/build/lint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "common/base/files/files.hpp"
#include "common/base/text/text.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

/// An error of clang's with the notes that follow it.
struct Diagnostic {
  std::string file, line, text, column;
  struct Note {
    std::string file, text;
  };
  std::vector<Note> notes;
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Splits "file:line:column: error: text".
bool split(const std::string& line, const std::string& mark, Diagnostic& found) {
  const auto at = line.find(mark);
  if (at == std::string::npos) return false;
  std::string place = line.substr(0, at);
  const auto column = place.rfind(':');
  const auto number = column == std::string::npos || column == 0 ? column : place.rfind(':', column - 1);
  if (number == std::string::npos) return false;
  found = {place.substr(0, number),
           place.substr(number + 1, column - number - 1),
           line.substr(at + mark.size()),
           place.substr(column + 1),
           {}};
  return true;
}

std::vector<Diagnostic> diagnostics(const std::string& output) {
  std::vector<Diagnostic> all;
  for (const std::string& line : lines_of(output)) {
    Diagnostic found;
    if (split(line, ": error: ", found))
      all.push_back(found);
    else if (split(line, ": note: ", found) && !all.empty())
      all.back().notes.push_back({found.file, found.text});
  }
  return all;
}

/// The name between the first quotes: 'size'.
std::string quoted_name(const std::string& text) {
  const auto begin = text.find('\''), end = begin == std::string::npos ? begin : text.find('\'', begin + 1);
  return end == std::string::npos ? "" : text.substr(begin + 1, end - begin - 1);
}

/// Which class of the C++ library a header is about: clang names the function alone.
std::string library_class(const std::string& header) {
  static constexpr std::pair<const char*, const char*> classes[] = {
      {"stl_vector.h", "std::vector<…>"},  {"vector.tcc", "std::vector<…>"},
      {"basic_string.", "std::string"},    {"stl_map.h", "std::map<…>"},
      {"stl_set.h", "std::set<…>"},        {"stl_deque.h", "std::deque"},
      {"stl_list.h", "std::list"},         {"unordered_map.h", "std::unordered_map"},
      {"std_function.h", "std::function"}, {"unique_ptr.h", "std::unique_ptr"},
      {"shared_ptr.h", "std::shared_ptr"}, {"ostream", "std::ostream"},
      {"/random", "std::random"}};
  for (const auto& [part, name] : classes)
    if (contains(header, part)) return name;
  return "";
}

/// What is called: "helper()", "std::vector<…>::size()", "the constructor of std::string".
std::string callee(const Diagnostic& d) {
  const std::string name = quoted_name(d.text);
  if (contains(d.text, "matching constructor")) return "the constructor of " + name;
  if (contains(d.text, "viable conversion"))
    return "the constructor of " + quoted_name(d.text.substr(d.text.find(" to '")));
  if (const auto at = d.text.find("overloaded operator"); at != std::string::npos)
    return name + "::" + d.text.substr(at + 11, d.text.find(' ', at + 11) - at - 11) + "()";
  // Of a free function the notes are its overloads, in whichever headers: swap() has one for each class.
  if (contains(d.text, "no matching function for call")) return name + "()";
  for (const Diagnostic::Note& note : d.notes)
    if (const std::string in = library_class(note.file); !in.empty()) return in + "::" + name + "()";
  return name + "()";
}

/// Whether what is called or used is declared in the C++ library, or the C library of the host.
bool of_library(const Diagnostic& d) {
  return std::any_of(d.notes.begin(), d.notes.end(), [](auto& n) {
    return contains(n.file, "/include/c++/") || n.file.starts_with("/usr/include/");
  });
}

/// What to do instead of using something that only the host has.
std::string instead_of(const Diagnostic& d, const std::string& of_the_students) {
  std::string name = quoted_name(d.text);
  if (name.starts_with("std::")) name.erase(0, 5);
  name.erase(std::min(name.find('<'), name.size()));  // vector<int>
  if (const std::string known = instead_in_kernels(name); !known.empty()) return known;
  if (!of_library(d)) return of_the_students;
  for (const Diagnostic::Note& note : d.notes)  // operator<< says nothing; its header does
    for (const auto& [header, like] : {std::pair{"ostream", "cout"},
                                       {"istream", "cin"},
                                       {"/random", "mt19937"},
                                       {"chrono", "chrono"},
                                       {"stl_", "vector"},
                                       {"/bits/", "vector"}})
      if (contains(note.file, "/include/c++/") && contains(note.file, header))
        return instead_in_kernels(like);
  return "it is a function of the host's library, to which nobody can add __device__: a kernel has printf, "
         "malloc, free, memcpy, memset, assert and the functions of math.h";
}

bool is_ours(const std::string& file) {
  return contains(file, "/executor/include/") || contains(file, "/executor/lint/") ||
         contains(file, "common/device/");
}

/// Functions that only a device has; the other ones in our headers may be called from both sides.
bool is_for_devices_only(const std::string& file) {
  for (const char* header :
       {"executor/threads.h", "executor/warp.h", "executor/atomics.h", "cooperative_groups.h"})
    if (contains(file, header)) return true;
  return false;
}

enum class Rule { none, host_function, device_function, device_address, host_variable, initialiser, other };

/// The side of the candidates that could not be called. Another one of our own headers may just lack its
/// side.
Rule rule_of_call(const Diagnostic& d) {
  for (const Diagnostic::Note& note : d.notes) {
    if (contains(note.text, "call to __host__ function from"))
      return is_ours(note.file) ? Rule::none : Rule::host_function;
    if (contains(note.text, "call to __device__ function from"))
      return is_ours(note.file) && !is_for_devices_only(note.file) ? Rule::none : Rule::device_function;
  }
  return Rule::none;
}

/// "reference to __host__ function 'size' in __global__ function", the declaration in a note
Rule rule_of_reference(const Diagnostic& d) {
  const bool ours = std::any_of(d.notes.begin(), d.notes.end(), [](auto& n) { return is_ours(n.file); });
  if (ours) return Rule::none;
  if (contains(d.text, "reference to __host__ variable")) return Rule::host_variable;
  if (contains(d.text, "reference to __host__ function")) return Rule::host_function;
  if (contains(d.text, "reference to __device__ function")) return Rule::device_address;
  return Rule::none;
}

Rule rule_of(const Diagnostic& d) {
  if (contains(d.text, "no matching ") || contains(d.text, "no viable ") ||
      contains(d.text, "call to deleted"))
    return rule_of_call(d);
  if (contains(d.text, "reference to __")) return rule_of_reference(d);
  if (contains(d.text, "initialization is not supported for __")) return Rule::initialiser;
  for (const char* text : {"must have void return type", "cannot use 'throw'", "cannot use 'try'",
                           "is not allowed on a", "may not be __", "attributes are not compatible"})
    if (contains(d.text, text)) return Rule::other;
  return Rule::none;
}

/// @return text and hint; an empty text when it is no violation
std::pair<std::string, std::string> explained(const Diagnostic& d) {
  const bool from_kernel = !contains(d.text, "in __host__ __device__");
  const std::string who = from_kernel ? "a kernel" : "a function for host and device";
  switch (rule_of(d)) {
    case Rule::host_function:
      return {fmt::format("{} is a host function: {} cannot call it", callee(d), who),
              instead_of(d, "is __device__ missing in front of it?")};
    case Rule::device_function:
      return {fmt::format("{} is a device function: the host cannot call it", callee(d)),
              "only kernels and other __device__ functions can"};
    case Rule::device_address:
      return {
          fmt::format("{}() is a device function: the host can neither call it nor take its address",
                      quoted_name(d.text)),
          "a kernel would jump to an address of the host. Copy the pointer from a __device__ variable that "
          "holds it (cudaMemcpyFromSymbol), or make the function a template argument of the kernel"};
    case Rule::host_variable:
      return {fmt::format("{} is a variable of the host: {} cannot use it", quoted_name(d.text), who),
              instead_of(d, "pass it as an argument, or make it constexpr, __constant__ or __device__")};
    case Rule::initialiser:
      return {
          contains(d.text, "__shared__") && !contains(d.text, "dynamic")
              ? "a __shared__ variable cannot be initialised where it is declared"
              : "this variable cannot be initialised by a call: its value must be known when it is compiled",
          "let a thread set it, and the others wait for that"};
    case Rule::other:
      return {d.text, ""};
    case Rule::none:
      return {};
  }
  return {};
}

}  // namespace

bool lint_crashed(const std::string& output) {
  return contains(output, "lint.sh: clang crashed on the ");
}

std::vector<BuildFailure> lint_errors(const std::string& output, const fs::path& root, const fs::path& from) {
  std::vector<BuildFailure> errors;
  for (const Diagnostic& d : diagnostics(output)) {
    const std::string file = fs::absolute(from / d.file).lexically_normal().string();
    if (is_ours(file) || file.rfind("/usr/", 0) == 0 || contains(file, "/lib/clang/")) continue;
    const auto [text, hint] = explained(d);
    if (text.empty()) continue;
    const std::string where = path_in(root, file) + ":" + d.line;
    if (std::none_of(errors.begin(), errors.end(),
                     [&, &text = text](auto& e) { return e.where == where && e.text == text; }))
      errors.push_back({where, text, hint, output, std::atoi(d.column.c_str())});
  }
  return errors;
}

}  // namespace ladder
