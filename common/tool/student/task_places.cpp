#include "common/tool/student/task_places.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <regex>
#include <set>

#include "common/base/text/text.hpp"
#include "common/skeleton/region_marks.hpp"

namespace ladder {
namespace {

using Lines = std::vector<std::string>;

/// The name of the function whose head that is; empty: it is none.
std::string name_in(const std::string& head) {
  static const std::regex type("\\b(struct|class|enum|union)\\b[^()]*$|=\\s*$"),
      call("([A-Za-z_]\\w*)\\s*\\(");
  static const std::set<std::string> no_names = {
      "__launch_bounds__",    "__attribute__",       "alignas", "decltype", "requires", "noexcept",
      "reqd_work_group_size", "work_group_size_hint"};
  if (std::regex_search(head, type)) return "";
  for (std::sregex_iterator one(head.begin(), head.end(), call), end; one != end; ++one)
    if (!no_names.contains((*one)[1])) return (*one)[1];
  return "";
}

/// Follows braces, line by line. A raw text is read as code: the kernels of an OpenCL program.
class FunctionReader {
 public:
  void read(const std::string& line, std::size_t number) {
    if (trim(line).starts_with("#")) return;
    for (std::size_t at = 0; at < line.size(); ++at) {
      if (line.compare(at, 2, "//") == 0) break;
      const char c = line[at];
      const bool separator = c == '\'' && at > 0 && std::isdigit(static_cast<unsigned char>(line[at - 1]));
      if ((c == '"' || c == '\'') && !separator) {
        at = end_of_text(line, at);
      } else if (c == '{') {
        open(number);
      } else if (c == '}') {
        close(number);
      } else if (c == ';' && outside()) {
        head_.clear();
      } else if (outside()) {
        head_ += c;
      }
    }
    head_ += ' ';
  }
  std::vector<DefinedFunction> functions;

 private:
  bool outside() const { return depth_ == 0; }

  /// The last character of the text that begins there.
  std::size_t end_of_text(const std::string& line, std::size_t at) {
    if (in_raw_) {
      in_raw_ = false;
      return at;
    }
    if (at > 0 && line[at - 1] == 'R' && line[at] == '"') {
      in_raw_ = true;
      head_.clear();
      return std::min(line.find('(', at), line.size());
    }
    std::size_t end = at + 1;
    while (end < line.size() && line[end] != line[at]) end += line[end] == '\\' ? 2 : 1;
    return end;
  }

  void open(std::size_t number) {
    if (!outside()) return void(++depth_);
    static const std::regex space("\\bnamespace\\b|\\bextern\\s*$");
    const bool transparent = std::regex_search(head_, space);
    if (!transparent) {
      depth_ = 1;
      const std::string name = name_in(head_);
      if (in_function_ = !name.empty(); in_function_) functions.push_back({name, number, number});
    }
    head_.clear();
  }

  void close(std::size_t number) {
    head_.clear();
    if (depth_ == 0) return;  // a namespace ends
    if (--depth_ == 0 && in_function_) {
      functions.back().last = number;
      in_function_ = false;
    }
  }

  std::string head_;  // since the last ; or brace
  int depth_ = 0;     // of braces in a function or a type
  bool in_raw_ = false, in_function_ = false;
};

std::string code_of(const std::string& line) {
  return std::string(trim(line));
}

/// Behind which line of the function a task belongs.
std::size_t place_of(const SkeletonTask& task, const DefinedFunction& function, const Lines& source) {
  for (const std::string& wanted : task.in_front) {
    std::size_t found = 0, times = 0;
    for (std::size_t i = function.first + 1; i < function.last; ++i)
      if (code_of(source[i]) == wanted) found = i, ++times;
    if (times == 1) return found;
  }
  return function.first;
}

}  // namespace

std::vector<DefinedFunction> defined_functions(const Lines& lines) {
  FunctionReader reader;
  for (std::size_t i = 0; i < lines.size(); ++i) reader.read(lines[i], i);
  return reader.functions;
}

std::vector<SkeletonTask> skeleton_tasks(const Lines& skeleton) {
  const std::vector<DefinedFunction> functions = defined_functions(skeleton);
  std::vector<SkeletonTask> tasks;
  bool inside = false;
  for (std::size_t i = 0; i < skeleton.size(); ++i) {
    const cut::Parts parts(skeleton[i]);
    const bool begins = parts.rest.starts_with(cut::task_mark);
    inside = begins || (inside && parts.rest.starts_with("//  "));
    if (begins) {
      SkeletonTask task;
      for (const DefinedFunction& one : functions) {
        if (i <= one.first || i >= one.last) continue;
        task.function = one.name;
        for (std::size_t before = i; --before > one.first;)
          if (const std::string code = code_of(skeleton[before]); code.size() > 1 && !code.starts_with("//"))
            task.in_front.push_back(code);
      }
      tasks.push_back(std::move(task));
    }
    if (inside) tasks.back().lines.push_back(skeleton[i]);
  }
  return tasks;
}

std::vector<SkeletonTask> put_tasks(const std::vector<SkeletonTask>& tasks, Lines& source) {
  std::vector<SkeletonTask> left;
  std::map<std::size_t, Lines> behind;  // a line
  const std::vector<DefinedFunction> functions = defined_functions(source);
  std::size_t last = 0;  // tasks stay in their order
  for (const SkeletonTask& task : tasks) {
    const auto function = std::ranges::find(functions, task.function, &DefinedFunction::name);
    if (task.function.empty() || function == functions.end() || function->first == function->last) {
      left.push_back(task);
      continue;
    }
    std::size_t place = place_of(task, *function, source);
    if (last > place && last < function->last) place = last;
    last = place;
    Lines& here = behind[place];
    here.insert(here.end(), task.lines.begin(), task.lines.end());
  }
  Lines out;
  for (std::size_t i = 0; i < source.size(); ++i) {
    out.push_back(source[i]);
    if (const auto found = behind.find(i); found != behind.end())
      out.insert(out.end(), found->second.begin(), found->second.end());
  }
  source = std::move(out);
  return left;
}

}  // namespace ladder
