#include "common/executor/observe/addresses/names.hpp"

#include <atomic>
#include <cstring>

#include "common/executor/observe/addresses/array_shapes.hpp"
#include "common/executor/observe/addresses/objects.hpp"
#include "common/executor/observe/addresses/source_text.hpp"
#include "common/executor/observe/counters/lines.hpp"
#include "common/executor/runtime/report.hpp"
#include "common/executor/runtime/symbols.hpp"

namespace ladder::executor {
namespace {

constinit std::atomic<const Kernel*> running_kernel{nullptr};

const Kernel* current_kernel() {
  return running_kernel;
}

const ArrayShape* shape_of(const TrackedObject& object) {
  if (object.kind == ObjectKind::static_shared) return shape_of_shared(object.key);
  if (object.kind == ObjectKind::variable) return shape_of_data(object.key);
  return nullptr;
}

std::array<std::uint32_t, 3> index_in(dim3 size, std::uint64_t number) {
  return {static_cast<std::uint32_t>(number % size.x), static_cast<std::uint32_t>(number / size.x % size.y),
          static_cast<std::uint32_t>(number / size.x / size.y)};
}

/// "5", "(0,1)", "(0,1,2)"
std::string index_text(dim3 size, std::uint64_t number) {
  const auto index = index_in(size, number);
  if (size.y == 1 && size.z == 1) return std::to_string(index[0]);
  std::string text = "(" + std::to_string(index[0]) + "," + std::to_string(index[1]);
  if (size.z != 1) text += "," + std::to_string(index[2]);
  return text + ")";
}

/// The kernel's name for the memory, when a pointer to its first byte is an argument.
std::string parameter_name(const TrackedObject& object, const SourceLine& line) {
  const Kernel* kernel = current_kernel();
  if (!kernel) return {};
  for (std::size_t i = 0; i < kernel->pointers.size(); ++i) {
    if (kernel->pointers[i] != object.begin) continue;
    const std::string name = name_of_parameter(line.file, kernel->name, i);
    return name.empty() ? name_of_parameter(line_of(kernel->site).file, kernel->name, i) : name;
  }
  return {};
}

std::string name_at(const TrackedObject& object, const SourceLine& line) {
  switch (object.kind) {
    case ObjectKind::static_shared:
    case ObjectKind::variable:
      if (const ArrayShape* shape = shape_of(object); shape && !shape->name.empty()) return shape->name;
      return variable_name(object.symbol);
    case ObjectKind::dynamic_shared: {
      const Kernel* kernel = current_kernel();
      const std::string file = !line.file.empty() ? line.file : kernel ? kernel->site.file : "";
      const std::string name = name_of_dynamic_shared(file, line.line);
      return name.empty() ? "dynamic shared memory" : name;
    }
    case ObjectKind::device:
    case ObjectKind::pinned:
    case ObjectKind::managed: {
      if (object.made.line == memory_name)
        return std::string(object.made.file, std::strcspn(object.made.file, " "));
      const SourceLine made = line_of(object.made);
      std::string name = name_of_allocation(made.file, made.line, object.nth_at_line);
      // A member, or memory that other files allocated: the kernel's own name for it says more.
      if (name.empty() || name.ends_with('_') || (!line.file.empty() && line.file != made.file))
        if (const std::string parameter = parameter_name(object, line); !parameter.empty()) name = parameter;
      return name.empty() ? "allocation at " + made.file + ":" + std::to_string(made.line) : name;
    }
    case ObjectKind::other:
      break;
  }
  return object.space == Space::argument ? "the kernel's arguments" : "memory";
}

}  // namespace

void set_current_kernel(const Kernel* kernel) {
  running_kernel = kernel;
}

std::string object_name(const Object& object, const SourceLine& line) {
  return name_at(tracked(object), line);
}

std::string address_text(const Object& plain, const void* address, std::size_t bytes,
                         const SourceLine& line) {
  const TrackedObject& object = tracked(plain);
  const auto offset = static_cast<const char*>(address) - object.begin;
  if (const ArrayShape* shape = shape_of(object); shape && offset >= 0)
    return element_text(*shape, static_cast<std::size_t>(offset));
  const std::string name = name_at(object, line);
  const auto size = static_cast<std::ptrdiff_t>(bytes > 0 ? bytes : 1);
  const bool whole = offset % size == 0;
  const std::string unit = whole && size > 1 ? "" : " bytes";
  const std::ptrdiff_t at = whole ? offset / size : offset;
  if (object.kind == ObjectKind::dynamic_shared && whole && at >= 0)
    return name + "[" + std::to_string(at) + "]";
  const auto length = static_cast<std::ptrdiff_t>(object.bytes()) / (whole ? size : 1);
  return name + (at < 0 ? " - " : " + ") + std::to_string(at < 0 ? -at : at) + unit + " (of " +
         std::to_string(length) + ")";
}

std::string thread_text(const Kernel& kernel, unsigned thread) {
  return "thread " + index_text(kernel.block, thread);
}

std::string block_text(const Kernel& kernel, std::uint64_t block) {
  return "block " + index_text(kernel.grid, block);
}

std::array<std::uint32_t, 3> thread_index_of(const Kernel& kernel, unsigned thread) {
  return index_in(kernel.block, thread);
}

std::array<std::uint32_t, 3> block_index_of(const Kernel& kernel, std::uint64_t block) {
  return index_in(kernel.grid, block);
}

SourceLine line_of(Site site) {
  return {shown_path(site.file), site.line};
}

}  // namespace ladder::executor
