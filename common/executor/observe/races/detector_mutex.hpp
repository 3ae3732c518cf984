#pragma once
/// @file
/// The lock of the detectors' data.

#include <mutex>

#include "common/executor/observe/log.hpp"

namespace ladder::executor {

/// Holds a mutex. Meanwhile the hooks of this thread do nothing: functions of the standard library that the
/// detectors share with the program may be the instrumented ones, and would take the same lock.
class DetectorLock {
 public:
  explicit DetectorLock(std::mutex& mutex) : in_hook_(recorder.in_hook) {
    recorder.in_hook = true;
    mutex_ = &mutex;
    mutex.lock();
  }
  ~DetectorLock() {
    mutex_->unlock();
    recorder.in_hook = in_hook_;
  }
  DetectorLock(const DetectorLock&) = delete;
  DetectorLock& operator=(const DetectorLock&) = delete;

 private:
  std::mutex* mutex_;
  bool in_hook_;
};

}  // namespace ladder::executor
