#include "common/judge/session/instance.hpp"

#include <algorithm>

namespace ladder {
namespace {

/// Sets the pointer of an array in a problem.
void set(std::byte* problem, const ArrayShape& array, const std::byte* to) {
  std::memcpy(problem + array.pointer, &to, sizeof to);
}

/// Shows the neighbouring elements of a block to `visit(own, whole, elements)`: where they begin in the
/// rank's array and in the whole one.
template <class Visitor>
void pieces(const Block& block, Visitor&& visit) {
  const std::size_t width = block.column_cycle.width > 0 ? block.column_cycle.width : block.columns;
  for (std::size_t row = 0; row < block.rows; ++row)
    for (std::size_t column = 0; column < block.columns; column += width)
      visit(row * block.own_ld + column,
            block.first + block.row_cycle.place(row) * block.ld + block.column_cycle.place(column),
            std::min(width, block.columns - column));
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
    if (is_input(shape_.arrays[i].role)) set(given_, shape_.arrays[i], input(i));
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

std::byte* AnyInstance::input(std::size_t array) const {
  return exchange_.inputs->data() + exchange_.table[array].input_offset;
}

std::byte* AnyInstance::taken(std::size_t array) {
  const protocol::Array& one = exchange_.table[array];
  return exchange_.taken.data() + one.output_offset + protocol::begin_in_room(one.bytes);
}

const std::byte* AnyInstance::taken(std::size_t array) const {
  return const_cast<AnyInstance*>(this)->taken(array);
}

std::vector<Exchange*> AnyInstance::scatter(int ranks) {
  if (!shape_.part) throw Error("the problem has no part(): a rung with distributed data needs one");
  std::vector<PartShape> wanted;
  for (int rank = 0; rank < ranks; ++rank) {
    wanted.push_back(shape_.part(given_, rank, ranks));
    wanted.back().shape.offset = shape_.offset;
  }
  const bool known = std::ranges::equal(wanted, parts_, [](const PartShape& part, const AnyInstance& there) {
    return part.shape.scalars == there.shape_.scalars;
  });
  if (!known) parts_.clear();  // first: two large problems may not fit
  std::vector<Exchange*> exchanges;
  for (std::size_t rank = 0; rank < wanted.size(); ++rank) {
    if (!known) parts_.emplace_back(std::move(wanted[rank].shape)).blocks_ = std::move(wanted[rank].blocks);
    parts_[rank].exchange_.poison = exchange_.poison;
    parts_[rank].exchange_.unread = exchange_.unread;
    // In calls that are only timed the inputs stay on the devices.
    if (!known || !exchange_.unread) scatter(rank);
  }
  for (AnyInstance& part : parts_) exchanges.push_back(&part.exchange_);
  return exchanges;
}

void AnyInstance::scatter(std::size_t rank) {
  const AnyInstance& part = parts_[rank];
  for (std::size_t i = 0; i < shape_.arrays.size(); ++i) {
    if (!is_input(shape_.arrays[i].role)) continue;
    std::memset(part.input(i), std::to_integer<int>(protocol::poison), part.shape_.arrays[i].bytes);
    const std::size_t element = shape_.arrays[i].element;
    pieces(part.blocks_[i], [&](std::size_t own, std::size_t whole, std::size_t elements) {
      std::memcpy(part.input(i) + own * element, input(i) + whole * element, elements * element);
    });
  }
}

std::string AnyInstance::gather() {
  std::string wrong;
  disagreement_.clear();
  for (std::size_t i = 0; i < shape_.arrays.size(); ++i) {
    const ArrayShape& array = shape_.arrays[i];
    if (!is_output(array.role)) continue;
    if (is_input(array.role))
      std::memcpy(taken(i), input(i), array.bytes);
    else
      std::memset(taken(i), std::to_integer<int>(exchange_.poison), array.bytes);
    for (std::size_t rank = 0; rank < parts_.size(); ++rank) {
      const AnyInstance &part = parts_[rank], &first = parts_.front();
      if (!gather(rank, i))
        wrong = "rank " + std::to_string(rank) + " wrote between the rows of " + array.name +
                ": what is there is neither read nor written";
      if (rank > 0 && part.blocks_[i] == first.blocks_[i] &&
          std::memcmp(part.taken(i), first.taken(i), part.shape_.arrays[i].bytes) != 0)
        disagreement_ =
            array.name + " of rank " + std::to_string(rank) + " is not that of rank 0: each has all of it";
    }
  }
  return wrong;
}

/// @return whether nothing between the rows has changed
bool AnyInstance::gather(std::size_t rank, std::size_t array) {
  const AnyInstance& part = parts_[rank];
  const Block& block = part.blocks_[array];
  const std::size_t element = shape_.arrays[array].element;
  const std::byte filling = is_input(shape_.arrays[array].role) ? protocol::poison : exchange_.poison;
  pieces(block, [&](std::size_t own, std::size_t whole, std::size_t elements) {
    std::memcpy(taken(array) + whole * element, part.taken(array) + own * element, elements * element);
  });
  bool intact = true;
  for (std::size_t row = 0; row < block.rows; ++row) {
    const std::byte* const own = part.taken(array) + row * block.own_ld * element;
    intact = intact && std::all_of(own + block.columns * element, own + block.own_ld * element,
                                   [filling](std::byte b) { return b == filling; });
  }
  return intact;
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
    const std::byte *now = taken(i), *before = input(i);
    const auto poisoned = [this](std::byte b) { return b == exchange_.poison; };
    all = all && (is_input(array.role) ? std::equal(now, now + array.bytes, before)
                                       : std::all_of(now, now + array.bytes, poisoned));
    names += (names.empty() ? "" : " and ") + array.name;
  }
  return all && !names.empty() ? names + (names.find(' ') == names.npos ? " is" : " are") : "";
}

}  // namespace ladder
