#pragma once
/// @file
/// All headers of lessons that have device code: two sources of one program may include each.

#include "lessons/01-lu/cluster_mail.cuh"
#include "lessons/01-lu/cluster_panel.cuh"
#include "lessons/01-lu/look_ahead.cuh"
#include "lessons/02-gauss/panels.cuh"
#include "lessons/02-gauss/take_pair.cuh"
#include "lessons/03-dgemm/hopper_int8.cuh"
#include "lessons/03-dgemm/parts.hpp"
#include "lessons/04-cholesky/solve_on_device.cuh"
#include "lessons/04-cholesky/solve_tiles.cuh"
#include "lessons/06-npb-ft/butterflies.cuh"
#include "lessons/06-npb-ft/passes.cuh"
