#include "common/trace/oclgrind_plugin/observation_file.hpp"

#include <cstdio>
#include <nlohmann/json.hpp>

namespace ladder::oclgrind_plugin {
namespace {

constexpr const char* tail = "\n]}\n";  // behind the list of launches

}  // namespace

ObservationFile::ObservationFile(std::string path) : path_(std::move(path)) {
  Observation empty;
  empty.device = "oclgrind";
  nlohmann::json document = to_json(empty);
  document.erase("launches");
  std::string head = document.dump();
  head.back() = ',';  // instead of the closing brace
  head += "\"launches\":[";
  if (std::FILE* file = std::fopen(path_.c_str(), "w")) std::fclose(file);
  write(0, head + tail);
  end_ = static_cast<long>(head.size());
}

void ObservationFile::append(const LaunchCounters& launch) {
  Observation one;
  one.launches.push_back(launch);
  const std::string text = (first_ ? "\n" : ",\n") + to_json(one)["launches"][0].dump();
  write(end_, text + tail);
  end_ += static_cast<long>(text.size());
  first_ = false;
}

void ObservationFile::write(long at, const std::string& text) {
  std::FILE* file = std::fopen(path_.c_str(), "r+");
  if (!file) return;  // no file, no counters: the reader says so
  std::fseek(file, at, SEEK_SET);
  std::fwrite(text.data(), 1, text.size(), file);
  std::fclose(file);
}

}  // namespace ladder::oclgrind_plugin
