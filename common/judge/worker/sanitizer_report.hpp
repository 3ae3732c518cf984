#pragma once
/// @file
/// The worker's side of the sanitizers that watch CPU steps: their reports become findings, in the same
/// record as those of the executor's observed mode. In workers of the back ends races (ThreadSanitizer) and
/// memory (AddressSanitizer and UndefinedBehaviorSanitizer) only.

#include <span>
#include <string>

#include "common/base/observation/observation.hpp"

namespace ladder::sanitizers {

/// Before the first call: checks that the sanitizer can work here. @throws ladder::Error when it cannot
void start();

/// A fault in an array of the problem that ends the process: a finding, with the line.
/// @param what  "touched C[4096] of C, which has 4096 elements: an index is out of range"
void on_fault(const std::string& what);

/// The part of start() that differs between the two back ends.
void prepare();
/// Takes the reports of the current call; each back end has its own.
void collect();

/// Adds a finding to the record, unless the same was found on the same lines before.
void keep(Finding finding);

/// Writes the record as it is now to the file that the judge reads when the process has ended.
void write_record();

/// The student's line among return addresses, innermost first: of the step's own file, where it calls what a
/// header gives; an empty one when there is none.
SourceLine line_among(std::span<void* const> addresses);
/// The line that the calling thread is at, below this library and the sanitizer.
SourceLine current_line();

/// "line 12", or "tiles.hpp:12" in a header.
std::string line_text(const SourceLine& line);

/// With a capital letter.
std::string at_the_beginning(std::string text);

/// What is at @p address: "C[128]" or "the global variable sum"; "" when unknown.
std::string object_at(const void* address);

}  // namespace ladder::sanitizers
