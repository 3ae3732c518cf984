#pragma once
/// @file
/// Given, for t6: the panel of t1, with less on the way of each column. Source: none; words that carry a tag
/// as in NCCL's protocol LL.
///
/// In t1 a column takes 2.4 us on an H100. What is different here:
/// - Of a row the next column is updated first, and alone. The search begins at once, and all other
///   elements follow while the messages are in flight.
/// - A search compares the upper halves of 32 numbers by one instruction. Only if several are equal it looks
///   further.
/// - A work-group waits for its own work-items twice per column, not four times.
/// - Words of a message are loaded in pairs. Elements that are done are not sent.
/// - The sender inverts the pivot, while the row is in flight.
/// - A panel's elements are loaded and stored by rows, through local memory.
/// - The last rows, as many as one work-group has, need no messages.
/// - The last 2048 rows have work-groups of 256: a barrier then waits for fewer work-items.

#include "common/device/opencl.hpp"
#include "problem.hpp"

namespace lu {

/// Bytes of the memory in which work-groups of panel_of_groups send each other messages. Zero at first. Its
/// first word is not 0 when one of them has waited for a message in vain.
constexpr std::size_t mail_bytes(std::size_t groups) {
  return (1 + 2 * groups * (panel_columns + 1)) * 4 * sizeof(cl_uint);
}

/// Bytes of the memory in which panel_of_one_group keeps the rows of a panel, and their places.
constexpr std::size_t rows_bytes(std::size_t n) {
  return n * (panel_columns * sizeof(double) + sizeof(cl_int));
}

/// eliminate_panel for NVIDIA's GPUs from capability 8.0 on. Work-items have one row each; all work-groups
/// must run at the same time. Macros: ITEMS, of a work-group, a multiple of 32; AT_ONCE, messages that 32
/// work-items wait for at once.
inline const ladder::cl::Source panel_of_groups = R"(
#define NB 32                // columns of a panel
#define WARPS (ITEMS / 32)   // 32 work-items with following numbers run together: a warp
#define MESSAGE (NB + 1)     // parts: a row, and the inverse of its first element
#define NOWHERE 0xffffu      // no place: n is smaller
#define LEAST 0x1p-1022      // the inverse of a smaller number may be infinite:
#define ENLARGED 0x1p+60     // then it is that of the number times this
#define PATIENCE (1u << 20)  // a message that does not come must not stop the device forever: about a second

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
// Bit l: whether work-item l of the warp says yes.
uint those_of_warp(int yes) {
  uint all;
  asm volatile("{\n .reg .pred p;\n setp.ne.s32 p, %1, 0;\n vote.sync.ballot.b32 %0, p, 0xffffffff;\n}"
      : "=r"(all) : "r"(yes));
  return all;
}
// What a work-item of the warp has stored before, all of them see.
void sync_warp() { asm volatile("bar.warp.sync 0xffffffff;" : : : "memory"); }

// A part of a message is a number and a place. Each 8 bytes of it arrive as a whole, and carry the tag.
void send(global uint4* part, double number, uint place, uint tag) {
  const ulong bits = as_ulong(number);
  asm volatile("st.volatile.global.v4.u32 [%0], {%1, %2, %3, %4};"
      : : "l"((ulong)part), "r"((uint)bits), "r"(place << 16 | tag), "r"((uint)(bits >> 32)), "r"(tag)
      : "memory");
}
uint4 load(global const uint4* part) {
  uint x, y, z, w;
  asm volatile("ld.volatile.global.v4.u32 {%0, %1, %2, %3}, [%4];"
      : "=r"(x), "=r"(y), "=r"(z), "=r"(w) : "l"((ulong)part) : "memory");
  return (uint4)(x, y, z, w);
}
// end of PTX

int has_come(uint4 part, uint tag) { return (part.y & 0xffff) == tag && part.w == tag; }
double number_of(uint4 part) { return as_double((ulong)part.z << 32 | part.x); }

// A candidate for the pivot: the upper half of its absolute value + 1, or 0 for nobody; the lower half; its
// place.
uint4 candidate(double x, uint place) {
  const ulong bits = as_ulong(fabs(x));
  return place == NOWHERE ? (uint4)(0, 0, NOWHERE, 0) : (uint4)((uint)(bits >> 32) + 1, (uint)bits, place, 0);
}

// Which work-item of the warp has the largest candidate, of equal ones that with the smallest place.
uint largest_in_warp(uint4 its) {
  uint best = those_of_warp(its.x == max_of_warp(its.x));
  if (best & (best - 1)) {  // several
    const int high = best >> get_local_id(0) % 32 & 1;
    const uint low = max_of_warp(high ? its.y : 0);
    const uint place = min_of_warp(high && its.y == low ? its.z : NOWHERE);
    best = those_of_warp(high && its.y == low && its.z == place);
  }
  return 31 - clz(best & -best);
}

// Each work-item of a warp has loaded every 32nd element of 8 x 32 in 4 tiles, row by row: now it gets a row.
// And back.
void rows_from_tiles(double* a, local double (*tile)[9]) {
  const uint lane = get_local_id(0) % 32;
#pragma unroll
  for (int q = 0; q < NB; q += 8) {
#pragma unroll
    for (int s = 0; s < 8; ++s) tile[4 * s + lane / 8][lane % 8] = a[q + s];
    sync_warp();
#pragma unroll
    for (int k = 0; k < 8; ++k) a[q + k] = tile[lane][k];
    sync_warp();
  }
}
void tiles_from_rows(double* a, local double (*tile)[9]) {
  const uint lane = get_local_id(0) % 32;
#pragma unroll
  for (int q = 0; q < NB; q += 8) {
#pragma unroll
    for (int k = 0; k < 8; ++k) tile[lane][k] = a[q + k];
    sync_warp();
#pragma unroll
    for (int s = 0; s < 8; ++s) a[q + s] = tile[4 * s + lane / 8][lane % 8];
    sync_warp();
  }
}

// Only constants index a, so it stays in registers. For that it turns: what was element k comes to k - 1,
// less what is still to be subtracted for the column before; the first one is x now, and the last one what
// was the first.
#define TURN                                               \
  _Pragma("unroll") for (int k = 2; k < NB; k += 2) {      \
    const double2 both = *(local const double2*)(U + k);   \
    a[k - 1] = fma(-factor, both.x, a[k]);                 \
    a[k] = fma(-factor, both.y, a[k + 1]);                 \
  }                                                        \
  a[0] = x;                                                \
  a[NB - 1] = last;

// The work-groups eliminate the panel at row and column j together. Rows stay where they are until the end:
// `place` is where they belong.
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void eliminate_panel(global double* A,            // n x n
                     global uint4* mail,          // 1, if a message is late; [2][groups][MESSAGE]; zeros
                     volatile global int* moves,  // [panels][1 + 4 NB]: rows that move, 0 at first; from, to
                     global int* pivot,           // n
                     global int* info,            // 1
                     int n, int j) {
  local double tiles[WARPS][32][9];
  // A row, a zero, and its first element's inverse.
  local double rows[2][WARPS][NB + 2] __attribute__((aligned(16)));
  local double own_row[NB + 2] __attribute__((aligned(16)));  // the work-group's best row, and its factor
  local uint4 of_warps[WARPS], of_groups[WARPS];
  local int places[ITEMS];
  const uint t = get_local_id(0), lane = t % 32, warp = t / 32;
  const uint group = get_group_id(0), groups = get_num_groups(0);
  const int columns = min(NB, n - j), r = j + get_global_id(0), tile_row = r - lane + lane / 8;
  const uint4 nobody = (uint4)(0, 0, NOWHERE, 0);
  moves += j / NB * (1 + 4 * NB);
  if (group == 0 && t == 0 && j == 0) *info = 0;
  double a[NB];
#pragma unroll
  for (int e = 0; e < NB; ++e) {
    const int row = tile_row + 4 * (e % 8), c = e / 8 * 8 + lane % 8;
    a[e] = row < n && c < columns ? A[row * n + j + c] : 0;
  }
  rows_from_tiles(a, tiles[warp]);
  int place = r < n ? r : -1;
  // Nothing is to be lost before the first column, but it turns then, too: so it first turns back.
  double factor = 0, last = a[NB - 1];
#pragma unroll
  for (int k = NB - 1; k > 0; --k) a[k] = a[k - 1];
  a[0] = last;
  local const double* U = rows[1][0];  // what the rows are to lose, times their factors
  for (uint e = t; e < 2 * WARPS * (NB + 2); e += ITEMS) ((local double*)rows)[e] = 0;
  if (lane == 0) of_groups[warp] = nobody;
  barrier(CLK_LOCAL_MEM_FENCE);

#pragma unroll 1
  for (int c = 0; c < columns; ++c) {
    const int i = j + c;
    const uint tag = i + 1;
    global uint4* box = mail + 1 + c % 2 * groups * MESSAGE;
    local double (*received)[NB + 2] = rows[c % 2];
    // The work-group's best row: rows above i are done.
    const double x = fma(-factor, U[1], a[1]);
    const uint4 own = candidate(x, place >= i ? place : NOWHERE);
    const uint own_best = largest_in_warp(own);
    if (lane == own_best) of_warps[warp] = own;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint best = largest_in_warp(lane < WARPS ? of_warps[lane] : nobody);
    if (warp == best) {
      if (lane == own_best) {
#pragma unroll
        for (int k = 0; k < NB; k += 2) *(local double2*)(own_row + k) = (double2)(a[k], a[k + 1]);
        own_row[NB] = factor;
      }
      sync_warp();
      // A work-item for each element: what is left is subtracted, and it is sent. Those that are done are
      // zeros.
      const double element = lane < NB - c ? fma(-own_row[NB], U[lane + 1], own_row[(lane + 1) % NB]) : 0;
      if (groups == 1) received[0][lane] = element;
      else if (lane < NB - c) send(box + group * MESSAGE + lane, element, of_warps[warp].z, tag);
    }
    if (warp == (best + 1) % WARPS && lane == 0) {  // another warp divides, while that one sends
      const uint4 its = of_warps[best];
      const double size = as_double((ulong)(its.x - 1) << 32 | its.y);
      const double inverse = its.x == 0 || size == 0 ? 0 : 1 / (size < LEAST ? size * ENLARGED : size);
      if (groups == 1) received[0][NB + 1] = inverse, of_groups[0] = its;
      else send(box + group * MESSAGE + NB, inverse, 0, tag);
    }
    TURN  // while messages are in flight

    // Warp w waits for the messages of the work-groups w, w + WARPS, ... and keeps the best. Nobody
    // overwrites a box before all have read it: who sends for column c + 2 has all messages for c + 1, which
    // were sent when those for c were read.
    if (groups > 1) {
      uint4 chosen = nobody;
      double element = 0, inverse = 0;
      for (uint g = warp; g < groups; g += AT_ONCE * WARPS) {
        uint4 first[AT_ONCE], mine[AT_ONCE], inverted[AT_ONCE];
        uint all = 0;
        for (uint tries = 0; !all && tries < PATIENCE && !(tries % 64 == 63 && load(mail).x); ++tries) {
          all = 1;
#pragma unroll
          for (int e = 0; e < AT_ONCE; ++e) {  // to read the last one twice changes nothing
            global const uint4* message = box + min(g + e * WARPS, groups - 1) * MESSAGE;
            first[e] = load(message);
            mine[e] = load(message + (lane < NB - c ? lane : 0));
            inverted[e] = load(message + NB);
          }
#pragma unroll
          for (int e = 0; e < AT_ONCE; ++e)
            all &= has_come(first[e], tag) & has_come(mine[e], tag) & has_come(inverted[e], tag);
        }
        if (!all) *(volatile global uint*)mail = 1;
#pragma unroll
        for (int e = 0; e < AT_ONCE; ++e) {
          // What is late has no place.
          const uint4 its = candidate(number_of(first[e]), all ? first[e].y >> 16 : NOWHERE);
          if (its.x > chosen.x ||
              (its.x == chosen.x && (its.y > chosen.y || (its.y == chosen.y && its.z < chosen.z)))) {
            chosen = its;
            element = number_of(mine[e]);
            inverse = number_of(inverted[e]);
          }
        }
      }
      received[warp][lane] = lane < NB - c ? element : 0;
      if (lane == 0) {
        received[warp][NB + 1] = inverse;
        of_groups[warp] = chosen;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint winner = largest_in_warp(lane < WARPS ? of_groups[lane] : nobody);
    const int s = min((int)of_groups[winner].z, n - 1);
    U = received[winner];

    // The rows of places i and s change places.
    if (place == s) place = i;
    else if (place == i) place = s;
    const double divisor = U[0];
    factor = (fabs(divisor) < LEAST ? x * ENLARGED : x) * copysign(U[NB + 1], divisor);
    last = place > i ? factor : x;
    if (place <= i) factor = 0;
    if (group == 0 && t == 0) {
      pivot[i] = s;
      if (divisor == 0 && *info == 0) *info = i + 1;
    }
  }
  for (int c = columns; c <= NB; ++c) {  // of the last column; then further, where columns are missing
    const double x = fma(-factor, U[1], a[1]);
    TURN
    factor = 0;
    last = a[0];
  }
  places[t] = place;
  tiles_from_rows(a, tiles[warp]);
#pragma unroll
  for (int e = 0; e < NB; ++e) {
    const int c = e / 8 * 8 + lane % 8, to = places[warp * 32 + 4 * (e % 8) + lane / 8];
    if (to >= 0 && c < columns) A[to * n + j + c] = a[e];
  }
  if (place >= 0 && place != r) {
    const int k = atomic_inc(moves);
    if (k < 2 * NB) {  // more there are only if a message was late: then groups do not agree
      moves[1 + 2 * k] = r;
      moves[2 + 2 * k] = place;
    }
  }
}
)";

/// eliminate_panel for all other devices: one work-group, which keeps the rows in memory and needs no
/// messages. Macro: ITEMS, of the work-group, a power of two.
inline const ladder::cl::Source panel_of_one_group = R"(
#define NB 32  // columns of a panel
#define NOWHERE 0xffffffffu

// The rows of a work-item, and where a row belongs.
#define EACH_ROW(r) for (int r = j + get_local_id(0); r < n; r += ITEMS)
#define ROW(r) (P + r * NB)

kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void eliminate_panel(global double* A,   // n x n
                     global double* P,   // n x NB, and the places of n rows, workspace
                     global int* moves,  // [panels][1 + 4 NB]: rows that move, 0 at first; from, to
                     global int* pivot,  // n
                     global int* info,   // 1
                     int n, int j) {
  local ulong keys[ITEMS];  // absolute values as integers in the same order, + 1; zero is for nobody
  local uint places[ITEMS];
  local double U[NB];
  const uint t = get_local_id(0);
  const int columns = min(NB, n - j);
  volatile global int* place = (volatile global int*)(P + n * NB);
  moves += j / NB * (1 + 4 * NB);
  if (t == 0 && j == 0) *info = 0;
  EACH_ROW(r) {
    place[r] = r;
    for (int k = 0; k < NB; ++k) ROW(r)[k] = k < columns ? A[r * n + j + k] : 0;
  }
  barrier(CLK_GLOBAL_MEM_FENCE);  // rows of A are overwritten at the end
  for (int c = 0; c < columns; ++c) {
    const int i = j + c;
    ulong key = 0;
    uint at = NOWHERE;
    EACH_ROW(r) {
      const ulong mine = place[r] >= i ? as_ulong(fabs(ROW(r)[0])) + 1 : 0;  // rows above i are done
      if (mine > key || (mine == key && mine > 0 && (uint)place[r] < at)) {
        key = mine;
        at = place[r];
      }
    }
    keys[t] = key;
    places[t] = at;
    for (uint width = ITEMS / 2; width > 0; width /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      const uint other = t + width;
      if (t < width && (keys[other] > keys[t] || (keys[other] == keys[t] && places[other] < places[t]))) {
        keys[t] = keys[other];
        places[t] = places[other];
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int s = places[0];
    EACH_ROW(r) {
      if (place[r] == s)
        for (int k = 0; k < NB; ++k) U[k] = k < NB - c ? ROW(r)[k] : 0;  // zeros where nothing changes
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const double divisor = U[0];
    // Each turns by one: its first element is the one of the next column, and those that are done come last.
    EACH_ROW(r) {
      if (place[r] == s) place[r] = i;
      else if (place[r] == i) place[r] = s;
      const bool below = place[r] > i;
      const double first = ROW(r)[0], factor = below && divisor != 0 ? first / divisor : 0;
      for (int k = 1; k < NB; ++k) ROW(r)[k - 1] = ROW(r)[k] - factor * U[k];
      ROW(r)[NB - 1] = below ? factor : first;
    }
    if (t == 0) {
      pivot[i] = s;
      if (divisor == 0 && *info == 0) *info = i + 1;
    }
  }
  EACH_ROW(r) {
    for (int c = 0; c < columns; ++c) A[place[r] * n + j + c] = ROW(r)[(c + NB - columns) % NB];
    if (place[r] != r) {
      const int k = atomic_inc(moves);
      moves[1 + 2 * k] = r;
      moves[2 + 2 * k] = place[r];
    }
  }
}
)";

}  // namespace lu
