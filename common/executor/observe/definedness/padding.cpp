#include "common/executor/observe/definedness/padding.hpp"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <string_view>

namespace ladder::executor {
namespace {

using Bytes = Holes;

/// Larger structures are not looked at: what of them is missing counts as a member.
constexpr Dwarf_Word largest = 65536;

std::optional<Dwarf_Word> number(Dwarf_Die& die, unsigned attribute) {
  Dwarf_Attribute memory;
  Dwarf_Word value = 0;
  if (dwarf_formudata(dwarf_attr_integrate(&die, attribute, &memory), &value) != 0) return {};
  return value;
}

bool has(Dwarf_Die& die, unsigned attribute) {
  return dwarf_hasattr(&die, attribute) != 0;
}

bool is_structure(int tag) {
  return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

/// The type of a member, without typedef and const. Nothing when it is not known.
std::optional<Dwarf_Die> type_of(Dwarf_Die& die) {
  Dwarf_Attribute memory;
  Dwarf_Die type;
  if (!dwarf_formref_die(dwarf_attr_integrate(&die, DW_AT_type, &memory), &type)) return {};
  Dwarf_Die result;
  if (dwarf_peel_type(&type, &result) != 0) return {};
  return result;
}

/// Calls f(child) for each child.
template <class Function>
void each_child(Dwarf_Die& parent, Function f) {
  Dwarf_Die child;
  if (dwarf_child(&parent, &child) != 0) return;
  do f(child);
  while (dwarf_siblingof(&child, &child) == 0);
}

void mark(Bytes& bytes, std::size_t begin, std::size_t count) {
  for (std::size_t i = begin; i < std::min(begin + count, bytes.size()); ++i) bytes[i] = true;
}

void cover(Dwarf_Die& type, std::size_t at, Bytes& bytes);

/// Of little-endian machines. DWARF 4 counts a bit field's bits from the high end of its unit.
void cover_bit_field(Dwarf_Die& member, std::size_t at, Dwarf_Word bits, Bytes& bytes) {
  Dwarf_Word first = number(member, DW_AT_data_bit_offset).value_or(0);
  if (const auto from_high_end = number(member, DW_AT_bit_offset)) {
    const Dwarf_Word unit = number(member, DW_AT_byte_size).value_or(4);
    first = 8 * (number(member, DW_AT_data_member_location).value_or(0) + unit) - *from_high_end - bits;
  }
  mark(bytes, at + first / 8, (first % 8 + bits + 7) / 8);
}

void cover_member(Dwarf_Die& member, std::size_t at, Bytes& bytes) {
  if (const auto bits = number(member, DW_AT_bit_size)) return cover_bit_field(member, at, *bits, bytes);
  const bool in_union = !has(member, DW_AT_data_member_location);
  const auto place = in_union ? std::optional<Dwarf_Word>(0) : number(member, DW_AT_data_member_location);
  auto type = type_of(member);
  if (!place || !type) return mark(bytes, 0, bytes.size());  // a virtual base
  cover(*type, at + *place, bytes);
}

void cover_array(Dwarf_Die& array, std::size_t at, Bytes& bytes) {
  auto element = type_of(array);
  const int size = element ? dwarf_bytesize(&*element) : -1;
  if (size <= 0) return mark(bytes, at, bytes.size());
  Dwarf_Word count = 1;
  each_child(array, [&](Dwarf_Die& range) {
    if (dwarf_tag(&range) != DW_TAG_subrange_type) return;
    const auto last = number(range, DW_AT_upper_bound), elements = number(range, DW_AT_count);
    count *= elements ? *elements : last ? *last + 1 : 0;
  });
  for (Dwarf_Word i = 0; i < count && at + i * static_cast<unsigned>(size) < bytes.size(); ++i)
    cover(*element, at + i * static_cast<unsigned>(size), bytes);
}

void cover_structure(Dwarf_Die& type, std::size_t at, Bytes& bytes) {
  const bool is_union = dwarf_tag(&type) == DW_TAG_union_type;
  std::optional<Bytes> in_all;
  each_child(type, [&](Dwarf_Die& member) {
    const int tag = dwarf_tag(&member);
    if (tag != DW_TAG_member && tag != DW_TAG_inheritance) return;
    if (has(member, DW_AT_external) || has(member, DW_AT_declaration)) return;  // static
    if (!is_union) return cover_member(member, at, bytes);
    Bytes of_this(bytes.size());
    cover_member(member, at, of_this);
    if (in_all)
      for (std::size_t i = 0; i < bytes.size(); ++i) of_this[i] = of_this[i] && (*in_all)[i];
    in_all = of_this;
  });
  if (in_all)
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = bytes[i] || (*in_all)[i];
}

/// Marks what the members of a type at that offset cover.
void cover(Dwarf_Die& type, std::size_t at, Bytes& bytes) {
  const int tag = dwarf_tag(&type);
  if (tag == DW_TAG_array_type) return cover_array(type, at, bytes);
  if (is_structure(tag)) return cover_structure(type, at, bytes);
  const int size = dwarf_bytesize(&type);
  mark(bytes, at, size > 0 ? static_cast<std::size_t>(size) : sizeof(void*));
}

/// Of the libraries only what programs store as values: its nodes and iterators would excuse too much.
bool may_be_stored(Dwarf_Die& type) {
  const char* const file = dwarf_decl_file(&type);
  const std::string_view path = file ? file : "/usr/";
  if (!path.starts_with("/usr/") && path.find("common/executor/include/") == path.npos) return true;
  const char* const name = dwarf_diename(&type);
  for (const char* known : {"pair<", "tuple<", "optional<", "variant<", "array<", "complex<"})
    if (name && std::string_view(name).starts_with(known)) return true;
  return false;
}

/// Holes of the program's structures, by size.
class Structures {
 public:
  Structures() {
    const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    Dwarf* const information = file < 0 ? nullptr : dwarf_begin(file, DWARF_C_READ);
    std::size_t header = 0;
    for (Dwarf_Off at = 0, next = 0;
         information && dwarf_nextcu(information, at, &next, &header, nullptr, nullptr, nullptr) == 0;
         at = next) {
      Dwarf_Die unit;
      if (dwarf_offdie(information, at + header, &unit)) collect(unit);
    }
    if (information) dwarf_end(information);
    if (file >= 0) close(file);
    for (const auto& [size, all] : holes_)
      if (!all.empty()) sizes_.push_back(size);
  }

  const std::vector<Holes>& with_holes(std::size_t size) const {
    static const std::vector<Holes> none;
    const auto found = holes_.find(size);
    return found == holes_.end() ? none : found->second;
  }
  const std::vector<std::size_t>& sizes() const { return sizes_; }

 private:
  void collect(Dwarf_Die& parent) {
    each_child(parent, [&](Dwarf_Die& child) {
      const int tag = dwarf_tag(&child);
      if (is_structure(tag)) look_at(child);
      if (is_structure(tag) || tag == DW_TAG_namespace || tag == DW_TAG_subprogram ||
          tag == DW_TAG_lexical_block)
        collect(child);
    });
  }

  void look_at(Dwarf_Die& type) {
    const auto size = number(type, DW_AT_byte_size);
    if (!size || *size < 2 || *size > largest || has(type, DW_AT_declaration) || !may_be_stored(type)) return;
    Bytes covered(*size);
    cover(type, 0, covered);
    covered.flip();
    add(covered);
    while (!covered.empty() && covered.back()) covered.pop_back();
    add(covered);
  }

  void add(const Holes& holes) {
    std::vector<Holes>& all = holes_[holes.size()];
    if (std::ranges::find(holes, true) != holes.end() && std::ranges::find(all, holes) == all.end())
      all.push_back(holes);
  }

  std::map<std::size_t, std::vector<Holes>> holes_;
  std::vector<std::size_t> sizes_;
};

const Structures& structures() {
  static const auto* const all = new Structures;  // never destroyed: the pool outlives static objects
  return *all;
}

}  // namespace

const std::vector<Holes>& structures_with_holes(std::size_t bytes) {
  return structures().with_holes(bytes);
}

std::uint16_t without_padding(std::size_t bytes, std::size_t offset, std::uint16_t missing, bool repeats) {
  std::uint16_t fewest = missing;
  for (const std::size_t size : structures().sizes()) {
    if (size != bytes && (!repeats || size > bytes || bytes % size != 0)) continue;
    for (const Holes& holes : structures_with_holes(size)) {
      std::uint16_t left = 0;
      for (unsigned rest = missing; rest != 0; rest &= rest - 1)
        if (const unsigned byte = static_cast<unsigned>(std::countr_zero(rest));
            !holes[(offset + byte) % size])
          left |= static_cast<std::uint16_t>(1u << byte);
      if (std::popcount(left) < std::popcount(fewest)) fewest = left;
    }
  }
  return fewest;
}

const std::vector<std::size_t>& sizes_with_padding() {
  return structures().sizes();
}

}  // namespace ladder::executor
