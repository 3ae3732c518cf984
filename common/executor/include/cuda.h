#pragma once
/// @file
/// The driver API: devices, contexts, memory, streams and events, by the runtime API. Modules are not there.

#include "cuda_runtime.h"
#include "executor/driver.h"
