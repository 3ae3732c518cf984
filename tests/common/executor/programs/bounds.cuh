#pragma once
/// @file
/// Macros of a header that say __launch_bounds__, as a program has that keeps its sizes in one place.

#define THREADS_OF_HEADER 192
#define BOUNDS_OF_HEADER __launch_bounds__(THREADS_OF_HEADER, 2)
#define AT_MOST_OF_HEADER(threads) __launch_bounds__(threads)
#define KERNEL_OF_HEADER __global__ void __launch_bounds__(56)
