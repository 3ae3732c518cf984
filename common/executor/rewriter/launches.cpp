#include "common/executor/rewriter/launches.hpp"

#include "common/executor/rewriter/callee.hpp"
#include "common/executor/rewriter/kernels.hpp"

namespace ladder::rewriter {
namespace {

constexpr const char* site = "::ladder::executor::Site{__FILE__, __LINE__}";
constexpr const char* configure = "::ladder::executor::configure(";

/// Whether >>> is at `at` and ends a launch's configuration there.
bool closes_configuration(const Source& source, int at, bool spaced) {
  for (int i = at; i < at + 3; ++i)
    if (source[i] != ">" || !source.same_directive(i, at)) return false;
  if (!spaced && !(source.adjacent(at) && source.adjacent(at + 1))) return false;
  const int next = at + 3;
  // What macros hold of a launch may end here; the arguments may be a macro, too.
  return source[next] == "(" || source.is_identifier(next) || !source.same_directive(next, at);
}

/// Position of the first > of the >>> that belongs to the <<< at `at`. Of several, the first that does not
/// stand where template arguments are open.
int configuration_end(const Source& source, int at, bool spaced) {
  int commas = 0, first = -1, templates = 0;
  for (int i = at + 1 + spaced; i < source.size(); ++i) {
    const std::string_view t = source[i];
    if (source.opens_bracket(i)) {
      i = source.closing(i);
    } else if (t == ")" || t == "]" || t == "}" || t == ";" || t == "<<<") {
      break;
    } else if (t == ",") {
      ++commas;
    } else if (t == "<" && source.is_identifier(i - 1)) {
      ++templates;
    } else if (t == ">") {
      if (closes_configuration(source, i, spaced) && first < 0) first = i;
      if (closes_configuration(source, i, spaced) && templates == 0) {
        first = i;
        break;
      }
      if (templates > 0) --templates;
    }
  }
  if (first < 0) source.fail(at, "no '>>>' followed by '(' for this '<<<'");
  // In a macro all parts may be one parameter.
  if (commas == 0 && !source.in_directive(at)) source.fail(at, "a launch needs at least <<<grid, block>>>");
  return first;
}

/// 0 and NULL as arguments are integers to a template; the kernel may want pointers.
void null_pointers(Source& source, const Kernels& kernels, const std::string& kernel, int open) {
  const auto known = kernels.by_name.find(kernel.substr(0, kernel.find('<')));
  const int close = source.closing(open);
  std::size_t number = 0;
  for (int begin = open + 1, i = open + 1; i <= close; ++i) {
    const std::string_view t = source[i];
    if (source.opens_bracket(i) && i != close) i = source.closing(i);
    if (t != "," && i != close) continue;
    const bool alone = i == begin + 1;
    const bool pointer = known != kernels.by_name.end() && number < known->second.pointers.size() &&
                         known->second.pointers[number];
    if (alone && (source[begin] == "NULL" || (source[begin] == "0" && pointer)))
      source.replace(begin, "nullptr");
    begin = i + 1;
    ++number;
  }
}

/// Whether a `using` of the source makes the kernel known: its own, or that of the namespace that it is in.
bool is_used(const Source& source, std::string_view scope, std::string_view kernel) {
  for (int i = 0; i < source.size(); ++i) {
    if (source[i] != "using") continue;
    int last = i + 1;
    while (source[last + 1] == "::" || source.is_identifier(last + 1)) ++last;
    if (source[last] == (source[i + 1] == "namespace" ? scope : kernel)) return true;
  }
  return false;
}

/// Whether the name must be in a call: to look it up by its arguments, or for its default arguments.
bool needs_call(const Source& source, const Scopes& scopes, const Kernels& kernels, const Callee& callee) {
  int name = callee.end - 1;
  if (source[name] == ">") name = source.opening(name) - 1;
  const auto known = kernels.by_name.find(std::string(source[name]));
  if (known == kernels.by_name.end()) return false;
  const std::string& scope = known->second.scope;
  const bool by_arguments = name == callee.begin && !scope.empty() && !scopes.inside(scope) &&
                            !is_used(source, scope, known->first);
  return known->second.defaults || by_arguments;
}

/// `#define CONFIGURATION <<<grid, block>>>`
void define_configuration(Source& source, Kernels& kernels, int at) {
  if (!source.in_directive(at) || source.definition_begin(at) != at)
    source.fail(at, "no kernel name in front of '<<<'");
  int first = at;
  while (source.same_directive(first - 1, at)) --first;
  const bool spaced = source[at] == "<<";
  const int end = configuration_end(source, at, spaced);
  kernels.configurations[std::string(source[first + 2])] = at > first + 3;
  source.replace(at, configure);
  if (spaced) source.replace(at + 1, "");
  source.replace(end, ")");
  source.replace(end + 1, "");
  source.replace(end + 2, "");
}

/// Puts the call in front of the callee. @return its end, up to the configuration
std::string open_call(Source& source, const DeviceCode& device, const Callee& callee, bool call_only) {
  const std::string refused =
      device.side(callee.begin) == Side::device ? " ::ladder::executor::missing_dynamic_parallelism()," : "";
  // The blank in front keeps `case 0:kernel<<<` from becoming `:::`.
  std::string text = refused + " ::ladder::executor::launcher(" + site + ", ";
  if (callee.name) text += call_only ? "LADDER_EXECUTOR_CALLED(" : "LADDER_EXECUTOR_NAMED(";
  if (callee.name && source[callee.begin - 1] == "(" && source[callee.end] == ")") {
    source.replace(callee.begin - 1, "");
    source.replace(callee.end, "");
  }
  source.insert(callee.begin, text);
  return callee.name ? "), " : ", ";
}

}  // namespace

bool opens_launch(const Source& source, const Kernels& kernels, int at) {
  if (source[at] == "<<<") return source[at - 1] != "operator";
  if (source[at] == "<<" && source[at + 1] == "<") return source[at - 1] != "operator";
  if (!source.is_identifier(at)) return false;
  const auto macro = kernels.configurations.find(std::string(source[at]));
  if (macro == kernels.configurations.end()) return false;
  if (source.in_directive(at) && source.definition_begin(at) > at) return false;  // where it is defined
  return !macro->second || source[at + 1] == "(";
}

void rewrite_launch(Source& source, const DeviceCode& device, const Scopes& scopes, Kernels& kernels,
                    int at) {
  const Callee callee = callee_of(source, at);
  const bool macro = source.is_identifier(at), spaced = source[at] == "<<";
  if (callee.begin == callee.end) {
    if (!macro) define_configuration(source, kernels, at);
    return;
  }
  const std::string name = callee.name ? source.text(callee.begin, callee.end - 1) : "";
  const std::string middle =
      open_call(source, device, callee, callee.name && needs_call(source, scopes, kernels, callee));
  int last = at;  // of the configuration
  if (macro) {
    source.insert(at, middle);
    if (source[at + 1] == "(" && kernels.configurations.at(std::string(source[at])))
      last = source.closing(at + 1);
  } else {
    source.replace(at, middle + configure);
    if (spaced) source.replace(at + 1, "");
    last = configuration_end(source, at, spaced) + 2;
    source.replace(last - 2, ")");
    source.replace(last - 1, "");
    source.replace(last, "");
  }
  const bool arguments = source[last + 1] == "(" && source.same_directive(last + 1, last);
  source.replace(last, (macro ? std::string(source[last]) : "") + (arguments ? ").launch" : ")"));
  if (arguments) null_pointers(source, kernels, name, last + 1);
}

}  // namespace ladder::rewriter
