/// @file
/// Peer of the GPU's steps: CHOLMOD on all cores of the host, as cholmod.cpp has it, in a worker of the same
/// kind.

#include "tests/04-cholesky/peers/cholmod.cpp"
