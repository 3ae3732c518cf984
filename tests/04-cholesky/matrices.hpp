#pragma once
/// @file
/// What the orderings and the libraries make of the lesson's matrices: records of the reproduction.

#include <functional>
#include <string>
#include <vector>

#include "tiled_programs.hpp"

namespace cholesky::test {

/// The original rows in the order of a structure, padding left out.
std::vector<int> order_of(const Structure& structure);

/// Why a problem of that structure is not tried here: it is there three times, and in the program; empty: it
/// is.
std::string too_large(const Structure& structure);

/// Pictures of a matrix like G2_circuit in three orders, and what each makes of L.
void publish_orderings(int side);

/// When processor, link and GPU work in g4: measured on a GPU, else by order and stated costs. Nothing where
/// it does not run.
void publish_timeline(const Lab& lab);

/// Analysis, factorisation and solve of the libraries, and what each makes of L.
/// @param seconds  that one factorisation may take; more of them: more matrices
/// @param say  is told what begins
void publish_libraries(const Lab& lab, double seconds, const std::function<void(const std::string&)>& say);

/// g4 next to CHOLMOD on whole matrices, on a GPU only.
void publish_factorisations(const Lab& lab, const std::function<void(const std::string&)>& say);

}  // namespace cholesky::test
