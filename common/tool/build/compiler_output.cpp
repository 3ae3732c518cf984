#include "common/tool/build/compiler_output.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string_view>

#include "common/base/files/files.hpp"
#include "common/base/text/text.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

/// A message and the place it is about.
struct Located {
  std::string file, line, text, column{};
};

/// Takes ":12" off the end of a text. @return whether there was one
bool take_number(std::string_view& text, std::string& number) {
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos || colon + 1 == text.size()) return false;
  const std::string_view digits = text.substr(colon + 1);
  if (digits.find_first_not_of("0123456789") != std::string_view::npos) return false;
  number = digits;
  text.remove_suffix(digits.size() + 1);
  return true;
}

/// What is in for CUDA's headers: an error there is about whoever called.
bool is_header_of_ours(std::string_view file) {
  return file.find("common/executor/include/") != std::string_view::npos;
}

/// "file:line", below root without it.
std::string shortened_place(const Located& found, const fs::path& root, const fs::path& from) {
  return path_in(root, fs::absolute(from / found.file).lexically_normal()) + ":" + found.line;
}

/// g++ and clang: "file:line:column: error: text"
bool like_gcc(std::string_view line, Located& found) {
  for (const std::string_view mark : {": error: ", ": fatal error: "}) {
    const auto at = line.find(mark);
    if (at == std::string_view::npos) continue;
    std::string_view place = line.substr(0, at);
    std::string first, second;
    if (!take_number(place, first)) continue;
    const bool has_column = take_number(place, second);
    found.line = has_column ? second : first;
    found.column = has_column ? first : "";
    found.file = place;
    found.text = line.substr(at + mark.size());
    // A name of ours helps nobody.
    if (const auto meant = found.text.find("; did you mean \xe2\x80\x98ladder::executor::");
        meant != std::string::npos)
      found.text.resize(meant);
    return !place.empty();
  }
  return false;
}

/// nvcc: "file(line): error: text", "file(line): error #20: text"
bool like_nvcc(std::string_view line, Located& found) {
  const auto at = line.find("): error");
  const auto open = at == std::string_view::npos ? at : line.rfind('(', at);
  const auto colon = at == std::string_view::npos ? at : line.find(": ", at + 8);
  if (open == std::string_view::npos || open == 0 || colon == std::string_view::npos) return false;
  found = {std::string(line.substr(0, open)), std::string(line.substr(open + 1, at - open - 1)),
           std::string(line.substr(colon + 2)), ""};
  return !found.line.empty() && found.line.find_first_not_of("0123456789") == std::string::npos;
}

/// our cut: "cut: file:line: text"
bool like_cut(std::string_view line, Located& found) {
  if (line.substr(0, 5) != "cut: ") return false;
  const auto colon = line.find(": ", 5);
  if (colon == std::string_view::npos) return false;
  std::string_view place = line.substr(5, colon - 5);
  if (!take_number(place, found.line)) return false;
  found.file = place;
  found.text = line.substr(colon + 2);
  return true;
}

/// g++, before an error in a template: "file:line:column:   required from here"
bool like_required_from(std::string_view line, Located& found) {
  const auto at = line.find(":   required from");
  if (at == std::string_view::npos) return false;
  std::string_view place = line.substr(0, at);
  std::string column;
  if (!take_number(place, column) || !take_number(place, found.line)) return false;
  found.file = place;
  return !is_header_of_ours(found.file);
}

/// the linker, of objects with debug information: "ld: a.o: in function `f': file:line: undefined reference
/// to `g'"
bool like_linker(std::string_view line, Located& found) {
  for (const std::string_view mark : {": undefined reference to", ": multiple definition of"}) {
    const auto at = line.find(mark);
    if (at == std::string_view::npos) continue;
    std::string_view place = line.substr(0, at);
    if (!take_number(place, found.line)) return false;
    if (const auto blank = place.rfind(": "); blank != std::string_view::npos) place.remove_prefix(blank + 2);
    found.file = place;
    found.text = line.substr(at + 2);
    return found.file.find("/generated/") == std::string::npos;  // nobody knows the main that we made
  }
  return false;
}

