#pragma once
/// @file
/// One of Oclgrind's messages in our words.

#include <string>

#include "common/base/observation/observation.hpp"
#include "common/trace/oclgrind/oclgrind_message.hpp"

namespace ladder {

/// "out[64] (of 64)", or in bytes where the elements are not known; "" where no buffer is known.
std::string address_of(const OclgrindMessage& message);

/// One line: which work-item does what, where. Site, other party, operation, kind and address of the finding
/// are there already.
std::string text_of(const Finding& finding, const OclgrindMessage& message);

}  // namespace ladder
