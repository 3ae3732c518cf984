/// @file
/// The second source of the program owners that includes all headers.

#include "all_headers.cuh"

/// @return something of this source, so that it is linked
int second_source() {
  return lu::most_blocks;
}