/// A line that says what is wrong without a place we know.
std::string without_place(std::string_view line) {
  for (const std::string_view mark : {"undefined reference to", "multiple definition of"})
    if (const auto at = line.find(mark); at != std::string_view::npos) return std::string(line.substr(at));
  for (const std::string_view mark : {"rror: ", "No space left"})
    if (line.find(mark) != std::string_view::npos) return std::string(line);
  return {};
}

/// The place in lld's ">>> referenced by a.cu:3 (/folder/a.cu:3)", with ": "; empty where objects have no
/// lines.
std::string place_of_lld(const std::string& line) {
  const auto open = line.rfind('('), close = line.rfind(')');
  if (line.rfind(">>> ", 0) != 0 || open == std::string::npos || close != line.size() - 1) return "";
  const std::string place = line.substr(open + 1, close - open - 1);
  const auto colon = place.rfind(':');
  const bool has_line = colon != std::string::npos && colon + 1 < place.size() &&
                        place.find_first_not_of("0123456789", colon + 1) == std::string::npos;
  return has_line ? place + ": " : "";
}

/// What lld says in several lines, in one as the GNU linker says it: hints and people look for those words.
std::string in_words_of_gnu(const std::string& output) {
  if (output.find("ld.lld: error: ") == std::string::npos) return output;
  std::istringstream lines(output);
  std::string text, error;
  const auto end_error = [&](const std::string& place) {
    if (!error.empty()) text += place + error + "\n";
    error.clear();
  };
  for (std::string line; std::getline(lines, line);) {
    std::string fresh;
    for (const auto& [of_lld, of_gnu] :
         {std::pair{"ld.lld: error: undefined symbol: ", "undefined reference to `"},
          {"ld.lld: error: duplicate symbol: ", "multiple definition of `"}})
      if (line.rfind(of_lld, 0) == 0) fresh = of_gnu + line.substr(std::string_view(of_lld).size()) + "'";
    if (!fresh.empty()) {
      end_error("");
      error = fresh;
    } else if (!error.empty() && line.rfind(">>> ", 0) == 0) {
      end_error(place_of_lld(line));
    } else if (line.rfind(">>> ", 0) != 0) {
      end_error("");
      text += line + "\n";
    }
  }
  end_error("");
  return text;
}

/// What the executor lacks is declared under names and with templates of ours: the reason that follows says
/// all.
std::string without_our_names(const std::string& text) {
  const bool ours = text.find("ladder::executor::") != std::string::npos ||
                    text.find("const Anything&") != std::string::npos;
  for (const std::string_view mark : {"declared with attribute error: ", "is unavailable: "})
    if (const auto at = text.find(mark); ours && at != std::string::npos)
      return text.substr(at + mark.size());
  return text;
}

/// "[3/12] …"
bool is_status(const std::string& line) {
  int done = 0, all = 0;
  return !line.empty() && line[0] == '[' && std::sscanf(line.c_str(), "[%d/%d]", &done, &all) == 2;
}

/// Whether an error is about something of CUDA's that is not there: a quoted name, or a header.
bool names_cuda(std::string_view text) {
  const bool header = text.find("No such file") != std::string_view::npos;
  if (!header && text.find("declared") == std::string_view::npos &&
      text.find("is not a member") == std::string_view::npos &&
      text.find("does not name a type") == std::string_view::npos)
    return false;
  std::string_view name = text;
  if (const auto quote = text.find("\xe2\x80\x98"); !header && quote != std::string_view::npos)
    name.remove_prefix(quote + 3);
  for (const std::string_view mark :
       {"cuda", "cublas", "cufft", "cusparse", "cusolver", "curand", "nccl", "thrust", "cub/",
        "cub::", "nvtx", "nvml", "__nv_", "tex1D", "tex2D", "tex3D", "surf2D", "wmma"})
    if (name.substr(0, mark.size()) == mark) return true;
  return name.size() > 2 && name.substr(0, 2) == "cu" && name[2] >= 'A' && name[2] <= 'Z';
}

