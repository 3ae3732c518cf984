#pragma once
/// @file
/// What the rungs spend their device time with: elimination and back substitution apart.

namespace gauss::test {

/// Publishes the record with its figure: the rungs from the one with a grid stride to the one that
/// substitutes in parallel. Nothing where no GPU times kernels.
void publish_parts();

}  // namespace gauss::test
