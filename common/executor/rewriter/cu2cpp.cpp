/// @file
/// The program cu2cpp: rewrites a .cu file, and the headers next to it that need it, into C++ for the
/// executor.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <stdexcept>

#include "common/base/files/whole_file.hpp"
#include "common/executor/rewriter/copy_elision.hpp"
#include "common/executor/rewriter/rewriter.hpp"

namespace {

namespace fs = std::filesystem;
using ladder::rewriter::RewriteError;

constexpr const char* usage =
    "usage: cu2cpp in.cu out.cpp [-I dir]... [--depfile file]\n"
    "Rewrites CUDA C++ into C++20 for the executor; out.cpp.options gets options for its observed mode.\n"
    "Headers that in.cu includes by \"name\" (next to it or in "
    "a -I dir)\n"
    "are rewritten too when they launch kernels or use __shared__.\n";

struct Options {
  fs::path in, out, depfile;
  std::vector<fs::path> include_dirs;
};

Options parse(int argc, char** argv) {
  Options options;
  std::vector<fs::path> files;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const bool more = i + 1 < argc;
    if (word == "-I" && more)
      options.include_dirs.push_back(argv[++i]);
    else if (word == "--depfile" && more)
      options.depfile = argv[++i];
    else if (word.starts_with("-I") && word.size() > 2)
      options.include_dirs.push_back(word.substr(2));
    else if (word.starts_with("-"))
      throw std::invalid_argument("unknown option " + std::string(word));
    else
      files.push_back(word);
  }
  if (files.size() != 2) throw std::invalid_argument("two files are needed");
  options.in = files[0];
  options.out = files[1];
  return options;
}

std::string read(const fs::path& path) {
  const auto text = ladder::whole_file(path);
  if (!text) throw RewriteError(path.string() + ":1: error: the file cannot be read");
  return *text;
}

/// Leaves an unchanged file alone, so that the build does not compile it again.
void write(const fs::path& path, const std::string& text) {
  if (fs::exists(path) && read(path) == text) return;
  if (path.has_parent_path()) fs::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) throw RewriteError(path.string() + ":1: error: the file cannot be written");
}

/// Rewrites the source and the headers that it reaches.
class Translation {
 public:
  explicit Translation(const Options& options) : options_(options) {}

  void run() {
    write(options_.out, rewritten(options_.in));
    // A structure that is passed by value is read without a hook, unless it is copied first.
    write(options_.out.string() + ".options", elides_ ? "" : "-fno-elide-constructors\n");
    // cmake asks for the time of the output, and write() may have left an old one.
    fs::last_write_time(options_.out, fs::file_time_type::clock::now());
    if (!options_.depfile.empty()) write_depfile();
  }

 private:
  std::string rewritten(const fs::path& path) {
    inputs_.push_back(path);
    const std::string text = read(path);
    std::string result = ladder::rewriter::rewrite(
        text, path.string(), [&](const std::string& name) { return header(path.parent_path(), name); },
        &kernels_);
    elides_ |= ladder::rewriter::relies_on_elision(text, path.string());
    return result;
  }

  std::optional<std::string> header(const fs::path& folder, const std::string& name) {
    std::vector<fs::path> dirs = {folder};
    dirs.insert(dirs.end(), options_.include_dirs.begin(), options_.include_dirs.end());
    for (const fs::path& dir : dirs) {
      const fs::path path = dir / name;
      if (!fs::is_regular_file(path)) continue;
      // One file has many paths: a header that includes "../lib/itself.cuh" has another one each time.
      const auto [known, first] = headers_.try_emplace(fs::canonical(path));
      Header& header = known->second;
      if (first) {
        header.copy = fs::absolute(options_.out.string() + ".headers") /
                      (std::to_string(headers_.size()) + "-" + path.filename().string());
        translate_header(path, header);
      } else if (header.state == Header::State::in_progress) {
        header.state = Header::State::included;
      }
      if (header.state == Header::State::unchanged) return {};
      return header.copy.string();
    }
    return {};
  }

  /// A header that a source reaches.
  struct Header {
    /// Whether there is a copy. A header that includes itself through another one gets one in any case: what
    /// includes it names the copy before it is known whether anything changes.
    enum class State { in_progress, included, unchanged, copied };
    State state = State::in_progress;
    fs::path copy;  ///< its name keeps headers of equal names apart
  };

  /// Only what the rewriter changes gets a copy, perhaps for the sake of a header that it includes.
  void translate_header(const fs::path& path, Header& header) {
    const std::string text = read(path);
    const std::size_t inputs_before = inputs_.size();
    std::string translated = text;
    try {
      translated = rewritten(path);
    } catch (const RewriteError&) {
      if (is_cuda(path, text)) throw;
      inputs_.resize(inputs_before);  // whatever it is, it is not for the rewriter
      translated = "#include \"" + ladder::rewriter::escaped(fs::absolute(path).string()) + "\"\n";
      if (header.state == Header::State::in_progress) translated = text;
    }
    const bool copied = header.state == Header::State::included || !translated.ends_with(text);
    header.state = copied ? Header::State::copied : Header::State::unchanged;
    // Copies are many files in the eyes of #pragma once only if their originals are.
    if (copied) write(header.copy, translated);
  }

  static bool is_cuda(const fs::path& path, const std::string& text) {
    if (path.extension() == ".cuh" || path.extension() == ".cu") return true;
    for (const char* word : {"<<<", "__shared__", "__global__", "__device__"})
      if (text.find(word) != std::string::npos) return true;
    return false;
  }

  void write_depfile() const {
    std::string text = options_.out.string() + ":";
    for (const fs::path& input : inputs_) {
      text += ' ';
      for (const char c : fs::absolute(input).string()) {
        if (c == ' ') text += '\\';
        text += c;
      }
    }
    write(options_.depfile, text + "\n");
  }

  const Options& options_;
  std::vector<fs::path> inputs_;
  bool elides_ = false;  // leaves copies out that the program would not survive
  ladder::rewriter::Kernels kernels_;
  std::map<fs::path, Header> headers_;  // by canonical path
};

}  // namespace

int main(int argc, char** argv) {
  Options options;
  try {
    options = parse(argc, argv);
  } catch (const std::invalid_argument& problem) {
    std::cerr << "cu2cpp: " << problem.what() << '\n' << usage;
    return 2;
  }
  try {
    Translation(options).run();
  } catch (const RewriteError& error) {
    std::cerr << error.what() << '\n';
    return 1;
  } catch (const fs::filesystem_error& error) {
    std::cerr << "cu2cpp: " << error.what() << '\n';
    return 1;
  }
}
