#pragma once
/// @file
/// Races that racecheck reports of bulk copies although barriers order them.
///
/// It takes a copy to shared memory (`cp.async.bulk`) for a write of the thread that issued it, and does not
/// follow the mbarrier that counts the copy's bytes: FlashAttention 2.8 describes the same in its
/// AI/RACECHECK_TMA_HAZARD.md. The executor follows both, and judges these programs.

#include <functional>
#include <string>

namespace ladder {

/// The races in what racecheck printed.
struct RacesPrinted {
  int of_bulk_copies = 0;  ///< between a bulk copy and anything
  int others = 0;
};

/// @param is_bulk_copy  whether a line of a source is part of one; the file as racecheck names it, without
/// folders
RacesPrinted races_printed(const std::string& printed,
                           const std::function<bool(const std::string& file, int line)>& is_bulk_copy);

/// Whether the statement that ends on a line, counted from 1, issues a bulk copy: compilers name the last
/// line of an asm statement.
bool is_bulk_copy(const std::string& text, int line);

}  // namespace ladder
