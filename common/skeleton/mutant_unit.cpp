#include "common/skeleton/mutant_unit.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "common/base/text/kernel_name.hpp"
#include "common/base/text/text.hpp"
#include "common/skeleton/place.hpp"

namespace ladder::cut {
namespace {

using Read = std::function<std::string(const std::string&)>;

/// The namespace of a part: "ladder_mutant_007".
std::string space_of(std::size_t part) {
  const std::string number = std::to_string(part);
  return std::string(mutant_space) +
         std::string(mutant_digits - std::min(mutant_digits, number.size()), '0') + number;
}

/// The lines of a source that are directives, without what is in raw strings: kernels of OpenCL have
/// directives of their own.
std::vector<std::string> directives(const std::string& text) {
  std::vector<std::string> found;
  Place place;
  for (const std::string& line : lines_of(text)) {
    const std::string_view code = trim(line);
    if (place.in_code() && code.starts_with('#')) found.emplace_back(code);
    place.pass(line);
  }
  return found;
}

/// What is behind #include, #define; empty when the directive is another.
std::string behind(std::string_view directive, std::string_view word) {
  directive = trim(directive.substr(1));
  if (!directive.starts_with(word)) return {};
  return std::string(trim(directive.substr(word.size())));
}

/// "dgemm.hpp" with its quotes, of `"dgemm.hpp"  // why`.
std::string include_name(const std::string& text) {
  if (text.empty()) return {};
  const std::size_t end = text.find(text[0] == '<' ? '>' : '"', 1);
  return end == text.npos ? std::string() : text.substr(0, end + 1);
}

std::string macro_name(const std::string& text) {
  return text.substr(0, text.find_first_of(" \t("));
}

/// The copies of headers that cu2cpp made for the parts.
class Copies {
 public:
  Copies(const std::vector<UnitPart>& parts, const Read& read) : read_(read) {
    for (const UnitPart& part : parts) folders_.push_back(part.path + ".headers/");
  }

  bool is_copy(const std::string& include) const { return folder_in(include) != nullptr; }

  /// One name for all copies that say the same, with what they include.
  std::string same_as(const std::string& include) {
    const std::string text = text_of(include);
    return first_.try_emplace(text, include).first->second;
  }

  const std::string& of_file(const std::string& path) {
    const auto [at, fresh] = texts_.try_emplace(path);
    if (fresh) at->second = read_(path);
    return at->second;
  }

  static std::string path_of(const std::string& include) { return include.substr(1, include.size() - 2); }

  /// The header that it is a copy of: its #line.
  std::string original(const std::string& include) {
    for (const std::string& directive : directives(of_file(path_of(include))))
      if (const std::string line = behind(directive, "line"); !line.empty())
        return line.substr(std::min(line.find('"'), line.size()));
    return include;
  }

 private:
  const std::string* folder_in(const std::string& include) const {
    for (const std::string& folder : folders_)
      if (include.find(folder) != include.npos) return &folder;
    return nullptr;
  }

  /// The text without the names of copies, which differ from part to part; instead of each, what it says.
  std::string text_of(const std::string& include) {
    std::string text = of_file(path_of(include));
    for (const std::string& directive : directives(text)) {
      const std::string inner = include_name(behind(directive, "include"));
      if (is_copy(inner) && inner != include) replace_all(text, inner, "(" + text_of(inner) + ")");
    }
    return text;
  }

  const Read& read_;
  std::vector<std::string> folders_;
  std::map<std::string, std::string> texts_, first_;
};

/// What the parts include, in order, each once, and which copies of headers differ from part to part: those
/// stay inside.
class Includes {
 public:
  Includes(const std::vector<UnitPart>& parts, Copies& copies) : copies_(copies) {
    for (const UnitPart& part : parts) find_variants(part.text);
    for (const UnitPart& part : parts) add(part.text);
  }

  std::string text() const {
    std::string text;
    for (const std::string& name : names_) text += "#include " + name + "\n";
    return text;
  }

 private:
  void find_variants(const std::string& text) {
    for (const std::string& directive : directives(text)) {
      const std::string name = include_name(behind(directive, "include"));
      if (!copies_.is_copy(name)) continue;
      variants_[copies_.original(name)].insert(copies_.same_as(name));
      find_variants(copies_.of_file(Copies::path_of(name)));
    }
  }

