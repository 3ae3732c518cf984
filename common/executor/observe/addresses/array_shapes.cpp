#include "common/executor/observe/addresses/array_shapes.hpp"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string_view>

#include "common/executor/runtime/symbols.hpp"

namespace ladder::executor {
namespace {

/// The type that an attribute names, without const, typedef and similar qualifiers.
bool type_of(Dwarf_Die* die, Dwarf_Die& type) {
  Dwarf_Attribute attribute;
  return dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attribute), &type) &&
         dwarf_peel_type(&type, &type) == 0;
}

/// Elements of one dimension; 0 when its length is unknown.
std::size_t extent_of(Dwarf_Die* range) {
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  if (dwarf_formudata(dwarf_attr_integrate(range, DW_AT_count, &attribute), &value) == 0) return value;
  if (dwarf_formudata(dwarf_attr_integrate(range, DW_AT_upper_bound, &attribute), &value) == 0)
    return value + 1;
  return 0;
}

ArrayShape shape_of(Dwarf_Die* variable) {
  ArrayShape shape;
  if (const char* name = dwarf_diename(variable)) shape.name = name;
  Dwarf_Die type, child;
  bool known = type_of(variable, type);
  while (known && dwarf_tag(&type) == DW_TAG_array_type) {
    if (dwarf_child(&type, &child) == 0) {
      do {
        if (dwarf_tag(&child) == DW_TAG_subrange_type) shape.dimensions.push_back(extent_of(&child));
      } while (dwarf_siblingof(&child, &child) == 0);
    }
    Dwarf_Die element = type;
    known = type_of(&element, type);
  }
  const int bytes = known ? dwarf_bytesize(&type) : -1;
  if (bytes > 0) shape.element = static_cast<std::size_t>(bytes);
  return shape;
}

std::size_t bytes_of(const ArrayShape& shape) {
  std::size_t bytes = shape.element;
  for (const std::size_t extent : shape.dimensions) bytes *= extent;
  return bytes;
}

class Shapes {
 public:
  Shapes() {
    const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    if (Dwarf* dwarf = dwarf_begin(file, DWARF_C_READ)) {
      read_units(dwarf);
      dwarf_end(dwarf);
      place_by_name();
    }
    close(file);
  }

  const ArrayShape* shared(std::size_t offset) const { return find(shared_, offset); }
  const ArrayShape* data(std::uintptr_t address) const { return find(data_, address); }

  bool rows_reach(std::size_t extent, std::ptrdiff_t index) const {
    return std::ranges::any_of(arrays_of_rows_, [&](const ArrayShape& shape) {
      std::size_t elements = 1;
      for (const std::size_t dimension : shape.dimensions) elements *= dimension;
      return shape.dimensions.back() == extent && static_cast<std::size_t>(std::abs(index)) < elements;
    });
  }

 private:
  using Map = std::map<std::uintptr_t, ArrayShape>;

  static const ArrayShape* find(const Map& map, std::uintptr_t key) {
    const auto found = map.find(key);
    return found == map.end() || found->second.element == 0 ? nullptr : &found->second;
  }

  void read_units(Dwarf* dwarf) {
    Dwarf_Off offset = 0, next = 0;
    std::size_t header = 0;
    while (dwarf_nextcu(dwarf, offset, &next, &header, nullptr, nullptr, nullptr) == 0) {
      Dwarf_Die unit;
      if (dwarf_offdie(dwarf, offset + header, &unit)) read_children(&unit, "");
      offset = next;
    }
  }

  /// Variables are inside namespaces, functions and blocks. @param function in_symbols() of the function
  /// around
  void read_children(Dwarf_Die* parent, const std::string& function) {
    Dwarf_Die child;
    if (dwarf_child(parent, &child) != 0) return;
    do {
      switch (dwarf_tag(&child)) {
        case DW_TAG_variable:
          read_variable(&child, function);
          break;
        case DW_TAG_subprogram:
          read_children(&child, in_symbols(&child));
          break;
        case DW_TAG_namespace:
        case DW_TAG_lexical_block:
        case DW_TAG_inlined_subroutine:
          read_children(&child, function);
          break;
        default:
          break;
      }
    } while (dwarf_siblingof(&child, &child) == 0);
  }

