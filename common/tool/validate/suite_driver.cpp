#include "common/tool/validate/suite_driver.hpp"

#include <fmt/format.h>

#include <cctype>
#include <regex>
#include <sstream>

#include "common/base/text/text.hpp"
#include "common/skeleton/code_lines.hpp"

namespace ladder {
namespace {

/// "64", "8,8", "[8,8,1]" as the arguments of dim3; empty for anything else.
std::string dimensions(const std::string& text) {
  static const std::regex form(R"(\[?(\d+(,\d+){0,2})\]?)");
  std::smatch found;
  return std::regex_match(text, found, form) ? found[1].str() : "";
}

/// The end of what a '(' at this place opens; npos: it is never closed.
std::size_t after_parentheses(const std::string& source, std::size_t at) {
  int depth = 0;
  for (; at < source.size(); ++at) {
    depth += source[at] == '(' ? 1 : source[at] == ')' ? -1 : 0;
    if (depth == 0) return at + 1;
  }
  return std::string::npos;
}

/// The word that ends in front of this place.
std::string word_before(const std::string& source, std::size_t end) {
  while (end > 0 && std::isspace(static_cast<unsigned char>(source[end - 1]))) --end;
  std::size_t begin = end;
  while (begin > 0 &&
         (std::isalnum(static_cast<unsigned char>(source[begin - 1])) || source[begin - 1] == '_'))
    --begin;
  return source.substr(begin, end - begin);
}

/// Whether "template <…>" is in front of this place, and not "#include <…>".
bool follows_template(const std::string& source, std::size_t at) {
  const std::size_t before = at == 0 ? std::string::npos : source.find_last_not_of(" \t\r\n", at - 1);
  if (before == std::string::npos || source[before] != '>') return false;
  const std::size_t line = source.rfind('\n', before) + 1;  // npos + 1: the first line
  return source[source.find_first_not_of(" \t", line)] != '#';
}

/// The names of the kernels that are defined, in their order. Templates are left out: nobody says for which
/// types.
std::vector<std::string> kernels_of(const std::string& text) {
  const std::string source = cut::without_comments(text);
  std::vector<std::string> names;
  const std::string mark = "__global__";
  for (std::size_t at = 0; (at = source.find(mark, at)) != std::string::npos;) {
    const bool is_template = follows_template(source, at);
    at += mark.size();
    std::size_t open = source.find_first_of("({;", at);
    while (open != std::string::npos && source[open] == '(' &&
           word_before(source, open).rfind("__", 0) == 0) {
      const std::size_t closed =
          after_parentheses(source, open);  // __launch_bounds__(64), __attribute__((…))
      open = closed == std::string::npos ? closed : source.find_first_of("({;", closed);
    }
    if (open == std::string::npos || source[open] != '(') continue;
    const std::string name = word_before(source, open);
    const std::size_t closed = after_parentheses(source, open);
    const std::size_t body =
        closed == std::string::npos ? closed : source.find_first_not_of(" \t\r\n", closed);
    if (!is_template && body != std::string::npos && source[body] == '{') names.push_back(name);
  }
  return names;
}

// Arguments by their types: a pointer gets an array, a number a number, a structure zeros.
constexpr const char* driver = R"(
#include <cstdio>
#include <cstdlib>
#include <type_traits>
namespace driver {
constexpr std::size_t half = std::size_t(1) << 20;
template <class T> T argument(int pattern, int threads) {
  if constexpr (std::is_pointer_v<T>) {
    using P = std::remove_cv_t<std::remove_pointer_t<T>>;
    using E = std::conditional_t<std::is_void_v<P>, char, P>;
    static char bytes[2 * half];
    for (std::size_t i = 0; i < 2 * half; ++i) bytes[i] = 0;
    if constexpr (std::is_arithmetic_v<E>)
      if (pattern != 0)
        for (std::size_t i = 0; i < 2 * half / sizeof(E); ++i) reinterpret_cast<E*>(bytes)[i] = E(i % 64);
    char* array = nullptr;
    if (cudaMalloc(&array, 2 * half) != cudaSuccess) std::exit(3);
    if (cudaMemcpy(array, bytes, 2 * half, cudaMemcpyHostToDevice) != cudaSuccess) std::exit(3);
    return (T)(array + half);
  } else if constexpr (std::is_arithmetic_v<T>) {
    return pattern == 0 ? T(0) : pattern == 1 ? T(threads) : T(1);
  } else {
    return T{};
  }
}
template <class... T> void launch(void (*kernel)(T...), dim3 grid, dim3 block, int pattern) {
  const int threads = int(block.x * block.y * block.z);
  LAUNCH
  if (const cudaError_t error = cudaDeviceSynchronize(); error != cudaSuccess) {
    std::printf("%s\n", cudaGetErrorString(error));
    std::exit(3);
  }
}
}  // namespace driver
int main(int count, char** words) {
  const int pattern = count > 1 ? std::atoi(words[1]) : 0;
)";

constexpr const char* plain_launch =
    "kernel<<<grid, block>>>(argument<std::remove_cv_t<T>>(pattern, threads)...);";
/// Grids wait only where they were launched so.
constexpr const char* cooperative_launch =
    R"(std::tuple<std::remove_cv_t<T>...> all{argument<std::remove_cv_t<T>>(pattern, threads)...};
  std::apply([&](auto&... each) {
    void* arguments[] = {&each..., nullptr};
    cudaLaunchCooperativeKernel((const void*)kernel, grid, block, arguments, 0, 0);
  }, all);)";

}  // namespace

Driven add_driver(const std::string& source) {
  Driven made;
  std::istringstream head(source.substr(0, 4096));
  std::string block, grid;
  for (std::string line; std::getline(head, line) && line.rfind("//", 0) == 0;) {
    std::istringstream words(line.substr(2));
    for (std::string word; words >> word;) {
      if (word.rfind("--blockDim=", 0) == 0) block = dimensions(word.substr(11));
      if (word.rfind("--gridDim=", 0) == 0) grid = dimensions(word.substr(10));
      if (word.rfind("-D", 0) == 0 && word.size() > 2) made.flags.push_back(word);
    }
  }
  const std::vector<std::string> kernels = kernels_of(source);
  if (block.empty() || grid.empty()) made.problem = "its comment has no --blockDim and --gridDim";
  if (kernels.empty()) made.problem = "it defines no kernel";
  if (!made.problem.empty()) return made;
  const bool cooperative =
      source.find("grid_group") != std::string::npos || source.find("this_grid") != std::string::npos;
  std::string main = driver;
  replace_all(main, "LAUNCH", cooperative ? cooperative_launch : plain_launch);
  for (const std::string& kernel : kernels)
    main += fmt::format("  driver::launch({}, dim3({}), dim3({}), pattern);\n", kernel, grid, block);
  // Instead of the first line, which is a comment: the lines below keep their numbers.
  const std::size_t first = source.find('\n');
  made.source = "#include <cooperative_groups.h>" +
                source.substr(first == std::string::npos ? source.size() : first) + "\n#include <tuple>\n" +
                main + "}\n";
  return made;
}

}  // namespace ladder
