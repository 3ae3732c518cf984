#include "common/executor/runtime/observer.hpp"

#include "common/executor/runtime/schedule.hpp"

namespace ladder::executor {

constinit Observer* observer = nullptr;

void finish_queue() {
  Schedule::get().finish_all(nullptr);
}

}  // namespace ladder::executor
