#include "common/tool/build/built_steps.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "common/base/files/file_lock.hpp"
#include "common/base/files/files.hpp"
#include "common/base/process/process.hpp"
#include "common/base/usage_error.hpp"
#include "common/grade/sha256.hpp"
#include "common/tool/build/submission_build.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

/// The store, as long as it is ours alone.
std::optional<fs::path> store() {
  const char* set = std::getenv("LADDER_BUILT_STEPS");
  if (!set || !*set) return std::nullopt;
  struct stat facts {};
  if (::stat(set, &facts) != 0 || facts.st_uid != ::geteuid() || (facts.st_mode & 022) != 0)
    throw UsageError{fmt::format(
        "LADDER_BUILT_STEPS={}: no folder of yours, or others may write in it: mkdir -m 755 {}", set, set)};
  return fs::path(set);
}

/// The step's one file; nothing where a file lies with it that it could include.
std::optional<fs::path> source_of(const Recipe& recipe, const fs::path& sources) {
  const fs::path target = recipe.target;
  std::optional<fs::path> found;
  for (const auto& entry : fs::directory_iterator(sources / target.parent_path().filename())) {
    const std::string kind = entry.path().extension();
    if (kind != ".cu" && kind != ".cpp") return std::nullopt;
    if (entry.is_regular_file() && entry.path().stem() == target.stem()) found = entry.path();
  }
  return found;
}

bool is_known(const fs::path& store, const Build& build, const fs::path& source, const std::string& text) {
  const fs::path name = source.parent_path().filename() / source.filename();
  for (const char* tree : {"lessons", "solutions"})
    if (read_text(build.harness_root() / tree / name) == text) return true;
  return fs::exists(store / "texts" / sha256(text));
}

/// By what a file is known to be the one that it was.
std::string state_of(const fs::path& file) {
  struct stat facts {};
  if (::stat(file.c_str(), &facts) != 0) return "";
  return fmt::format("{} {} {}.{}\n", file.string(), facts.st_size, facts.st_mtim.tv_sec,
                     facts.st_mtim.tv_nsec);
}

/// The state of the programs, libraries and sources that commands name, and of everything below some folders.
std::string state_of(const std::string& commands, const Build& build, const std::vector<fs::path>& folders) {
  std::set<fs::path> files;
  for (std::size_t at = 0; at < commands.size();) {
    const std::size_t end = std::min(commands.find_first_of(" \n\"';:=", at), commands.size());
    std::error_code none;
    if (const fs::path file = build.harness_folder() / commands.substr(at, end - at);
        end > at && fs::is_regular_file(file, none))
      files.insert(file);
    at = end + 1;
  }
  for (const fs::path& folder : folders)
    for (const auto& entry : fs::recursive_directory_iterator(folder))
      if (entry.is_regular_file()) files.insert(entry.path());
  std::string all = build.harness_folder().string() + "\n";
  for (const fs::path& file : files) all += state_of(file);
  return all;
}

/// Who looks at the text is the submission's user, and who grades writes for nobody else.
void show_to_all(const fs::path& folder) {
  const auto reads = [](const fs::path& path, fs::perms more) {
    fs::permissions(path, fs::perms::group_read | fs::perms::others_read | more, fs::perm_options::add);
  };
  constexpr fs::perms enters = fs::perms::group_exec | fs::perms::others_exec;
  reads(folder.parent_path(), enters);
  reads(folder, enters);
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    reads(entry.path(), entry.is_directory() ? enters : fs::perms::none);
}

/// Compiles it as ourselves. The folder appears when it is whole.
void compile(const Recipe& recipe, const Build& build, const fs::path& sources, const fs::path& built) {
  const ScratchFolder room(built.parent_path());
  for (const std::string& folder : recipe.folders) fs::create_directories(room.path() / "built" / folder);
  std::vector<std::string> command = in_clean_environment(room.path() / "built");
  command.insert(command.end(), {"/bin/sh", "-c", recipe.script(sources, room.path() / "built")});
  const ProcessResult ended =
      run_process({.arguments = std::move(command), .folder = build.harness_folder(), .seconds = 600});
  // Why it does not compile is told by who compiles it confined.
  if (ended.ok() && fs::exists(room.path() / "built" / recipe.target))
    fs::rename(room.path() / "built", built);
}

}  // namespace

std::optional<fs::path> take_built(const Recipe& recipe, const Build& build, const fs::path& sources,
                                   const fs::path& outputs) {
  const auto folder = store();
  const auto source = folder ? source_of(recipe, sources) : std::nullopt;
  if (!source) return std::nullopt;
  const std::string text = read_text(*source), lesson = source->parent_path().filename();
  if (!is_known(*folder, build, *source, text)) return std::nullopt;
  const std::string commands = recipe.script("SOURCES", "OUTPUTS");
  const fs::path root = build.harness_root();
  const std::string state = state_of(commands, build, {root / "common", root / "lessons" / lesson});
  const fs::path entry = *folder / sha256(commands + state + text), built = entry / "built";
  const fs::path named = *folder / "sources" / sha256(text);
  fs::create_directories(named / lesson), fs::create_directories(entry);
  const FileLock held(entry / "lock");  // others that want it wait until it is there
  if (!fs::exists(built)) {
    write_text(named / lesson / source->filename(), text);
    show_to_all(named);
    compile(recipe, build, named, built);
  }
  if (!fs::exists(built)) return std::nullopt;
  fs::copy(built, outputs, fs::copy_options::recursive | fs::copy_options::overwrite_existing);
  return named;
}

void build_once(const std::string& commands, const std::string& text, const Build& build,
                const std::vector<fs::path>& folders, const fs::path& program,
                const std::function<void()>& make) {
  const auto folder = store();
  if (!folder) return make();
  const fs::path entry = *folder / sha256(commands + state_of(commands, build, folders) + text);
  fs::create_directories(entry);
  fs::permissions(entry, fs::perms::owner_all);  // private tests are no submission's business
  const FileLock held(entry / "lock");
  if (fs::exists(entry / "program")) {
    fs::copy_file(entry / "program", program, fs::copy_options::overwrite_existing);
    return;
  }
  make();
  fs::copy_file(program, entry / "new", fs::copy_options::overwrite_existing);
  fs::rename(entry / "new", entry / "program");
}

}  // namespace ladder
