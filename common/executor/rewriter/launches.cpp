#include "common/executor/rewriter/launches.hpp"

#include "common/executor/rewriter/kernels.hpp"

namespace ladder::rewriter {
namespace {

/// First token of `name`, `space::name`, `::name` or `name<...>` in front of the <<< at `at`.
int callee_begin(const Source& source, int at) {
  int name = at - 1;
  if (source[name] == ">") name = source.opening(name) - 1;
  if (name < 0 || !source.is_identifier(name)) source.fail(at, "no kernel name in front of '<<<'");
  while (source[name - 1] == "::") {
    --name;
    int before = name - 1;
    if (source[before] == ">" && source.opening(before) > 0) before = source.opening(before) - 1;
    if (!source.is_identifier(before) || is_statement_word(source[before])) break;
    name = before;
  }
  return name;
}

/// Position of the first > of the >>> that belongs to the <<< at `at`.
int configuration_end(const Source& source, int at, bool spaced) {
  int commas = 0;
  for (int i = at + 1 + spaced; i < source.size(); ++i) {
    const std::string_view t = source[i];
    if (source.opens_bracket(i))
      i = source.closing(i);
    else if (t == ")" || t == "]" || t == "}" || t == ";")
      break;
    else if (t == ",")
      ++commas;
    else if (t == ">" && source[i + 1] == ">" && source[i + 2] == ">" && source[i + 3] == "(" &&
             (spaced || (source.adjacent(i) && source.adjacent(i + 1)))) {
      if (commas == 0) source.fail(at, "a launch needs at least <<<grid, block>>>");
      return i;
    }
  }
  source.fail(at, "no '>>>' followed by '(' for this '<<<'");
}

/// 0 and NULL as arguments are integers to a template; the kernel may want pointers.
void null_pointers(Source& source, const Kernels& kernels, const std::string& kernel, int open) {
  const auto known = kernels.find(kernel.substr(0, kernel.find('<')));
  const int close = source.closing(open);
  std::size_t number = 0;
  for (int begin = open + 1, i = open + 1; i <= close; ++i) {
    const std::string_view t = source[i];
    if (source.opens_bracket(i) && i != close) i = source.closing(i);
    if (t != "," && i != close) continue;
    const bool alone = i == begin + 1;
    const bool pointer = known != kernels.end() && number < known->second.size() && known->second[number];
    if (alone && (source[begin] == "NULL" || (source[begin] == "0" && pointer)))
      source.replace(begin, "nullptr");
    begin = i + 1;
    ++number;
  }
}

/// Whether a name is that of a variable which points to a kernel: `auto name = …`, `void (*name)(…)`.
bool is_variable(const Source& source, std::string_view name) {
  for (int i = 1; i < source.size(); ++i)
    if (source[i] == name && (source[i - 1] == "auto" || (source[i - 1] == "*" && source[i + 1] == ")")))
      return true;
  return false;
}

}  // namespace

bool opens_launch(const Source& source, int at) {
  if (source[at] == "<<<") return source[at - 1] != "operator";
  return source[at] == "<<" && source[at + 1] == "<" && source[at - 1] != "operator";
}

void rewrite_launch(Source& source, const DeviceCode& device, const Kernels& kernels, int at) {
  const bool spaced = source[at] == "<<";
  const int callee = callee_begin(source, at);
  const int end = configuration_end(source, at, spaced);
  const int arguments = end + 3;
  const bool no_arguments = source.closing(arguments) == arguments + 1;
  const std::string name = source.text(callee, at - 1);
  // The blank in front keeps `case 0:kernel<<<` from becoming `:::`.
  null_pointers(source, kernels, name, arguments);
  if (spaced) source.replace(at + 1, "");
  const std::string refused =
      device.side(at) == Side::device ? " ::ladder::executor::missing_dynamic_parallelism()," : "";
  const std::string called = is_variable(source, name)
                                 ? "::ladder::executor::name_of(reinterpret_cast<const void*>(" + name + "))"
                                 : "\"" + escaped(name) + "\"";
  const std::string call =
      refused + " ::ladder::executor::launch(" + called +
      ", ::ladder::executor::Site{__FILE__, __LINE__}, [=](auto... executor_arguments) { " + name +
      "(executor_arguments...); }, ::ladder::executor::configure(";
  source.drop(callee, at);
  source.replace(callee, call + std::string(source[callee]));
  source.replace(end, ")");
  source.replace(end + 1, "");
  source.replace(end + 2, "");
  source.replace(arguments, no_arguments ? "" : ",");
}

}  // namespace ladder::rewriter