  void add(const std::string& text) {
    for (const std::string& directive : directives(text)) {
      std::string name = include_name(behind(directive, "include"));
      if (name.empty()) continue;
      if (copies_.is_copy(name)) {
        const std::string path = Copies::path_of(name);
        name = copies_.same_as(name);
        if (variants_[copies_.original(name)].size() > 1) {
          add(copies_.of_file(path));  // what it includes is no part of the mutant
          continue;
        }
      }
      if (known_.insert(name).second) names_.push_back(name);
    }
  }

  Copies& copies_;
  std::map<std::string, std::set<std::string>> variants_;
  std::vector<std::string> names_;
  std::set<std::string> known_;
};

/// A part's text with one name for equal headers.
std::string with_common_headers(const std::string& text, Copies& copies) {
  std::string result = text;
  for (const std::string& directive : directives(text))
    if (const std::string name = include_name(behind(directive, "include")); copies.is_copy(name))
      replace_all(result, name, copies.same_as(name));
  return result;
}

}  // namespace

std::string unit_source(const std::vector<UnitPart>& parts, const std::string& space, const Read& read) {
  Copies copies(parts, read);
  std::string text = Includes(parts, copies).text() + "namespace " + space + " {}\n";
  for (std::size_t i = 0; i < parts.size(); ++i) {
    // Names of the lesson's headers are found as if the mutant stood alone. Its own includes are empty
    // here: all are above.
    text += "namespace " + space_of(i) + " { namespace " + space + " { using namespace ::" + space + "; }\n";
    text += "#line 1 \"" + parts[i].path + "\"\n" + with_common_headers(parts[i].text, copies) + "\n}\n";
    for (const std::string& directive : directives(parts[i].text))
      if (const std::string macro = behind(directive, "define"); !macro.empty())
        text += "#undef " + macro_name(macro) + "\n";
  }
  return text;
}

namespace {

/// The function that the lesson's main program calls.
std::string step_source(const std::string& space, const std::string& function) {
  return "namespace " + space + " {\nstruct Problem;\nvoid " + function +
         "(const Problem&);\nextern void (*const ladder_step)(const Problem&);\n"
         "void (*const ladder_step)(const Problem&) = " +
         function + ";\n}\n";
}

}  // namespace

std::string unit_table(const std::vector<UnitPart>& parts, const std::string& space,
                       const std::string& function) {
  const std::string problem = "const ::" + space + "::Problem&";
  std::string declarations, rows;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    declarations +=
        "namespace " + space_of(i) + "::" + space + " { void " + function + "(" + problem + "); }\n";
    rows += "    {\"" + parts[i].name + "\", \"" + std::to_string(space_of(i).size()) + space_of(i) + "\", " +
            space_of(i) + "::" + space + "::" + function + ", \"" + parts[i].hash + "\"},\n";
  }
  return "#include <errno.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include "
         "<unistd.h>\n"
         "namespace " +
         space + " { struct Problem; }\n" + declarations +
         "char ladder_source_hash[72];\nextern \"C\" { const char* ladder_program_space; }\nnamespace {\n"
         "struct Mutant {\n  const char *name, *space;\n  void (*step)(" +
         problem +
         ");\n  const char* hash;\n};\n"
         "const Mutant mutants[] = {\n" +
         rows +
         "};\n"
         "const Mutant* chosen;\n"
         "[[gnu::constructor]] void choose() {\n"
         "  if (getenv(\"LADDER_STARTS_ONLY\")) _exit(0);\n"
         "  const char* slash = strrchr(program_invocation_name, '/');\n"
         "  const char* name = slash ? slash + 1 : program_invocation_name;\n"
         "  const char* dot = strrchr(name, '.');\n"
         "  const size_t length = dot ? size_t(dot - name) : strlen(name);\n"
         "  for (const Mutant& m : mutants)\n"
         "    if (strlen(m.name) == length && strncmp(m.name, name, length) == 0) chosen = &m;\n"
         "  if (!chosen) {\n"
         "    fprintf(stderr, \"%s: no mutant of this program has that name\\n\", name);\n"
         "    _exit(87);\n"
         "  }\n"
         "  strcpy(ladder_source_hash, chosen->hash);\n"
         "  ladder_program_space = chosen->space;\n"
         "}\n"
         "}\n"
         "namespace " +
         space +
         " {\n"
         "void " +
         function +
         "(const Problem& p) { chosen->step(p); }\n"
         "}\n" +
         step_source(space, function);
}

std::string hash_source(const std::string& hash, const std::string& space, const std::string& function) {
  return "extern const char ladder_source_hash[];\nconst char ladder_source_hash[] = \"" + hash + "\";\n" +
         step_source(space, function);
}

}  // namespace ladder::cut
