#pragma once
/// @file
/// The executor next to the hardware: counters through ncu, findings through compute-sanitizer, as one table.

#include "common/tool/core/context.hpp"

namespace ladder {

/// The word that names it after the verb reproduce.
constexpr const char* executor_word = "executor";

/// reproduce executor: every kernel of common/programs/counters, every CUDA solution and every planted
/// mistake, counted and judged by the executor and by NVIDIA's tools, and what the executor costs
/// (costs.hpp). Differences of more than 10 % need a reason in docs/results/explained.json. With --report
/// FOLDER the table is kept as FOLDER/executor.json, which the repository's tests compare with what the
/// executor says today. Further words choose parts, "reproduce executor solutions": programs, solutions,
/// findings, costs; the others stay as they were kept, with their own date ("dates"). Or lessons and steps,
/// "reproduce executor 00 02/g7": rows of their solutions are renewed, each with its date, and the others
/// stay. Without a GPU, or without permission to count on it, that half of the table is empty and the reason
/// is printed; costs needs none. Ctrl-C keeps what was finished; a part or a row that was begun and is there
/// from before stays as it was.
/// @return the exit status: 0 when both halves are there, nothing unexplained differs, and each cost is
/// measured and not found to miss its bound
int reproduce_executor(Context& context);

}  // namespace ladder
