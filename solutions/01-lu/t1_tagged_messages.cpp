/// @file
/// t1: work-groups that send each other messages; tensor cores. In g11 one work-group eliminates a panel: one
/// compute unit of many. Here each work-item keeps one row of the panel in registers, and work-groups that
/// run at the same time exchange their best rows through memory. The rest of A changes once per block of 128
/// columns. Before: g11. Source: none; words that carry a tag as in NCCL's protocol LL.

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "block_kernels.hpp"
#include "common/device/opencl.hpp"
#include "problem.hpp"

namespace lu {
namespace {

namespace cl = ladder::cl;
using ladder::cl::check;

constexpr int moves_of_panel = 1 + 4 * panel_columns;  // pairs of rows, and their number
constexpr int message_words = 2 * panel_columns + 1;   // of a work-group: a row of the panel and its place
static_assert(panel_columns == 32, "NB in the kernels is this number");

const cl::Source panel_kernel = R"(
#define NB 32                  // columns of a panel
#define MESSAGE (2 * NB + 1)   // words
#define NOWHERE 0xffffffffu
#define PATIENCE (1u << 20)    // a message that never comes must not stop the device forever: about a second

#ifdef ON_CPU
#define UNROLL
#else
#define UNROLL _Pragma("unroll")  // kept in registers only if all indices are constants
#endif

// The rows of a work-item: one, which it keeps in registers, where all work-groups run together; else
// several, in memory.
#ifdef TOGETHER
#define EACH_ROW(r) for (int r = j + get_global_id(0); r < n; r = n)
#define ROW(r) kept
#define AT(r) kept_at
#else
#define EACH_ROW(r) for (int r = j + get_global_id(0); r < n; r += get_global_size(0))
#define ROW(r) (P + r * NB)
#define AT(r) place[r]
#endif

// A number travels as two words, and each carries the tag of its step: a reader that sees the tag sees the
// number.
void post(volatile global ulong* word, double x, uint tag) {
  // BEGIN SOLUTION The lower half of each word holds a half of the number, the upper half the tag.
  word[0] = (ulong)tag << 32 | (as_ulong(x) & 0xffffffff);
  word[1] = (ulong)tag << 32 | as_ulong(x) >> 32;
  // END SOLUTION
}

// Waits for number k of a message, for its first number, and for its place. What does not come has no place,
// and sets *late.
void collect(volatile global const ulong* message, uint k, uint tag, double* number, double* first, uint* at,
             volatile global ulong* late) {
  // BEGIN SOLUTION All five words are read again until all have the tag: they may arrive in any order. After
  //  PATIENCE times *late becomes 1. Others that still wait look at it now and then, every 64th time, and
  //  give up, too.
  //| *number = *first = 0;
  //| *at = NOWHERE;
  for (uint tries = 0; tries < PATIENCE && !(tries % 64 == 63 && *late); ++tries) {
    const ulong low = message[2 * k], high = message[2 * k + 1];
    const ulong first_low = message[0], first_high = message[1], place = message[2 * NB];
    if (low >> 32 != tag || high >> 32 != tag || first_low >> 32 != tag || first_high >> 32 != tag ||
        place >> 32 != tag)
      continue;
    *number = as_double(high << 32 | (low & 0xffffffff));
    *first = as_double(first_high << 32 | (first_low & 0xffffffff));
    *at = (uint)place;
    return;
  }
  *late = 1;
  *number = *first = 0;
  *at = NOWHERE;
  // END SOLUTION
}

#if CAPABILITY >= 80
uint max_of_warp(uint x) {
  uint all;
  asm volatile("redux.sync.max.u32 %0, %1, 0xffffffff;" : "=r"(all) : "r"(x));
  return all;
}
uint min_of_warp(uint x) {
  uint all;
  asm volatile("redux.sync.min.u32 %0, %1, 0xffffffff;" : "=r"(all) : "r"(x));
  return all;
}
// The largest key of 32 work-items, of equal ones the one with the smallest place.
void choose_in_warp(ulong* key, uint* at) {
  const uint mine = *key >> 32, high = max_of_warp(mine);
  const uint low = max_of_warp(mine == high ? (uint)*key : 0);
  const ulong best = (ulong)high << 32 | low;
  *at = min_of_warp(*key == best ? *at : NOWHERE);
  *key = best;
}
#endif

// The largest key of the work-group, of equal ones the one with the smallest place: all its work-items get
// it.
void choose(local ulong* keys, local uint* places,  // ITEMS each
            ulong* key, uint* at,
            int alike) {  // whether each 32 work-items have one key and one place
  const uint t = get_local_id(0);
#if CAPABILITY >= 80
  if (!alike) choose_in_warp(key, at);
  if (t % 32 == 0) {
    keys[t / 32] = *key;
    places[t / 32] = *at;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  *key = t % 32 < ITEMS / 32 ? keys[t % 32] : 0;
  *at = t % 32 < ITEMS / 32 ? places[t % 32] : NOWHERE;
  choose_in_warp(key, at);
#else
  keys[t] = *key;
  places[t] = *at;
  for (uint width = ITEMS / 2; width > 0; width /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint other = t + width;
    if (t < width && (keys[other] > keys[t] || (keys[other] == keys[t] && places[other] < places[t]))) {
      keys[t] = keys[other];
      places[t] = places[other];
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  *key = keys[0];
  *at = places[0];
#endif
}

// Absolute values as integers in the same order; zero is for nobody.
ulong key_of(double x) { return as_ulong(fabs(x)) + 1; }

// The work-groups eliminate the panel at row and column j together. A row of it is a ring: its first element
// is the one of the step's column, and elements that are done come last. Rows stay where they are until the
// end; AT is where they belong.
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void eliminate_panel(global double* A,             // n x n
                     global double* P,             // n x NB, workspace
                     global int* place,            // n, workspace
                     volatile global ulong* mail,  // 1, if a message is late; [2][groups][MESSAGE]; zeros
                     volatile global int* moves,   // [panels][1 + 4 NB]: rows that move, 0 at first; from, to
                     global int* pivot,            // n
                     global int* info,             // 1
                     int n, int j) {
  local ulong keys[2][ITEMS];
  local uint places[2][ITEMS];
  local double best_row[NB] __attribute__((aligned(16))), U[NB] __attribute__((aligned(16))), inverse;
  const uint t = get_local_id(0), group = get_group_id(0), groups = get_num_groups(0);
  const int columns = min(NB, n - j);
  moves += j / NB * (1 + 4 * NB);
#ifdef TOGETHER
  double kept[NB];
  int kept_at = 0;
#endif
  EACH_ROW(r) {
    AT(r) = r;
    UNROLL for (int k = 0; k < NB; ++k) ROW(r)[k] = k < columns ? A[r * n + j + k] : 0;
  }
  if (group == 0 && t == 0 && j == 0) *info = 0;
  barrier(CLK_GLOBAL_MEM_FENCE);  // rows of A are overwritten at the end
  for (int c = 0; c < columns; ++c) {
    const int i = j + c;
    const uint tag = i + 1;
    volatile global ulong* box = mail + 1 + c % 2 * groups * MESSAGE;
    ulong key = 0;
    uint at = NOWHERE;
    // BEGIN SOLUTION Of this work-item's rows that are not done, at or below place i: key_of() the largest
    //  first element, and the place it belongs to, of equal ones the smallest.
    EACH_ROW(r) {
      const ulong mine = AT(r) >= i ? key_of(ROW(r)[0]) : 0;  // rows above i are done
      if (mine > key || (mine == key && mine > 0 && (uint)AT(r) < at)) {
        key = mine;
        at = AT(r);
      }
    }
    // END SOLUTION
    choose(keys[0], places[0], &key, &at, 0);
    EACH_ROW(r) {
      if ((uint)AT(r) == at) {
        UNROLL for (int k = 0; k < NB; ++k) best_row[k] = ROW(r)[k];
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    double candidate = 0, leading = 1;
#ifndef TOGETHER  // one work-group has chosen
    const uint own = t < NB ? at : NOWHERE;
    if (t < NB) candidate = best_row[t];
    const double reciprocal = 1 / best_row[0];
#else
    // BEGIN SOLUTION Post the work-group's best row, one number by each of NB work-items, and its place, in
    //  box. Then NB work-items with following numbers read the message of group g, others that of another
    //  group, until all groups are read. Each keeps in candidate its element of the best row that it has
    //  read, in own that row's place; then all choose the best of all, its place in at. Who may overwrite a
    //  box, and when has everybody read it?
    if (t < NB) post(box + group * MESSAGE + 2 * t, best_row[t], tag);
    if (t == NB) box[group * MESSAGE + 2 * NB] = (ulong)tag << 32 | at;
    key = 0;
    at = NOWHERE;
    for (uint g = t / NB; g < groups; g += ITEMS / NB) {
      volatile global const ulong* message = box + g * MESSAGE;
      double element, first;
      uint its_at;
      collect(message, t % NB, tag, &element, &first, &its_at, mail);
      const ulong its_key = its_at == NOWHERE ? 0 : key_of(first);
      if (its_key > key || (its_key == key && its_at < at)) {
        key = its_key;
        at = its_at;
        candidate = element;
        leading = first;
      }
    }
    const uint own = at;
    const double reciprocal = 1 / leading;  // by all who may have the pivot, instead of one after the choice
    choose(keys[1], places[1], &key, &at, 1);  // among all work-groups
    // END SOLUTION
#endif
    if (own == at) {
      U[t % NB] = t % NB < NB - c ? candidate : 0;  // zeros where this step changes nothing
      if (t % NB == 0) inverse = reciprocal;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int s = min(at, (uint)(n - 1));  // what is late has no place
    const double divisor = U[0];
    // BEGIN SOLUTION The rows of places i and s change places. Then each row's ring turns by one: what was
    //  its element k comes to k - 1, and in rows below i it loses factor times U[k]. The last one becomes the
    //  factor, in other rows what was the first. inverse is 1 / divisor; what if it is infinite?
    EACH_ROW(r) {
      if (AT(r) == s) AT(r) = i;
      else if (AT(r) == i) AT(r) = s;
      const bool below = AT(r) > i;
      const double first = ROW(r)[0];
      double factor = first * inverse;
      // The inverse may be infinite.
      if (fabs(divisor) < 0x1p-1022) factor = divisor == 0 ? 0 : first / divisor;
      if (!below) factor = 0;
      UNROLL for (int k = 1; k < NB; ++k) ROW(r)[k - 1] = ROW(r)[k] - factor * U[k];
      ROW(r)[NB - 1] = below ? factor : first;
    }
    // END SOLUTION
    if (group == 0 && t == 0) {
      pivot[i] = s;
      if (divisor == 0 && *info == 0) *info = i + 1;
    }
  }
  EACH_ROW(r) {
    UNROLL for (int k = 0; k < NB; ++k) {
      const int c = (k + columns) % NB;
      if (c < columns) A[AT(r) * n + j + c] = ROW(r)[k];
    }
    if (AT(r) != r) {
      const int k = atomic_inc(moves);
      if (k < 2 * NB) {  // more there are only if a message was late: then groups do not agree
        moves[1 + 2 * k] = r;
        moves[2 + 2 * k] = AT(r);
      }
    }
  }
}
)";

/// How a matrix is factorised.
struct Plan {
  Device device;
  int block = wide_columns;               ///< columns that change the rest of A together
  int rows = update_rows;                 ///< of a tile of update_trailing
  int items = int(cl::group_items(512));  ///< work-items of a group of eliminate_panel
  bool together = false;                  ///< its work-groups run at once, and a work-item has one row
};

/// Only of NVIDIA's work-groups it is known that they go on while others wait; and all must be there at once.
Plan plan_of(int n) {
  Plan plan{.device = device_of_step()};
  if (plan.device.is_cpu) plan.items = std::min(plan.items, 128);  // they take turns, and each barrier costs
  plan.together = plan.device.capability >= 80 && n <= plan.items * plan.device.units;
  if (plan.together && n > 4096) plan.block *= 2;  // 36.3 ms instead of 38.6 ms at n = 8192 on an H100
  return plan;
}

constexpr std::size_t chunks(std::size_t count, std::size_t size) {
  return (count + size - 1) / size;
}

/// Memory of the device besides A. Kept for the next matrix of the same order.
struct Workspace {
  int n;
  std::size_t mail_bytes, moves_bytes;
  cl::Buffer P, place, mail, moves;
  Workspace(int n, const Plan& plan)
      : n(n),
        mail_bytes((1 + 2 * chunks(n, plan.items) * message_words) * sizeof(cl_ulong)),
        moves_bytes(chunks(n, panel_columns) * moves_of_panel * sizeof(int)),
        P(CL_MEM_READ_WRITE, (plan.together ? 1 : n) * panel_columns * sizeof(double)),
        place(CL_MEM_READ_WRITE, (plan.together ? 1 : n) * sizeof(int)),
        mail(CL_MEM_READ_WRITE, mail_bytes),
        moves(CL_MEM_READ_WRITE, moves_bytes) {}
};

/// That of the last matrix, if it had the same order; else a new one replaces it. A program that factorises
/// many sizes then needs no more memory than the largest does.
const Workspace& workspace(int n, const Plan& plan) {
  // Never released: OpenCL may end before static objects do.
  static std::optional<Workspace>& last = *new std::optional<Workspace>;
  if (!last || last->n != n) last.emplace(n, plan);
  return *last;
}

/// The kernels, built once per plan.
struct Programs {
  cl::Program panel, rest;
};

const Programs& programs(const Plan& plan) {
  const std::string options = macros_of(plan.device) + " -DBLOCK=" + std::to_string(plan.block) +
                              " -DSTRIP=" + std::to_string(strip_of(plan.device)) +
                              " -DROWS=" + std::to_string(plan.rows) +
                              " -DITEMS=" + std::to_string(plan.items) + (plan.together ? " -DTOGETHER" : "");
  static std::map<std::string, Programs> kept;
  const auto found = kept.find(options);
  if (found != kept.end()) return found->second;
  return kept
      .emplace(options, Programs{cl::Program{panel_kernel, options}, cl::Program{block_kernels, options}})
      .first->second;
}

void factorise(const Problem& p, const Plan& plan) {
  const cl_command_queue queue = cl::queue();
  const cl_mem dA = cl::memory(p.A), dpivot = cl::memory(p.pivot), dinfo = cl::memory(p.info);
  const auto clear = [&](cl_mem memory, std::size_t bytes) {
    constexpr int zero = 0;
    check(clEnqueueFillBuffer(queue, memory, &zero, sizeof zero, 0, bytes, 0, nullptr, nullptr));
  };
  if (p.n == 0) return clear(dinfo, sizeof(int));  // OpenCL knows no empty ranges
  const Workspace& work = workspace(p.n, plan);
  clear(work.moves.get(), work.moves_bytes);
  if (plan.together) clear(work.mail.get(), work.mail_bytes);  // it has the tags of an earlier matrix

  const auto& [panel, rest] = programs(plan);
  const cl::Kernel eliminate_panel{panel, "eliminate_panel"}, permute_and_solve{rest, "permute_and_solve"};
  const cl::Kernel solve_block{rest, "solve_block"}, update_trailing{rest, "update_trailing"};
  const auto launch = [&](const cl::Kernel& kernel, std::size_t groups_x, std::size_t items_x,
                          std::size_t groups_y = 1, std::size_t items_y = 1) {
    const std::size_t range[] = {groups_x * items_x, groups_y * items_y}, group[] = {items_x, items_y};
    check(clEnqueueNDRangeKernel(queue, kernel.get(), 2, nullptr, range, group, 0, nullptr, nullptr));
  };
  // Subtracts the products of `depth` columns from j on from the rows from `row` on, in columns from, …,
  // to - 1.
  const auto update = [&](int j, int depth, int row, int from, int to) {
    cl::set_arguments(update_trailing, dA, p.n, j, depth, row, from, to);
    launch(update_trailing, chunks(to - from, update_columns), update_items, chunks(p.n - row, plan.rows));
  };

  const auto eliminate = [&](int j) {
    cl::set_arguments(eliminate_panel, dA, work.P, work.place, work.mail, work.moves, dpivot, dinfo, p.n, j);
    launch(eliminate_panel, plan.together ? chunks(p.n - j, plan.items) : 1, plan.items);
  };
  // Moves rows outside of the panel at j as inside; the columns from there to end - 1 lose L11.
  const auto permute = [&](int j, int end) {
    cl::set_arguments(permute_and_solve, dA, work.moves, p.n, j, 0, end);
    launch(permute_and_solve, chunks(p.n, strip_columns), strip_columns, 1, strip_lines);
  };
  // Solves the rows of the block at j with its L11, on its right.
  const auto solve = [&](int j) {
    const int strip = strip_of(plan.device);
    cl::set_arguments(solve_block, dA, p.n, j, j + plan.block);
    launch(solve_block, chunks(p.n - j - plan.block, strip), strip, 1, strip_lines);
  };

  for (int begin = 0; begin < p.n; begin += plan.block) {
    const int end = std::min(begin + plan.block, p.n);
    // BEGIN SOLUTION The block has panels at begin, begin + 32, …. After each of them the columns of this
    //  block on its right change, and no others; after the block all on its right. There a block always has
    //  all of its columns.
    //| [[maybe_unused]] eliminate, permute, solve, update, end;
    //| ladder::task();  // Delete this line when you start.
    for (int j = begin; j < end; j += panel_columns) {
      const int next = std::min(j + panel_columns, end);
      eliminate(j);
      permute(j, end);
      if (next < end) update(j, panel_columns, next, next, end);
    }
    if (end == p.n) break;
    solve(begin);
    update(begin, plan.block, end, end, p.n);
    // END SOLUTION
  }
  if (plan.together) throw_if_late(queue, work.mail);
}

}  // namespace

/// PA = LU of a matrix on the device.
/// @throws ladder::Error when a call of OpenCL fails, or a message between work-groups does not come in time.
void tagged_messages(const Problem& p) {
  factorise(p, plan_of(p.n));
}

}  // namespace lu