/// What is between the n-th pair of g++'s quotes; empty: there is none.
std::string quoted(std::string_view text, int n) {
  for (int i = 0;; ++i) {
    const auto begin = text.find("\xe2\x80\x98");
    const auto end = begin == text.npos ? begin : text.find("\xe2\x80\x99", begin);
    if (end == text.npos) return "";
    if (i == n) return std::string(text.substr(begin + 3, end - begin - 3));
    text.remove_prefix(end + 3);
  }
}

/// Of a member that a namespace has not: only a lesson's namespace has its list in problem.hpp.
std::string hint_of_member(const std::string& text) {
  const std::string name = quoted(text, 0), in = quoted(text, 1);
  if (in != "std") return "problem.hpp lists what the lesson's namespace has";
  const std::string instead = instead_in_kernels(name);
  return "std::" + name + " is declared in a header of the C++ library that this file does not include" +
         (instead.empty() ? "" : "; and in a kernel: " + instead);
}

/// Texts that beginners meet, and what they usually mean.
std::string hint_of(const std::string& text) {
  struct Hint {
    const char* part;
    const char* meaning;
  };
  static constexpr Hint hints[] = {
      {"undefined reference",
       "the function that the lesson names must be defined with exactly its name and parameters; ./ladder "
       "reset "
       "puts the skeleton back and keeps your file"},
      {"was not declared in this scope",
       "is the name spelled as where it is declared, and declared before this line?"},
      {"has not been declared", "is the name spelled as in problem.hpp?"},
      {"expected \xe2\x80\x98;\xe2\x80\x99", "look at the end of the line before as well"},
      {"or \xe2\x80\x98;\xe2\x80\x99", "look at the end of the line before as well"},
      {"expected ';'", "look at the end of the line before as well"},
      {"expected \xe2\x80\x98}\xe2\x80\x99", "a bracket that was opened above is not closed"},
      {"expected '}'", "a bracket that was opened above is not closed"},
      {"no matching function", "compare the number and the types of the arguments with the declaration"},
      {"invalid conversion", "compare the types on both sides"},
      {"mpi.h: No such file",
       "the executor has no MPI: a program that is checked is one process. Check the part of one rank, "
       "without "
       "MPI"},
      {"No such file",
       "is the header's name spelled as in common/device? A lesson's own header is problem.hpp"},
      {"No space left", "the disk is full: free some space, then repeat"},
  };
  // A typing error has the compiler's own suggestion.
  if (names_cuda(text) && text.find("did you mean") != text.npos)
    return "is the name spelled as the compiler suggests?";
  if (names_cuda(text)) return "the executor does not have it; common/executor/README.md says what it has";
  if (text.find("is not a member of") != std::string::npos) return hint_of_member(text);
  if (text.find("was not declared in this scope") != std::string::npos)
    if (const std::string instead = instead_in_kernels(quoted(text, 0)); !instead.empty())
      return "its header is not included; and in a kernel: " + instead;
  for (const Hint& h : hints)
    if (text.find(h.part) != std::string::npos) return h.meaning;
  return "";
}

/// A hint that says which header is missing.
void name_header(std::string& hint, const std::string& header) {
  const auto kernels = hint.find("in a kernel: ");
  hint = "it is declared in " + header + ", which this file does not include" +
         (kernels == hint.npos ? "" : "; and " + hint.substr(kernels));
}

/// g++, behind an error: "note: 'std::cout' is defined in header '<iostream>'; did you forget to '#include
/// <iostream>'?"
std::string header_named_in(std::string_view note) {
  const auto at = note.find("is defined in header ");
  return at == note.npos ? "" : quoted(note.substr(at), 0);
}

}  // namespace

