#pragma once
/// @file
/// Names of kernels as their source has them.

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

namespace ladder {

/// In a program of several mutants each is in a namespace of its own, "ladder_mutant_007"
/// (common/skeleton/mutant_unit.hpp). Names do not show it.
inline constexpr std::string_view mutant_space = "ladder_mutant_";
inline constexpr std::size_t mutant_digits = 3;

/// @return "dgemm::multiply" of "ladder_mutant_007::dgemm::multiply", wherever that occurs in the text
inline std::string without_mutant_space(std::string text) {
  for (std::size_t at = 0; (at = text.find(mutant_space, at)) != std::string::npos;) {
    const std::size_t end = at + mutant_space.size() + mutant_digits;
    if (end < text.size() && text.compare(end, 2, "::") == 0)
      text.erase(at, end + 2 - at);
    else
      ++at;
  }
  return text;
}

/// @return the demangled name; the name itself when it is not mangled
inline std::string demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 && text ? without_mutant_space(text.get()) : name;
}

/// @return "space::kernel<32>" of "void space::(anonymous namespace)::kernel<32>(int, double*)"
inline std::string without_parameters(std::string name) {
  if (name.starts_with("void ")) name.erase(0, 5);
  constexpr std::string_view anonymous = "(anonymous namespace)::";
  for (std::size_t at; (at = name.find(anonymous)) != std::string::npos;) name.erase(at, anonymous.size());
  int depth = 0;  // of template arguments: "kernel<(Mode)1>" has a parenthesis there
  for (std::size_t at = 0; at < name.size(); ++at) {
    if (name[at] == '<') ++depth;
    if (name[at] == '>') --depth;
    if (name[at] == '(' && depth == 0) return name.substr(0, at);
  }
  return name;
}

/// @return "space::kernel<32>" of a mangled name: without result, parameters and unnamed namespaces
inline std::string kernel_name(const std::string& mangled) {
  return without_parameters(demangled(mangled));
}

}  // namespace ladder
