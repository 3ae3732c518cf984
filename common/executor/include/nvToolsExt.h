#pragma once
/// @file
/// The older name of nvtx3/nvToolsExt.h.
#include "nvtx3/nvToolsExt.h"
