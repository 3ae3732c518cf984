#pragma once
/// @file
/// Cooperative groups.

#include "cuda_runtime.h"
#include "executor/groups.h"
#include "executor/tiles.h"
