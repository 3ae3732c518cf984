#include "common/judge/session/instance.hpp"

#include <algorithm>

namespace ladder {
namespace {

/// Sets the pointer of an array in a problem.
void set(std::byte* problem, const ArrayShape& array, const std::byte* to) {
  std::memcpy(problem + array.pointer, &to, sizeof to);
}

}  // namespace

std::size_t ProblemShape::bytes() const {
  std::size_t sum = 0;
  for (const ArrayShape& array : arrays) sum += array.bytes;
  return sum;
}

AnyInstance::AnyInstance(ProblemShape shape) : shape_(std::move(shape)) {
  allocate(nullptr);
}

AnyInstance::AnyInstance(const AnyInstance& content, SameInputs) : shape_(content.shape_) {
  allocate(content.exchange_.inputs);
  take_scalars(content);
}

/// @param inputs  memory that contains them already; null: new memory
void AnyInstance::allocate(std::shared_ptr<SharedMemory> inputs) {
  static std::uint64_t count = 0;
  exchange_.id = ++count;
  exchange_.offset = shape_.offset;
  std::size_t input_bytes = 0, output_bytes = 0;
  for (const ArrayShape& one : shape_.arrays) {
    if (exchange_.table.size() == protocol::max_arrays)
      throw Error("array " + one.name + " of the problem is one too many: a message has room for " +
                  std::to_string(protocol::max_arrays) + " (max_arrays in common/judge/worker/protocol.hpp)");
    protocol::Array array;
    array.role = static_cast<std::uint32_t>(one.role);
    array.present = 1;
    array.bytes = one.bytes;
    const std::size_t room = protocol::room_of(array.bytes);
    if (is_input(one.role)) array.input_offset = input_bytes, input_bytes += room;
    if (is_output(one.role)) array.output_offset = output_bytes, output_bytes += room;
    exchange_.table.push_back(array);
  }
  exchange_.inputs =
      inputs ? std::move(inputs) : std::make_shared<SharedMemory>("ladder-inputs", input_bytes);
  exchange_.outputs = SharedMemory("ladder-outputs", output_bytes);
  exchange_.taken.resize(output_bytes);
  std::copy(shape_.scalars.begin(), shape_.scalars.end(), given_);
  for (std::size_t i = 0; i < shape_.arrays.size(); ++i)
    if (is_input(shape_.arrays[i].role))
      set(given_, shape_.arrays[i], exchange_.inputs->data() + exchange_.table[i].input_offset);
  take_scalars();
}

void AnyInstance::take_scalars() {
  const std::size_t size = shape_.scalars.size();
  std::copy_n(given_, size, got_);
  bind_outputs();
  exchange_.scalars.assign(given_, given_ + size);
  for (const ArrayShape& array : shape_.arrays) set(exchange_.scalars.data(), array, nullptr);
}

void AnyInstance::take_scalars(const AnyInstance& content) {
  std::copy_n(content.given_, shape_.scalars.size(), given_);  // with the pointers: the inputs are shared
  take_scalars();
}

const std::byte* AnyInstance::taken(std::size_t array) const {
  const protocol::Array& one = exchange_.table[array];
  return exchange_.taken.data() + one.output_offset + protocol::begin_in_room(one.bytes);
}

void AnyInstance::bind_outputs() {
  for (std::size_t i = 0; i < shape_.arrays.size(); ++i)
    if (is_output(shape_.arrays[i].role)) set(got_, shape_.arrays[i], taken(i));
}

std::string AnyInstance::untouched() const {
  std::string names;
  bool all = true;
  for (std::size_t i = 0; i < shape_.arrays.size(); ++i) {
    const ArrayShape& array = shape_.arrays[i];
    if (!is_output(array.role) || array.bytes == 0) continue;
    const std::byte *now = taken(i), *before = exchange_.inputs->data() + exchange_.table[i].input_offset;
    const auto poisoned = [this](std::byte b) { return b == exchange_.poison; };
    all = all && (is_input(array.role) ? std::equal(now, now + array.bytes, before)
                                       : std::all_of(now, now + array.bytes, poisoned));
    names += (names.empty() ? "" : " and ") + array.name;
  }
  return all && !names.empty() ? names + (names.find(' ') == names.npos ? " is" : " are") : "";
}

}  // namespace ladder
