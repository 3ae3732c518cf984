#include "common/trace/ncu.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <sstream>

#include "common/base/error.hpp"
#include "common/base/text/numbers.hpp"

namespace ladder {
namespace {

constexpr NcuMetric metrics_table[] = {
    {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "global_load_requests", 1},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "global_store_requests", 1},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "global_load_sectors", 1},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "global_store_sectors", 1},
    {"smsp__inst_executed_op_shared_ld_pred_on_any.sum", "shared_load_requests", 1},
    {"smsp__inst_executed_op_shared_st_pred_on_any.sum", "shared_store_requests", 1},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "shared_load_wavefronts", 1},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", "shared_store_wavefronts", 1},
    // Atomics whose old value nobody uses are "red".
    {"l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", "global_atomic_requests", 1},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_red.sum", "global_atomic_requests", 1},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum", "global_atomic_sectors", 1},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum", "global_atomic_sectors", 1},
    {"smsp__inst_executed_op_shared_atom_pred_on_any.sum", "shared_atomic_requests", 1},
    {"smsp__sass_branch_targets.sum", "branches", 1},
    {"smsp__sass_branch_targets_threads_divergent.sum", "divergent_branches", 1},
    {"smsp__inst_executed.sum", "instructions_warps", 1},
    {"smsp__thread_inst_executed.sum", "instructions_lanes", 1},
    {"l1tex__t_bytes_pipe_lsu_mem_local_op_ld.sum", "local_bytes", 1},
    {"l1tex__t_bytes_pipe_lsu_mem_local_op_st.sum", "local_bytes", 1},
    {"smsp__sass_thread_inst_executed_op_dadd_pred_on.sum", "fp64_operations", 1},
    {"smsp__sass_thread_inst_executed_op_dmul_pred_on.sum", "fp64_operations", 1},
    {"smsp__sass_thread_inst_executed_op_dfma_pred_on.sum", "fp64_operations", 2},
};
constexpr const char* registers_metric = "launch__registers_per_thread";
constexpr const char* static_shared_metric = "launch__shared_mem_per_block_static";
constexpr const char* dynamic_shared_metric = "launch__shared_mem_per_block_dynamic";

/// The fields of a CSV record: all in quotes, a quote inside is doubled. @return the rest of the text
std::string_view record_of(std::string_view text, std::vector<std::string>& fields) {
  fields.clear();
  std::string field;
  bool quoted = false;
  std::size_t i = 0;
  for (; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
      field += '"', ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && c == ',') {
      fields.push_back(std::move(field));
      field.clear();
    } else if (!quoted && c == '\n') {
      break;
    } else if (c != '\r') {
      field += c;
    }
  }
  fields.push_back(std::move(field));
  return i < text.size() ? text.substr(i + 1) : std::string_view();
}

/// "1,024" and "0.97"; nothing for "n/a", "nan" and words.
std::optional<double> number_of(std::string text) {
  std::erase(text, ',');
  return parsed_number(text);
}

/// "(64, 1, 1)"
void read_extent(const std::string& text, std::array<std::uint32_t, 3>& extent) {
  std::sscanf(text.c_str(), "(%u, %u, %u)", &extent[0], &extent[1], &extent[2]);
}

/// The table in what ncu printed: the titles, then a row a launch.
class Table {
 public:
  explicit Table(std::string_view output) {
    const std::string_view first = "\"ID\",\"Process ID\"";
    auto at = output.starts_with(first) ? 0 : output.find("\n" + std::string(first));
    if (at == output.npos) throw Error(ncu_problem(output).value_or("ncu printed no table of counters"));
    if (at > 0) ++at;
    std::vector<std::string> fields;
    std::string_view rest = record_of(output.substr(at), fields);
    for (std::size_t i = 0; i < fields.size(); ++i) columns_[fields[i]] = i;
    const std::size_t width = fields.size();
    rest = record_of(rest, fields);  // the units
    while (!rest.empty()) {
      rest = record_of(rest, fields);
      if (fields.size() == width && number_of(fields[0])) rows_.push_back(fields);
    }
  }

  const std::vector<std::vector<std::string>>& rows() const { return rows_; }

  std::string text(const std::vector<std::string>& row, const char* column) const {
    const auto found = columns_.find(column);
    return found == columns_.end() ? "" : row[found->second];
  }
  std::optional<double> number(const std::vector<std::string>& row, const char* column) const {
    return number_of(text(row, column));
  }

 private:
  std::map<std::string, std::size_t> columns_;
  std::vector<std::vector<std::string>> rows_;
};

LaunchCounters launch_of(const Table& table, const std::vector<std::string>& row) {
  LaunchCounters launch;
  launch.kernel = table.text(row, "Kernel Name");
  read_extent(table.text(row, "Grid Size"), launch.grid);
  read_extent(table.text(row, "Block Size"), launch.block);
  launch.observed_blocks = std::uint64_t{1} * launch.grid[0] * launch.grid[1] * launch.grid[2];
  if (const auto n = table.number(row, registers_metric)) launch.registers = static_cast<unsigned>(*n);
  launch.static_shared = static_cast<std::uint64_t>(table.number(row, static_shared_metric).value_or(0));
  launch.dynamic_shared = static_cast<std::uint64_t>(table.number(row, dynamic_shared_metric).value_or(0));
  for (const NcuMetric& metric : metrics_table) {
    const auto value = table.number(row, metric.name);
    if (value)
      launch.counters[metric.counter] += *value * metric.factor;
    else
      launch.skipped[metric.counter] = std::string("ncu has no ") + metric.name + " on this device";
  }
  // Half of a sum would be a wrong number.
  for (const auto& [counter, why] : launch.skipped) launch.counters.erase(counter);
  return launch;
}

}  // namespace

