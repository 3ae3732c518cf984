#pragma once
/// @file
/// A problem in the judge: its scalars, its inputs, and what a step made of it.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "common/judge/protocol.hpp"
#include "common/judge/shared_memory.hpp"
#include "common/lesson/lesson.hpp"

namespace ladder {

/// What the judge shares with a worker, with the problem's type taken away.
struct Exchange {
  std::vector<std::byte> scalars;  ///< the problem with null pointers
  std::vector<protocol::Array> table;
  std::shared_ptr<SharedMemory> inputs;  ///< several racers have the same
  SharedMemory outputs;
  std::vector<std::byte> taken;         ///< outputs of the last call, copied before anything looks at them
  std::uint64_t id = 0;                 ///< of the memory: a worker maps it once
  std::byte poison = protocol::poison;  ///< fills outputs before a call
};

/// Says of an instance that its inputs are those of another.
struct SameInputs {};
inline constexpr SameInputs same_inputs;

/// A problem with memory for its arrays. Fill the inputs through operator->: arrays of role in and inout can be
/// written there until the call, and stay as they were after it.
template <class Problem>
class Instance {
  static_assert(sizeof(Problem) <= protocol::max_problem, "a problem holds scalars and pointers, no data");

 public:
  /// @param shape  the scalars; its pointers are set here.
  explicit Instance(const Problem& shape) : given_(shape), got_(shape) { allocate(nullptr); }
  /// Another one with the same inputs in the same memory, and outputs of its own.
  Instance(const Instance& content, SameInputs) : given_(content.given_), got_(content.given_) {
    allocate(content.exchange_.inputs);
  }

  Problem* operator->() { return &given_; }
  const Problem& given() const { return given_; }  ///< inputs; inout arrays as before the call
  const Problem& got() const { return got_; }      ///< outputs of the last call
  Exchange& exchange() { return exchange_; }

  /// Changes scalars for the next calls: none that says how large an array is, since the arrays stay.
  template <class Change>
  void change(Change&& change) {
    change(given_);
    change(got_);
    write_scalars();
  }

  /// Takes the scalars of one with the same arrays, as its content now has them.
  void take_scalars(const Instance& content) {
    const Problem arrays = given_;
    given_ = got_ = content.given_;
    std::vector<void*> pointers;
    Problem(arrays).arrays([&](const char*, Role, auto& pointer, std::size_t) {
      pointers.push_back(const_cast<void*>(static_cast<const void*>(pointer)));
    });
    for (Problem* of : {&given_, &got_}) {
      std::size_t i = 0;
      of->arrays([&](const char*, Role, auto& pointer, std::size_t) {
        set(pointer, static_cast<std::byte*>(pointers[i++]));
      });
    }
    bind_outputs();
    write_scalars();
  }

  /// The array @p pointer of given() for filling.
  template <class T>
  static T* writable(const T* pointer) {
    return const_cast<T*>(pointer);
  }

  /// Sets the pointers of got() to the outputs that were taken.
  void bind_outputs() {
    std::size_t i = 0;
    got_.arrays([&](const char*, Role role, auto& pointer, std::size_t) {
      const protocol::Array& array = exchange_.table[i++];
      if (is_output(role))
        set(pointer, exchange_.taken.data() + array.output_offset + protocol::begin_in_room(array.bytes));
    });
  }

  /// "C is", "L and U are": the outputs when all of them are as they were before the call; empty when one is not.
  /// One that is no input too was filled with the poison that prepare() writes.
  std::string untouched() {
    std::string names;
    bool all = true;
    std::size_t i = 0;
    Problem problem = given_;
    problem.arrays([&](const char* name, Role role, auto&, std::size_t) {
      const protocol::Array& array = exchange_.table[i++];
      if (!is_output(role) || array.bytes == 0) return;
      const std::byte* now =
          exchange_.taken.data() + array.output_offset + protocol::begin_in_room(array.bytes);
      const std::byte* before = exchange_.inputs->data() + array.input_offset;
      all = all && (is_input(role) ? std::equal(now, now + array.bytes, before)
                                   : std::all_of(now, now + array.bytes,
                                                 [&](std::byte b) { return b == exchange_.poison; }));
      names += (names.empty() ? "" : " and ") + std::string(name);
    });
    return all && !names.empty() ? names + (names.find(' ') == names.npos ? " is" : " are") : "";
  }

 private:
  template <class Pointer>
  static void set(Pointer& pointer, std::byte* to) {
    pointer = reinterpret_cast<Pointer>(const_cast<std::remove_const_t<std::remove_pointer_t<Pointer>>*>(
        reinterpret_cast<std::remove_pointer_t<Pointer>*>(to)));
  }

  /// @param inputs  memory that holds them already; null: new memory
  void allocate(std::shared_ptr<SharedMemory> inputs) {
    static std::uint64_t count = 0;
    exchange_.id = ++count;
    std::size_t input_bytes = 0, output_bytes = 0;
    given_.arrays([&](const char* name, Role role, auto& pointer, std::size_t count) {
      if (exchange_.table.size() == protocol::max_arrays)
        throw Error("array " + std::string(name) +
                    " of the problem is one too many: a message has room for " +
                    std::to_string(protocol::max_arrays) + " (max_arrays in common/judge/protocol.hpp)");
      protocol::Array array;
      array.role = static_cast<std::uint32_t>(role);
      array.present = 1;
      array.bytes = count * sizeof *pointer;
      const std::size_t room = protocol::room_of(array.bytes);
      if (is_input(role)) array.input_offset = input_bytes, input_bytes += room;
      if (is_output(role)) array.output_offset = output_bytes, output_bytes += room;
      exchange_.table.push_back(array);
    });
    exchange_.inputs =
        inputs ? std::move(inputs) : std::make_shared<SharedMemory>("ladder-inputs", input_bytes);
    exchange_.outputs = SharedMemory("ladder-outputs", output_bytes);
    exchange_.taken.resize(output_bytes);
    std::size_t i = 0;
    const auto bind_input = [&](const char*, Role role, auto& pointer, std::size_t) {
      const protocol::Array& array = exchange_.table[i++];
      if (is_input(role)) set(pointer, exchange_.inputs->data() + array.input_offset);
    };
    given_.arrays(bind_input);
    i = 0;
    got_.arrays(bind_input);
    bind_outputs();
    write_scalars();
  }

  void write_scalars() {
    Problem scalars = given_;
    scalars.arrays([](const char*, Role, auto& pointer, std::size_t) { pointer = nullptr; });
    exchange_.scalars.resize(sizeof scalars);
    std::memcpy(exchange_.scalars.data(), &scalars, sizeof scalars);
  }

  Problem given_, got_;
  Exchange exchange_;
};

}  // namespace ladder
