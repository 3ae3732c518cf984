#pragma once
/// @file
/// Part of cooperative_groups.h in the executor.
#include "cooperative_groups.h"
