#pragma once
/// @file
/// The time zone of this process for a while: the C library knows one at a time, that of TZ.

#include <cstdlib>
#include <ctime>
#include <mutex>
#include <optional>
#include <string>

namespace ladder {

/// Sets TZ, and puts it back at its end. One lives at a time; others wait.
class ZoneOfProcess {
 public:
  /// @param zone  as TZ has it: "UTC0", ":Europe/Warsaw"
  explicit ZoneOfProcess(const std::string& zone) : lock_(mutex()) {
    if (const char* before = std::getenv("TZ")) before_ = before;
    set(zone.c_str());
  }
  ~ZoneOfProcess() { set(before_ ? before_->c_str() : nullptr); }
  ZoneOfProcess(const ZoneOfProcess&) = delete;
  ZoneOfProcess& operator=(const ZoneOfProcess&) = delete;

 private:
  static std::mutex& mutex() {
    static std::mutex one;
    return one;
  }
  static void set(const char* zone) {
    zone ? ::setenv("TZ", zone, 1) : ::unsetenv("TZ");
    ::tzset();
  }
  std::lock_guard<std::mutex> lock_;
  std::optional<std::string> before_{};
};

}  // namespace ladder
