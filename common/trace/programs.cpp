#include "common/trace/programs.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace ladder {
namespace fs = std::filesystem;
namespace {

std::string setting(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value && *value ? value : otherwise;
}

}  // namespace

std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return access(name.c_str(), X_OK) == 0 ? name : "";
  std::istringstream folders(setting("PATH", "") + ":" + setting("CUDA_HOME", "/usr/local/cuda") + "/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path file = fs::path(folder) / name;
    std::error_code ignored;
    if (fs::is_regular_file(file, ignored) && access(file.c_str(), X_OK) == 0) return file.string();
    if (name.back() != '*') continue;
    for (const auto& entry : fs::directory_iterator(folder, ignored))
      if (entry.path().filename().string().rfind(name.substr(0, name.size() - 1), 0) == 0)
        return entry.path().string();
  }
  return "";
}

}  // namespace ladder