std::string instead_in_kernels(std::string_view name) {
  struct Instead {
    std::string_view names, text;
  };
  static constexpr Instead all[] = {
      {" cout cerr clog endl ostream puts putchar fputs fprintf vprintf ", "a kernel prints with printf"},
      {" cin scanf getchar getline fgets fopen fread fwrite fclose getenv ifstream ofstream fstream ",
       "a kernel reads no files and no input: the host does, and copies what it has read"},
      {" rand srand rand_r random srandom drand48 lrand48 srand48 mt19937 mt19937_64 random_device "
       "minstd_rand "
       "default_random_engine uniform_real_distribution uniform_int_distribution normal_distribution ",
       "the host's generators keep a state that no thread can share. A thread computes numbers from its own "
       "index, or reads an array of them that the host has filled"},
      {" time gettimeofday clock_gettime chrono now steady_clock system_clock ",
       "a kernel is timed from outside, by events; inside, clock64() counts cycles"},
      {" exit _exit quick_exit abort terminate raise ",
       "a thread ends with return; a failed assert() stops the program"},
      {" calloc realloc aligned_alloc posix_memalign unique_ptr shared_ptr make_unique make_shared ",
       "memory comes from the host, by cudaMalloc, as a pointer; a kernel itself has malloc and free"},
      {" vector string map set deque list unordered_map unordered_set function queue stack sort stable_sort "
       "accumulate reduce transform for_each find to_string stringstream ostringstream ",
       "containers and algorithms of the C++ library are for the host; a kernel gets pointers and sizes"},
      {" mutex lock_guard unique_lock thread condition_variable async future ",
       "threads and locks of the C++ library are the host's; a kernel's threads meet at __syncthreads(), and "
       "update in turn by atomicAdd() and its kind"},
  };
  for (const Instead& one : all)
    if (one.names.find(" " + std::string(name) + " ") != one.names.npos) return std::string(one.text);
  return "";
}

std::vector<FailedCommand> failed_commands(const std::string& output) {
  std::vector<FailedCommand> failed;
  bool inside = false, command_line = false;
  for (const std::string& line : lines_of(output)) {
    if (line.rfind("FAILED: ", 0) == 0) {
      std::istringstream names(line.substr(8));
      failed.emplace_back();
      for (std::string name; names >> name;) failed.back().outputs.push_back(name);
      inside = command_line = true;
    } else if (is_status(line) || line.rfind("ninja: ", 0) == 0) {
      inside = false;
    } else if (inside && command_line) {
      command_line = false;  // ninja repeats the command; nobody wants to read it
    } else if (inside) {
      failed.back().text += line + "\n";
    }
  }
  return failed;
}

BuildFailure first_error(const std::string& output, const fs::path& root, const fs::path& from) {
  return first_errors(output, root, from, 1).front();
}

std::vector<BuildFailure> first_errors(const std::string& output, const fs::path& root, const fs::path& from,
                                       std::size_t most) {
  constexpr std::size_t longest = 2000;  // of a line; what follows is the inside of some template
  std::vector<BuildFailure> failures;
  const auto add = [&](const std::string& where, const std::string& text, const std::string& column = "") {
    if (std::none_of(failures.begin(), failures.end(),
                     [&](const BuildFailure& f) { return f.where == where && f.text == text; }))
      failures.push_back(
          {where, with_paths_in(root, text), hint_of(text), output, std::atoi(column.c_str())});
  };
  std::istringstream in(in_words_of_gnu(output));
  std::string fallback, first;
  Located user;  // who asked for the template that the next error is in
  for (std::string line; std::getline(in, line);) {
    line.resize(std::min(line.size(), longest));
    if (first.empty()) first = line;
    if (const std::string header = header_named_in(line); !header.empty() && !failures.empty())
      name_header(failures.back().hint, header);
    if (Located place; like_required_from(line, place)) user = place;
    Located found;
    if (like_gcc(line, found) || like_nvcc(line, found) || like_cut(line, found) ||
        like_linker(line, found)) {
      if (failures.size() >= most) break;  // its notes were still read
      if (is_header_of_ours(found.file) && !user.file.empty())
        found.file = user.file, found.line = user.line, found.column.clear();
      add(shortened_place(found, root, from), without_our_names(found.text), found.column);
      user = {};
    } else if (fallback.empty()) {
      fallback = without_place(line);
    }
  }
  if (failures.empty())
    for (const std::string& text : {fallback, first, std::string("the build stopped without saying why")})
      if (failures.empty() && !text.empty()) add("", text);
  return failures;
}

}  // namespace ladder
