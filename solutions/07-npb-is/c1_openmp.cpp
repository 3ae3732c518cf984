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
  const int shift = shift_of(p.bins), threads = omp_get_max_threads();
  std::vector<std::int64_t> counts(std::size_t(threads) * buckets);  // of a thread's keys in each bucket
  std::int64_t begin[buckets + 1] = {};                              // of each bucket in p.buffer
  // BEGIN SOLUTION Each thread takes a run of neighbouring keys.
  //  It counts how many of them belong to each bucket. From all counts follows where a bucket begins, and
  //  where in it each thread writes. Then the threads copy their keys there, and share the buckets: those
  //  with the first keys to thread 0, and so on, as many keys to each as to any other. rank_bucket does the
  //  rest.
  //| ladder::task();  // Delete this line when you start.
  //| [[maybe_unused]] shift, begin;
  //| rank_bucket(p.buffer, p.n, 0, 0, p.bins, p.rank);
#pragma omp parallel num_threads(threads)
  {
    const int thread = omp_get_thread_num(), team = omp_get_num_threads();
    const std::int64_t first = p.n * thread / team, last = p.n * (thread + 1) / team;
    std::int64_t place[buckets] = {};
    for (std::int64_t i = first; i < last; ++i) ++place[p.keys[i] >> shift];
    std::copy(place, place + buckets, &counts[std::size_t(thread) * buckets]);
#pragma omp barrier
    std::int64_t before = 0;
    for (int b = 0; b < buckets; ++b) {  // every thread adds all of it up: that is little
      if (thread == 0) begin[b] = before;
      for (int other = 0; other < team; ++other) {
        if (other == thread) place[b] = before;
        before += counts[std::size_t(other) * buckets + b];
      }
      if (thread == 0) begin[b + 1] = before;
    }
    for (std::int64_t i = first; i < last; ++i) p.buffer[place[p.keys[i] >> shift]++] = p.keys[i];
#pragma omp barrier
    for (int b = 0; b < buckets; ++b) {
      // An empty bucket at the end begins behind the last key. It has ranks all the same.
      if (std::min<std::int64_t>(begin[b] * team / p.n, team - 1) != thread) continue;
      const std::int64_t low = std::int64_t(b) << shift, high = std::int64_t(b + 1) << shift;
      rank_bucket(p.buffer + begin[b], begin[b + 1] - begin[b], unsigned(begin[b]),
                  int(std::min<std::int64_t>(low, p.bins)), int(std::min<std::int64_t>(high, p.bins)),
                  p.rank);
    }
  }
  // END SOLUTION
}

}  // namespace npb_is
