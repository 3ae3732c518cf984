/// @file
/// Memory and shuffles without a value. `right`: nothing depends on them. `wrong`: something does, and the
/// rest is the same. Without arguments the program lists the cases, and the worst that may be found in the
/// right version.

#include <cuda_runtime.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <new>
#include <optional>
#include <utility>

namespace {

/// Device memory that is copied back and freed.
template <class T>
struct Memory {
  explicit Memory(int count) : count_(count) { cudaMalloc(&data_, count * sizeof(T)); }
  Memory(const Memory&) = delete;
  ~Memory() { cudaFree(data_); }
  T* get() const { return data_; }
  T at(int i) const {
    T value;
    cudaMemcpy(&value, data_ + i, sizeof(T), cudaMemcpyDeviceToHost);
    return value;
  }

 private:
  T* data_;
  int count_;
};

// ---------------------------------------------------------------- padding of structures

struct KeyFirst {
  int key;
  double weight;
};
struct KeyLast {
  double weight;
  int key;
};
struct Letters {
  char a;
  int key;
  short weight;
};
struct Nested {
  Letters inner[2];
  char weight;
  double key;
};
struct alignas(16) Point {
  float key, y, weight;
};
struct Based : KeyLast {
  char more;
};
struct Bits {
  unsigned char key : 3;
  double weight;
};

template <class T>
struct Set {
  static __device__ void key(T& item, int value) { item.key = value; }
  static __device__ void weight(T& item, int value) { item.weight = value; }
};
template <>
struct Set<Nested> {
  static __device__ void key(Nested& item, int value) {
    for (Letters& l : item.inner) l.a = 1, l.key = value, l.weight = 2;
    item.key = value;
  }
  static __device__ void weight(Nested& item, int value) { item.weight = value; }
};
template <>
struct Set<Point> {
  static __device__ void key(Point& item, int value) { item.key = item.y = value; }
  static __device__ void weight(Point& item, int value) { item.weight = value; }
};
template <>
struct Set<Letters> {
  static __device__ void key(Letters& item, int value) { item.key = value, item.a = 0; }
  static __device__ void weight(Letters& item, int value) { item.weight = value; }
};
template <>
struct Set<Based> {
  static __device__ void key(Based& item, int value) { item.key = value, item.more = 0; }
  static __device__ void weight(Based& item, int value) { item.weight = value; }
};

template <class T>
__global__ void fill_items(T* items, bool right) {
  Set<T>::key(items[threadIdx.x], threadIdx.x % 8 ? -1 : 3);
  if (right) Set<T>::weight(items[threadIdx.x], 1);
}
template <class T>
__global__ void swap_items(T* items) {
  const T other = items[63 - threadIdx.x];
  __syncthreads();
  items[threadIdx.x] = other;
}
template <class T>
__global__ void copy_items(T* to, const T* from) {
  if (threadIdx.x % 4 == 0) memcpy(&to[threadIdx.x], &from[threadIdx.x], 4 * sizeof(T));
}
template <class T>
bool padding(bool right) {
  Memory<T> items(64), more(64);
  fill_items<<<1, 64>>>(items.get(), right);
  swap_items<<<1, 64>>>(items.get());
  copy_items<<<1, 64>>>(more.get(), items.get());
  T host[64];
  cudaMemcpy(host, more.get(), sizeof host, cudaMemcpyDeviceToHost);
  return true;
}

__global__ void fill_and_copy(KeyFirst* to, KeyFirst* items, bool right) {
  KeyFirst& mine = items[threadIdx.x];
  mine.key = -1;
  if (right) mine.weight = 2;
  to[threadIdx.x] = mine;
}
bool copied_at_once(bool right) {
  Memory<KeyFirst> items(64), to(64);
  fill_and_copy<<<1, 64>>>(to.get(), items.get(), right);
  return !right || to.at(5).key == -1;
}

template <class T>
__device__ __noinline__ double weight_of(T item) {
  return item.weight;
}
template <class T>
__global__ void add_weights(double* sum, const T* items) {
  *sum = 0;
  for (int i = 0; i < 64; ++i) *sum += weight_of(items[i]);
}
/// The usual two kernels of an argmax: candidates of blocks in device memory.
bool argument(bool right) {
  Memory<KeyLast> items(64);
  Memory<double> sum(1);
  fill_items<<<1, 64>>>(items.get(), right);
  add_weights<<<1, 1>>>(sum.get(), items.get());
  return !right || sum.at(0) == 64;
}

using Maybe = std::optional<std::array<double, 3>>;
__global__ void make_optional(Maybe* v, bool right) {
  if (right) new (&v[threadIdx.x]) Maybe;
}
__global__ void copy_optional(Maybe* to, const Maybe* from) {
  to[threadIdx.x] = from[threadIdx.x];
}
bool empty_optional(bool right) {
  Memory<Maybe> from(32), to(32);
  make_optional<<<1, 32>>>(from.get(), right);
  copy_optional<<<1, 32>>>(to.get(), from.get());
  return !right || !to.at(3);
}
union Either {
  double real;
  int whole;
};
__global__ void make_union(Either* v, bool right) {
  if (right) v[threadIdx.x].whole = 3;
}
__global__ void copy_union(Either* to, const Either* from) {
  to[threadIdx.x] = from[threadIdx.x];
}
bool union_member(bool right) {
  Memory<Either> from(32), to(32);
  make_union<<<1, 32>>>(from.get(), right);
  copy_union<<<1, 32>>>(to.get(), from.get());
  return !right || to.at(3).whole == 3;
}

// ---------------------------------------------------------------- values that are read and dropped

__global__ void sum_pairs(double* y, const double2* x, bool right) {
  const double2 pair = x[threadIdx.x];
  y[threadIdx.x] = right && threadIdx.x == 31 ? pair.x : pair.x + pair.y;
}
bool dropped_half_of_a_pair(bool right) {
  Memory<double> y(32), x(64);
  cudaMemset(x.get(), 0, 63 * sizeof(double));
  sum_pairs<<<1, 32>>>(y.get(), reinterpret_cast<double2*>(x.get()), right);
  return !right || y.at(31) == 0;
}
struct Stack {
  int depth;
  double items[15];
};
__global__ void push(Stack* s) {
  s[threadIdx.x].depth = 1;
  s[threadIdx.x].items[0] = 2;
}
__global__ void top(double* y, const Stack* s, bool right) {
  const Stack mine = s[threadIdx.x];
  y[threadIdx.x] = mine.items[right ? mine.depth - 1 : mine.depth];
}
bool part_of_a_structure(bool right) {
  Memory<Stack> s(32);
  Memory<double> y(32);
  push<<<1, 32>>>(s.get());
  top<<<1, 32>>>(y.get(), s.get(), right);
  return !right || y.at(3) == 2;
}
__global__ void masked(double* y, const double* x, int n, bool right) {
  const double value = x[threadIdx.x];
  y[threadIdx.x] = !right || static_cast<int>(threadIdx.x) < n ? value : 0;
}
bool load_before_the_guard(bool right) {
  Memory<double> y(32), x(32);
  cudaMemset(x.get(), 0, 20 * sizeof(double));
  masked<<<1, 32>>>(y.get(), x.get(), 20, right);
  return !right || y.at(31) == 0;
}

// ---------------------------------------------------------------- accesses that the compiler makes late

struct Vec {
  float x, y, z;
};
__global__ void copy_by_memcpy(Vec* to, const Vec* from, bool right) {
  if (right) memcpy(&to[threadIdx.x], &from[threadIdx.x], sizeof(Vec));
}
__global__ void scale(float* y, const Vec* v) {
  y[threadIdx.x] = v[threadIdx.x].x + v[threadIdx.x].y + v[threadIdx.x].z;
}
bool structure_by_memcpy(bool right) {
  Memory<Vec> from(32), to(32);
  Memory<float> y(32);
  cudaMemset(from.get(), 0, 32 * sizeof(Vec));
  copy_by_memcpy<<<1, 32>>>(to.get(), from.get(), right);
  scale<<<1, 32>>>(y.get(), to.get());
  return !right || y.at(5) == 0;
}
struct Shape {
  virtual __device__ int sides() const = 0;
};
struct Square : Shape {
  __device__ int sides() const override { return 4; }
};
__global__ void make_shape(Shape** s, bool right) {
  *s = right ? new Square : static_cast<Square*>(malloc(sizeof(Square)));
}
__global__ void ask_shape(int* y, Shape** s, bool right) {
  *y = right ? (*s)->sides() : *reinterpret_cast<int*>(*s);
}
__global__ void free_shape(Shape** s) {
  free(*s);
}
bool virtual_functions(bool right) {
  Memory<Shape*> s(1);
  Memory<int> y(1);
  make_shape<<<1, 1>>>(s.get(), right);
  ask_shape<<<1, 1>>>(y.get(), s.get(), right);
  free_shape<<<1, 1>>>(s.get());
  return !right || y.at(0) == 4;
}
struct Matrix {
  double a[9];
};
__device__ __noinline__ Matrix unit(int n) {
  Matrix m{};
  for (int i = 0; i < 9; i += n + 1) m.a[i] = 1;
  return m;
}
struct Body {
  Matrix turn;
  int id;
  __device__ Body(int i) : turn(unit(3)), id(i) {}
};
__global__ void make_body(Body* b, bool right) {
  if (right) new (&b[threadIdx.x]) Body(3);
}
__global__ void trace(double* y, const Body* b) {
  y[threadIdx.x] = b[threadIdx.x].turn.a[0] + b[threadIdx.x].turn.a[4];
}
/// What a function returns right into a member, the hooks do not see.
bool returned_in_place(bool right) {
  Memory<Body> b(32);
  Memory<double> y(32);
  make_body<<<1, 32>>>(b.get(), right);
  trace<<<1, 32>>>(y.get(), b.get());
  return !right || y.at(5) == 2;
}

// ---------------------------------------------------------------- lanes

__global__ void scan_of_present(int* y, int n, bool right) {
  const int t = threadIdx.x;
  const unsigned mask = (1u << n) - 1;
  if (t >= n) return;
  int x = 1;
  for (int d = 1; d < 32; d *= 2) {
    const int other = __shfl_down_sync(mask, x, d);
    if (!right || t + d < n) x += other;
  }
  y[t] = x;
}
bool lane_outside_the_mask(bool right) {
  Memory<int> y(20);
  scan_of_present<<<1, 32>>>(y.get(), 20, right);
  return !right || y.at(0) == 20;
}
__global__ void sum_of_present(int* y, bool right) {
  const int t = threadIdx.x;
  if (t >= 20) return;
  const int other = __shfl_xor_sync(0xffffffffu, t, 16);
  y[t] = right && t >= 4 ? t : other;
}
bool lane_that_has_left(bool right) {
  Memory<int> y(20);
  sum_of_present<<<1, 32>>>(y.get(), right);
  return !right || (y.at(0) == 16 && y.at(5) == 5);
}
__global__ void active(int* y, bool right) {
  const int t = threadIdx.x;
  int x = 1;
  const unsigned before = __activemask();
  if (t < 8) {
    const unsigned mask = __activemask();
    for (int d = 4; d > 0; d /= 2) x += __shfl_down_sync(mask, x, d, right ? 8 : 32);
    if (!right) x += __shfl_down_sync(mask, x, 8);
  }
  if (t == 0) y[0] = x, y[1] = before == 0xffffffffu, y[2] = __popc(__ballot_sync(__activemask(), 1));
}
bool active_mask(bool right) {
  Memory<int> y(3);
  active<<<1, 32>>>(y.get(), right);
  return !right || (y.at(0) == 8 && y.at(1) == 1 && y.at(2) == 1);
}

struct Case {
  const char *name, *worst;
  bool (*run)(bool right);
};
constexpr Case cases[] = {
    {"padding-in-the-middle", "nothing", padding<KeyFirst>},
    {"padding-at-the-end", "nothing", padding<KeyLast>},
    {"padding-three-times", "nothing", padding<Letters>},
    {"padding-of-members", "nothing", padding<Nested>},
    {"padding-of-alignment", "nothing", padding<Point>},
    {"padding-of-a-base", "nothing", padding<Based>},
    {"padding-behind-bits", "nothing", padding<Bits>},
    {"padding-copied-at-once", "nothing", copied_at_once},
    {"argument-with-padding", "nothing", argument},
    {"empty-optional", "nothing", empty_optional},
    {"union-member", "nothing", union_member},
    {"dropped-half-of-a-pair", "note", dropped_half_of_a_pair},
    {"part-of-a-structure", "note", part_of_a_structure},
    {"load-before-the-guard", "note", load_before_the_guard},
    {"structure-by-memcpy", "nothing", structure_by_memcpy},
    {"virtual-functions", "nothing", virtual_functions},
    {"returned-in-place", "nothing", returned_in_place},
    {"lane-outside-the-mask", "note", lane_outside_the_mask},
    {"lane-that-has-left", "note", lane_that_has_left},
    {"active-mask", "nothing", active_mask},
};

}  // namespace

int main(int count, char** words) {
  for (const Case& one : cases)
    if (count < 3)
      std::printf("%s %s\n", one.name, one.worst);
    else if (std::strcmp(one.name, words[1]) == 0)
      std::puts(one.run(std::strcmp(words[2], "right") == 0) ? "OK" : "WRONG");
}
