#pragma once
/// @file
/// Functions that exist in CUDA without a header: of integers, of floating point numbers, loads with hints.

#include "executor/arithmetic.h"
#include "executor/bits.h"
#include "executor/hints.h"
#include "executor/math.h"
