#pragma once
/// @file
/// A problem in the judge: its scalars, its inputs, and the outputs of a step. The judge handles it as bytes;
/// a lesson sees its own type.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "common/judge/session/shared_memory.hpp"
#include "common/judge/worker/protocol.hpp"
#include "common/lesson/lesson.hpp"

namespace ladder {

/// An array of a problem.
struct ArrayShape {
  std::string name;
  Role role;
  std::size_t bytes;
  std::size_t pointer;      ///< offset of its pointer in the problem
  std::size_t element = 1;  ///< bytes of an element
};

struct PartShape;

/// A problem without its type and without content: the scalars, with null pointers, and the arrays.
struct ProblemShape {
  std::vector<std::byte> scalars;
  std::vector<ArrayShape> arrays;
  /// Elements of the memory of each resident array in front of it: with one, arrays begin at no multiple of
  /// 16 bytes.
  std::uint32_t offset = 0;
  /// What a rank has of the problem with these scalars; null: the contract has no part().
  PartShape (*part)(const std::byte* whole, int rank, int ranks) = nullptr;

  std::size_t bytes() const;  ///< of all arrays
};

/// A rank's problem, and its blocks in the whole one, in the order of the arrays.
struct PartShape {
  ProblemShape shape;
  std::vector<Block> blocks;
};

template <class Problem>
ProblemShape shape_of(Problem problem) {
  static_assert(std::is_trivially_copyable_v<Problem> && sizeof problem <= protocol::max_problem,
                "a problem holds scalars and pointers, no data");
  ProblemShape shape;
  problem.arrays([&](const char* name, Role role, auto& pointer, std::size_t count) {
    const auto at =
        reinterpret_cast<const std::byte*>(&pointer) - reinterpret_cast<const std::byte*>(&problem);
    shape.arrays.push_back(
        {name, role, count * sizeof *pointer, static_cast<std::size_t>(at), sizeof *pointer});
    pointer = nullptr;
  });
  shape.scalars.resize(sizeof problem);
#if __has_builtin(__builtin_clear_padding)
  __builtin_clear_padding(&problem);  // shapes are compared: two of one problem have the same bytes
#endif
  std::memcpy(shape.scalars.data(), &problem, sizeof problem);
  if constexpr (requires { problem.part(0, 1); })
    shape.part = [](const std::byte* bytes, int rank, int ranks) {
      Problem whole;
      std::memcpy(&whole, bytes, sizeof whole);
      const Problem part = whole.part(rank, ranks);
      const auto blocks = part.blocks(whole);
      return PartShape{shape_of(part), {blocks.begin(), blocks.end()}};
    };
  return shape;
}

/// What the judge shares with a worker.
struct Exchange {
  std::vector<std::byte> scalars;  ///< the problem with null pointers
  std::vector<protocol::Array> table;
  std::shared_ptr<SharedMemory> inputs;  ///< several contenders share them
  SharedMemory outputs;
  std::vector<std::byte> taken;         ///< outputs of the last call, copied before anything reads them
  std::uint64_t id = 0;                 ///< of the memory: a worker maps it once
  std::byte poison = protocol::poison;  ///< fills outputs before a call
  std::uint32_t offset = 0;             ///< see ProblemShape
  /// Of calls that are only timed, all with the same inputs: outputs on the device stay there, and `taken` is
  /// without them.
  bool unread = false;
};

/// A tag: the new instance shares the inputs of another one.
struct SameInputs {};
inline constexpr SameInputs same_inputs;

/// A problem with memory for its arrays. The judge may write arrays of role in and inout until the call; a
/// call does not change them.
class AnyInstance {
 public:
  explicit AnyInstance(ProblemShape shape);
  /// Another one with the same inputs in the same memory, and outputs of its own.
  AnyInstance(const AnyInstance& content, SameInputs);

  /// The problem as a step gets it: inputs; inout arrays as before the call.
  const void* given() const { return given_; }
  void* given() { return given_; }
  /// The same with the outputs of the last call.
  const void* got() const { return got_; }
  Exchange& exchange() { return exchange_; }

  /// To be called after scalars of given() have changed. No scalar that sizes an array may change, since the
  /// arrays stay.
  void take_scalars();
  /// Copies the current scalars of an instance that has the same inputs.
  void take_scalars(const AnyInstance& content);
  /// Copies to each rank its blocks of the inputs; what is between their rows is NaN.
  /// @return the ranks' exchanges, which belong to this instance
  std::vector<Exchange*> scatter(int ranks);
  /// Puts the ranks' blocks of the outputs together.
  /// @return an error text when a rank wrote between the rows of a block; "" if none did
  std::string gather();
  /// Of the last gather(): which rank has another result than rank 0 in the same block; "" if none has.
  const std::string& disagreement() const { return disagreement_; }
  /// Sets the pointers of got() to the outputs in `taken`.
  void bind_outputs();

  /// "C is", "L and U are": the outputs when none of them has changed in the call; empty when one has.
  /// An output that is not an input, too, was filled by prepare() with the poison.
  std::string untouched() const;

 private:
  void allocate(std::shared_ptr<SharedMemory> inputs);
  void scatter(std::size_t rank);
  bool gather(std::size_t rank, std::size_t array);
  std::byte* input(std::size_t array) const;
  std::byte* taken(std::size_t array);
  const std::byte* taken(std::size_t array) const;

  ProblemShape shape_;
  std::vector<AnyInstance> parts_;  ///< of the ranks that the last call had
  std::vector<Block> blocks_;       ///< of a part: its place in the whole
  std::string disagreement_;
  alignas(std::max_align_t) std::byte given_[protocol::max_problem], got_[protocol::max_problem];
  Exchange exchange_;
};

/// The same as its lesson sees it.
template <class Problem>
class Instance : public AnyInstance {
 public:
  /// @param shape  the scalars; its pointers are set here.
  explicit Instance(const Problem& shape) : AnyInstance(ladder::shape_of(shape)) {}
  Instance(const Instance& content, SameInputs) : AnyInstance(content, same_inputs) {}

  Problem* operator->() { return static_cast<Problem*>(AnyInstance::given()); }
  const Problem& given() const { return *static_cast<const Problem*>(AnyInstance::given()); }
  const Problem& got() const { return *static_cast<const Problem*>(AnyInstance::got()); }

  /// Changes scalars for the next calls.
  template <class Change>
  void change(Change&& change) {
    change(*operator->());
    take_scalars();
  }

  /// The array @p pointer of given() for filling.
  template <class T>
  static T* writable(const T* pointer) {
    return const_cast<T*>(pointer);
  }
};

}  // namespace ladder