  /// The function in the symbols of its variables: its mangled name, or what it has of it in an
  /// unnamed namespace, where the compiler does not record more.
  static std::string in_symbols(Dwarf_Die* function) {
    Dwarf_Attribute attribute;
    if (const char* name = dwarf_formstring(dwarf_attr_integrate(function, DW_AT_linkage_name, &attribute)))
      return std::string(name).substr(1);
    const char* name = dwarf_diename(function);
    const std::string plain =
        name ? std::string(name, std::strcspn(name, "<")) : "";  // "multiply" of "multiply<32>"
    return plain.empty() ? "" : std::to_string(plain.size()) + plain;
  }

  void read_variable(Dwarf_Die* variable, const std::string& function) {
    Dwarf_Attribute attribute;
    Dwarf_Op* operations = nullptr;
    std::size_t count = 0;
    const ArrayShape shape = shape_of(variable);
    if (shape.dimensions.size() > 1) arrays_of_rows_.push_back(shape);
    if (!dwarf_attr(variable, DW_AT_location, &attribute)) {
      if (!function.empty()) without_place_.emplace_back(function, shape);
      return;
    }
    if (dwarf_getlocation(&attribute, &operations, &count) != 0 || count == 0) return;
    const auto key = static_cast<std::uintptr_t>(operations[0].number);
    const bool thread_local_one = count == 2 && (operations[1].atom == DW_OP_GNU_push_tls_address ||
                                                 operations[1].atom == DW_OP_form_tls_address);
    if (thread_local_one)
      shared_.emplace(key, shape);
    else if (count == 1 && operations[0].atom == DW_OP_addr)
      data_.emplace(key, shape);
  }

  /// g++ for Arm does not say where thread-local variables are: there the table of symbols does, in which a
  /// variable's name follows that of its function.
  void place_by_name() {
    for (const SharedVariable& variable : shared_variables()) {
      const std::string_view symbol = variable.symbol, name = symbol.substr(0, symbol.find(shared_tag));
      for (const auto& [function, shape] : without_place_)
        if (name.find(function) != name.npos &&
            name.ends_with("E" + std::to_string(shape.name.size()) + shape.name) &&
            bytes_of(shape) == variable.bytes)
          shared_.emplace(variable.offset, shape);
    }
  }

  Map shared_, data_;
  std::vector<std::pair<std::string, ArrayShape>> without_place_;  // and what symbols have of their functions
  std::vector<ArrayShape> arrays_of_rows_;
};

/// Read when the first name is needed: most runs need none.
const Shapes& shapes() {
  static const Shapes* const all = new Shapes;
  return *all;
}

}  // namespace

const ArrayShape* shape_of_shared(std::size_t offset) {
  return shapes().shared(offset);
}

const ArrayShape* shape_of_data(std::uintptr_t address) {
  return shapes().data(address);
}

bool rows_reach(std::size_t extent, std::ptrdiff_t index) {
  return extent > 0 && shapes().rows_reach(extent, index);
}

std::string element_text(const ArrayShape& shape, std::size_t offset) {
  std::string text = shape.name;
  std::size_t index = offset / shape.element, rest = offset % shape.element, below = 1;
  for (const std::size_t extent : shape.dimensions) below *= extent > 0 ? extent : 1;
  for (const std::size_t extent : shape.dimensions) {
    below /= extent > 0 ? extent : 1;
    text += '[' + std::to_string(index / below) + ']';
    index %= below;
  }
  if (shape.dimensions.empty()) rest = offset;
  if (rest > 0) text += " + " + std::to_string(rest) + " bytes";
  return text;
}

}  // namespace ladder::executor
