#pragma once
/// @file
/// Part of cuda_runtime.h in the executor.
#include "cuda_runtime.h"
