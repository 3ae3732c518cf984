/// @file
/// pages ROOT [--check] [--tables FOLDER]: writes the generated parts of the pages and their figures from docs/results, or
/// says where they differ from what would be written. The lessons' tables are programs of the same build folder: B/bin/pages,
/// B/tables/NN-name.

#include <cstdio>
#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <string>

#include "common/report/pages.hpp"

namespace {

namespace fs = std::filesystem;
using namespace ladder::report;

/// A path as one word of a shell.
std::string quoted(const std::string& path) {
  std::string out = "'";
  for (const char c : path) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string output_of(const fs::path& program) {
  FILE* pipe = popen(quoted(program).c_str(), "r");
  if (!pipe) throw std::runtime_error("cannot start " + program.string());
  std::string text;
  char buffer[4096];
  while (const std::size_t got = fread(buffer, 1, sizeof buffer, pipe)) text.append(buffer, got);
  if (pclose(pipe) != 0) throw std::runtime_error(program.string() + " failed");
  return text;
}

Tables tables_in(const fs::path& folder) {
  Tables tables;
  if (!fs::is_directory(folder)) throw std::runtime_error("no tables in " + folder.string());
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_regular_file())
      tables[entry.path().filename()] = nlohmann::json::parse(output_of(entry.path()));
  return tables;
}

int print(const std::vector<PageProblem>& problems) {
  for (const PageProblem& problem : problems) std::cerr << problem.sentence() << "\n";
  return problems.empty() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) try {
  std::string root, tables = fs::read_symlink("/proc/self/exe").parent_path().parent_path() / "tables";
  bool check = false;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--check")
      check = true;
    else if (argument == "--tables" && i + 1 < argc)
      tables = argv[++i];
    else if (root.empty() && argument[0] != '-')
      root = argument;
    else
      root.clear(), i = argc;
  }
  if (root.empty()) {
    std::cerr << "usage: pages ROOT [--check] [--tables FOLDER]\n";
    return 2;
  }
  if (check) return print(check_pages(root, tables_in(tables)));
  const Pages pages = generate_pages(root, tables_in(tables));
  if (!pages.problems.empty()) return print(pages.problems);
  for (const std::string& file : write_pages(root, pages)) std::cout << "written: " << file << "\n";
  return 0;
} catch (const std::exception& error) {
  std::cerr << "pages: " << error.what() << "\n";
  return 2;
}
