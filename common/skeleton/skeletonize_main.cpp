/// @file
/// The program `cut`: skeletons, mutants and all mutants of a rung as one source, to standard output.

#include <filesystem>
#include <fstream>
#include <iostream>

#include "common/base/files/whole_file.hpp"
#include "common/skeleton/mutant_unit.hpp"
#include "common/skeleton/skeletonize.hpp"

namespace {

/// A JSON string literal, with its quotes.
std::string json_quote(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(c));
      out += escaped;
    } else {
      out += c;
    }
  }
  return out + '"';
}

constexpr const char* usage =
    "usage: cut skeleton solution.cu [-o FILE]\n"
    "       cut mutant solution.cu file.mutants NAME [-o FILE]\n"
    "       cut list file.mutants [-o FILE]\n"
    "       cut unit NAMESPACE mutant.cu.cpp... -o FILE\n";

std::string read(const std::string& file) {
  const auto text = ladder::whole_file(file);
  if (!text || text->empty()) throw ladder::cut::Error(file + ":0: cannot be read");
  return *text;
}

std::string list(const std::vector<ladder::cut::Mutant>& mutants) {
  std::string out = "[";
  for (const auto& m : mutants) {
    std::string words;
    for (const auto& w : m.words) words += (words.empty() ? "" : ",") + json_quote(w);
    out += (out == "[" ? "" : ",\n ") + std::string("{\"name\":") + json_quote(m.name) +
           ",\"verdict\":" + json_quote(m.verdict) + ",\"other_verdict\":" + json_quote(m.other_verdict) +
           ",\"words\":[" + words + "],\"device\":" + json_quote(m.device) + "}";
  }
  return out + "]\n";
}

/// What cu2cpp or `cut mutant` made of each mutant of a rung, as one source.
std::string unit(const std::vector<std::string>& a) {
  std::vector<ladder::cut::UnitPart> parts;
  for (std::size_t i = 2; i < a.size(); ++i) parts.push_back({"", a[i], read(a[i]), ""});
  return ladder::cut::unit_source(parts, a[1], read);
}

std::string result(const std::vector<std::string>& a) {
  if (a[0] == "unit") return unit(a);
  if (a[0] == "skeleton") return ladder::cut::skeleton(read(a[1]), a[1]);
  if (a[0] == "list") return list(ladder::cut::read_mutants(read(a[1]), a[1]));
  for (const auto& m : ladder::cut::read_mutants(read(a[2]), a[2]))
    if (m.name == a[3]) return ladder::cut::mutate(read(a[1]), m, a[2]);
  throw ladder::cut::Error(a[2] + ":1: no mutant '" + a[3] + "'");
}

void write(const std::string& text, const std::string& file) {
  if (file.empty()) {
    std::cout << text << std::flush;
    if (!std::cout) throw ladder::cut::Error("cannot write to standard output");
    return;
  }
  if (std::filesystem::exists(file) && read(file) == text)
    return;  // nothing that is built of it need be built again
  std::filesystem::create_directories(std::filesystem::absolute(file).parent_path());
  std::ofstream out(file, std::ios::binary);
  out << text << std::flush;
  if (!out) throw ladder::cut::Error("cannot write " + file);
}

}  // namespace

int main(int argc, char** argv) try {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  std::string file;
  if (arguments.size() > 2 && arguments[arguments.size() - 2] == "-o") {
    file = arguments.back();
    arguments.resize(arguments.size() - 2);
  }
  const bool known = (arguments.size() == 2 && (arguments[0] == "skeleton" || arguments[0] == "list")) ||
                     (arguments.size() == 4 && arguments[0] == "mutant") ||
                     (arguments.size() > 2 && arguments[0] == "unit");
  if (!known) {
    std::cerr << usage;
    return 2;
  }
  write(result(arguments), file);
  return 0;
} catch (const std::exception& e) {
  std::cerr << "cut: " << e.what() << "\n";
  return 1;
}
