#pragma once
/// @file
/// CUDA's runtime API for the executor. Only what is declared here is supported: the rest does not compile.

#include "executor/observed.h"

#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <time.h>

#include "executor/keywords.h"

#include "executor/atomics.h"
#include "executor/device.h"
#include "executor/functions.h"
#include "executor/graphs.h"
#include "executor/heap.h"
#include "executor/intrinsics.h"
#include "executor/launch.h"
#include "executor/memory.h"
#include "executor/nv_atomics.h"
#include "executor/pitched_memory.h"
#include "executor/pools.h"
#include "executor/site.h"
#include "executor/streams.h"
#include "executor/threads.h"
#include "executor/types.h"
#include "executor/unsupported.h"
#include "executor/vectors.h"
#include "executor/warp.h"

// What programs ask to see whether CUDA compiles them. Last, so that the headers of the C++ library above
// read as usual.
#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#define __NVCC__ 1
#define __CUDA_ARCH__ 900
#define __CUDA_RUNTIME_H__
#define __DRIVER_TYPES_H__
