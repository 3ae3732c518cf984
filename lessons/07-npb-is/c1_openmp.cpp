/// @file
/// c1: OpenMP. The baseline adds to one table of counts, which threads cannot share. Here keys go into
/// buckets of neighbouring values first; each bucket then belongs to one thread, and so do its counts and
/// ranks. Source: none; NPB's OpenMP version has buckets, too.

#include <omp.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "problem.hpp"

namespace npb_is {
namespace {

constexpr int bucket_bits = 8, buckets = 1 << bucket_bits;

/// Bits of a key below its bucket's number.
int shift_of(int bins) {
  return std::max(0, int(std::bit_width(unsigned(bins - 1))) - bucket_bits);
}

/// Ranks the values of one bucket, first <= k < last.
void rank_bucket(const int* keys, std::int64_t count,  // count; those of the bucket
                 unsigned smaller, int first, int last,
                 unsigned* rank) {  // bins
  std::fill(rank + first, rank + last, 0u);
  for (std::int64_t i = 0; i < count; ++i) ++rank[keys[i]];
  for (int k = first; k < last; ++k) {
    const unsigned equal = rank[k];
    rank[k] = smaller;
    smaller += equal;
  }
}

}  // namespace

/// Ranks the keys with all threads of the team.
void openmp(const Problem& p) {
  [[maybe_unused]] const int shift = shift_of(p.bins), threads = omp_get_max_threads();
  std::vector<std::int64_t> counts(std::size_t(threads) * buckets);  // of a thread's keys in each bucket
  [[maybe_unused]] std::int64_t begin[buckets + 1] = {};  // of each bucket in p.buffer
  // TASK, 27 lines: Each thread takes a run of neighbouring keys.
  //  It counts how many of them belong to each bucket. From all counts follows where a bucket begins, and
  //  where in it each thread writes. Then the threads copy their keys there, and share the buckets: those
  //  with the first keys to thread 0, and so on, as many keys to each as to any other. rank_bucket does the
  //  rest.
  ladder::task();  // Delete this line when you start.
  rank_bucket(p.buffer, p.n, 0, 0, p.bins, p.rank);
}

}  // namespace npb_is
