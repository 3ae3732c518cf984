#pragma once
/// @file
/// What L1, L2 and device memory do for g1 and g2: predicted, and counted by ncu where a GPU is.

#include <functional>
#include <string>

#include "common/judge/session/session.hpp"

namespace dgemm::test {

/// Publishes the table of traffic: with L2 empty and with what the same launch left there, for matrices that
/// fit it and that do not. Without a GPU or ncu: the predictions, and why nothing was counted.
/// @param call     multiplies matrices of order n and checks the result
/// @param backend  where CUDA steps run here
/// @throws ladder::Failure when a result is wrong
void publish_traffic(const std::function<void(ladder::Session&, int n)>& call, const std::string& backend);

}  // namespace dgemm::test
