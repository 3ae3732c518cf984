#pragma once
/// @file
/// Part of cublas_v2.h in the executor.
#include "cublas_v2.h"
