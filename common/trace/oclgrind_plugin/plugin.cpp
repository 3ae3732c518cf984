/// @file
/// What Oclgrind 21.10 calls when it loads the plugins (OCLGRIND_PLUGINS).

#include <cstdlib>

#include "common/trace/oclgrind_plugin/counters.hpp"
#include "common/trace/oclgrind_plugin/messages.hpp"

using namespace ladder::oclgrind_plugin;

namespace {

/// @return the value of a variable; null when it is not set, or empty.
const char* setting(const char* name) {
  const char* value = std::getenv(name);
  return value && *value ? value : nullptr;
}

}  // namespace

// They live until the process ends, as Oclgrind's context does.
extern "C" __attribute__((visibility("default"))) void initializePlugins(oclgrind::Context* context) {
  if (const char* path = setting("LADDER_OCLGRIND_RECORD"))
    context->registerPlugin(new Counters(context, path));
  if (const char* path = setting("LADDER_OCLGRIND_LOG")) context->registerPlugin(new Messages(context, path));
}

extern "C" __attribute__((visibility("default"))) void releasePlugins(oclgrind::Context*) {}