std::span<const NcuMetric> ncu_metrics() {
  return metrics_table;
}

std::vector<std::string> ncu_names(std::string_view counted) {
  std::vector<std::string> names;
  std::istringstream words{std::string(counted)};
  for (std::string word; words >> word;) {
    bool counter = false;
    for (const NcuMetric& metric : metrics_table)
      if (word == metric.counter) names.push_back(metric.name), counter = true;
    if (!counter) names.push_back(word);
  }
  return names;
}

namespace {

std::vector<std::string> counting(const std::string& ncu, const std::string& names) {
  // Clocks are left alone: counts do not depend on them, and to set them needs more rights.
  return {ncu,
          "--csv",
          "--page",
          "raw",
          "--print-units",
          "base",
          "--clock-control",
          "none",
          "--target-processes",
          "all",
          "--metrics",
          names};
}

}  // namespace

std::vector<std::string> ncu_command(const std::string& ncu, const std::vector<std::string>& program,
                                     const std::set<std::string>& kernels) {
  std::string names = fmt::format("{},{},{}", registers_metric, static_shared_metric, dynamic_shared_metric);
  for (const NcuMetric& metric : metrics_table) names += std::string(",") + metric.name;
  std::vector<std::string> command = counting(ncu, names);
  if (!kernels.empty())
    command.insert(command.end(), {"--kernel-name", fmt::format("regex:({})", fmt::join(kernels, "|"))});
  command.insert(command.end(), program.begin(), program.end());
  return command;
}

std::vector<std::string> ncu_command(const std::string& ncu, std::span<const char* const> metrics,
                                     bool cold) {
  std::string names;
  for (const char* metric : metrics) names += (names.empty() ? "" : ",") + std::string(metric);
  std::vector<std::string> command = counting(ncu, names);
  command.insert(command.end(), {"--cache-control", cold ? "all" : "none"});
  return command;
}

std::vector<NcuLaunch> parse_ncu(std::string_view output, std::span<const char* const> metrics) {
  const Table table(output);
  std::vector<NcuLaunch> launches;
  for (const auto& row : table.rows()) {
    launches.push_back({table.text(row, "Kernel Name"), {}});
    for (const char* metric : metrics)
      if (const auto value = table.number(row, metric)) launches.back().values[metric] = *value;
  }
  if (launches.empty()) throw Error("ncu saw no kernel: the program launched none");
  return launches;
}

Observation parse_ncu(std::string_view output) {
  const Table table(output);
  Observation observation;
  for (const auto& row : table.rows()) {
    observation.launches.push_back(launch_of(table, row));
    if (const std::string name = table.text(row, "device__attribute_display_name"); !name.empty())
      observation.device = name;
  }
  if (observation.device == "executor") observation.device = "GPU";
  if (observation.launches.empty()) throw Error("ncu saw no kernel: the program launched none");
  return observation;
}

std::optional<std::string> ncu_problem(std::string_view output) {
  const auto has = [&](std::string_view text) { return output.find(text) != output.npos; };
  if (has("ERR_NVGPUCTRPERM"))
    return "ncu may not read the GPU's counters here (ERR_NVGPUCTRPERM): run as root, or see "
           "docs/profiler-permission.md";
  if (has("No kernels were profiled")) return "ncu saw no kernel: the program launched none";
  if (has("ERR_NVGPUCTRBUSY") || has("another profil"))
    return "ncu cannot count now: another profiler uses the GPU's counters";
  const auto at = output.find("==ERROR==");
  if (at == output.npos) return std::nullopt;
  const auto end = std::min(output.find('\n', at), output.size());
  std::string_view words = output.substr(at + 9, end - at - 9);
  words.remove_prefix(std::min(words.find_first_not_of(' '), words.size()));
  return "ncu: " + std::string(words);
}

std::string kernel_base_name(std::string_view name) {
  // The arguments begin at the first bracket that is not inside <...> and not the name "(anonymous
  // namespace)".
  int depth = 0;
  std::size_t end = name.size(), begin = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (name.substr(i).starts_with("<unnamed>")) {
      i += 8;
    } else if (name.substr(i).starts_with("(anonymous namespace)")) {
      i += 20;
    } else if (c == '<') {
      if (depth++ == 0) end = std::min(end, i);
    } else if (c == '>' && depth > 0) {
      --depth;
    } else if (c == '>') {
      begin = i + 1, end = name.size();  // ncu cuts "dgemm::<unnamed>::f" to "unnamed>::f"
    } else if (depth == 0 && (c == ':' || c == ' ')) {
      begin = i + 1, end = name.size();  // a namespace, or the type of the result, was before it
    } else if (depth == 0 && c == '(') {
      end = std::min(end, i);
      break;
    }
  }
  return std::string(name.substr(begin, end - begin));
}

}  // namespace ladder
