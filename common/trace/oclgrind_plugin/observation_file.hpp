#pragma once
/// @file
/// The file that the plugin writes.

#include <string>

#include "common/base/observation/observation.hpp"

namespace ladder::oclgrind_plugin {

/// A document of observation.hpp that is whole after every launch: workers end without destructors.
class ObservationFile {
 public:
  /// @param path  is overwritten
  explicit ObservationFile(std::string path);
  void append(const LaunchCounters& launch);

 private:
  void write(long at, const std::string& text);

  std::string path_;
  long end_ = 0;  ///< where the next launch goes
  bool first_ = true;
};

}  // namespace ladder::oclgrind_plugin
