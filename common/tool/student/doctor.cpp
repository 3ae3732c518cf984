#include "common/tool/student/doctor.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>

#include "common/base/files/json_file.hpp"
#include "common/base/process/process.hpp"
#include "common/base/usage_error.hpp"
#include "common/model/document_json.hpp"
#include "common/report/results/results.hpp"
#include "common/report/text/table.hpp"
#include "common/tool/core/terminal.hpp"
#include "common/tool/handout/handout.hpp"
#include "common/tool/machine/machine.hpp"
#include "common/tool/machine/software.hpp"
#include "common/tool/student/doctor_report.hpp"

namespace ladder {
using nlohmann::json;
using report::Table;
namespace {

std::string memory(double bytes) {
  return fmt::format("{:.0f} GB", bytes / 1e9);
}

/// "34.0 GB/s", "115 GFLOP/s", "26.1 µs".
std::string amount(double value, const std::string& unit) {
  if (unit == "s") return value < 1e-6 ? fmt::format("{:.0f} ns", 1e9 * value) : report::short_time(value);
  if (unit == "cycle") return fmt::format("{:.0f} cycles", value);
  if (unit == "byte") return report::short_number(value / 1e6) + " MB";
  const std::string base = unit == "flop/s" ? "FLOP/s" : unit == "op/s" ? "OP/s" : "B/s";
  if (value >= 1e12) return report::short_number(value / 1e12) + " T" + base;
  return report::short_number(value / 1e9) + " G" + base;
}

/// All that is built, and that is built again when somebody deletes it.
double bytes_of(const std::filesystem::path& folder) {
  double bytes = 0;
  std::error_code ignored;
  for (auto at = std::filesystem::recursive_directory_iterator(folder, ignored); !ignored && at != end(at);
       at.increment(ignored)) {
    std::error_code gone;  // by another ladder
    if (at->is_regular_file(gone) && !at->is_symlink(gone)) bytes += static_cast<double>(at->file_size(gone));
  }
  return bytes;
}

void print_section(const char* title, const std::string& text, Terminal& out) {
  out.print(fmt::format("\n{}\n{}", out.bold(title), text));
}

void print_devices(const model::Machine& machine, Terminal& out) {
  Table table({{"device"}, {"what it is", false, true}, {"runs"}, {"state", false, true}});
  for (const model::Device& d : machine.devices) {
    std::string what = d.name;
    if (d.id != "executor")
      what += fmt::format(", {} {}, {}", d.compute_units, d.kind == "gpu" ? "multiprocessors" : "cores",
                          memory(d.memory_bytes));
    if (!d.platform.empty()) what += ", " + d.platform;
    std::string name = d.id;
    for (const std::string& alias : d.aliases) name += " " + alias;
    table.add({name, what, fmt::format("{}", fmt::join(d.backends, " ")), d.available ? "ready" : d.reason});
  }
  if (!machine.cuda->reason.empty())
    table.add({"cuda", "no GPU; CUDA rungs run on the executor", "", machine.cuda->reason});
  if (!machine.opencl->reason.empty()) table.add({"opencl", "", "", machine.opencl->reason});
  print_section("Devices", table.text(out.width()), out);
}

void print_versions(const model::Machine& machine, Terminal& out) {
  std::string line;
  const auto add = [&](const std::string& text) { line += (line.empty() ? "" : " · ") + text; };
  for (const auto& [name, version] : machine.versions)
    add(name == "compiler" ? version : name + " " + version);
  if (const std::string& loader = machine.opencl->loader; !loader.empty())
    add(fmt::format("OpenCL loader {}{}", loader, machine.opencl->layers ? " with layers" : ""));
  if (const std::string& driver = machine.cuda->driver; !driver.empty())
    add(fmt::format("NVIDIA driver {} (CUDA {})", driver, machine.cuda->cuda));
  print_section("Versions", fmt::format("{}", fmt::join(report::wrapped(line, out.width()), "\n")), out);
}

void print_missing(const model::Machine& machine, Terminal& out) {
  if (machine.missing->empty()) return print_section("Missing", "nothing", out);
  Table table({{"missing"}, {"what for; without it", false, true}, {"to get it", false, true}});
  for (const model::MissingSoftware& m : *machine.missing) table.add({m.name, m.cost, m.install});
  print_section("Missing", table.text(out.width()), out);
}

/// One line: whether steps are kept to what is theirs here.
void print_confinement(const model::Confinement& confinement, Terminal& out) {
  std::string line;
  if (!confinement.problem.empty())
    line = "not known: the launcher of workers " + confinement.problem;
  else if (confinement.gaps && !confinement.gaps->empty())
    line = fmt::format("in part. Rungs {}", fmt::join(*confinement.gaps, "; they "));
  else
    line = fmt::format(
        "rungs write only what is theirs, and reach neither other processes nor other machines "
        "(Landlock of version {}, seccomp)",
        confinement.landlock.value_or(0));
  print_section("Confinement", fmt::format("{}", fmt::join(report::wrapped(line, out.width()), "\n")), out);
}

/// What lets strangers' code out of this container.
void print_container(const model::ContainerToolkit& toolkit, Terminal& out) {
  if (toolkit.warning.empty()) return;
  print_section("Container",
                fmt::format("{}", fmt::join(report::wrapped(toolkit.warning, out.width()), "\n")), out);
}

void print_build_folder(Terminal& out) {
  const std::filesystem::path folder = build_folder();
  print_section("Build folder",
                fmt::format("{:.1f} GB in {}; ./ladder makes it again after it was deleted",
                            bytes_of(folder) / 1e9, folder.string()),
                out);
}

void print_ceilings(const model::Ceilings& ceilings, Terminal& out) {
  Table table({{"device"},
               {"ceiling", false, true},
               {"median", true},
               {"lowest", true},
               {"highest", true},
               {"runs", true}});
  for (const auto& [device, lines] : ceilings)
    for (const model::MeasuredCeiling& c : lines)
      if (!c.error.empty() || !c.median || !c.low || !c.high)
        table.add({device, c.what + ": not measured, " + c.error, "", "", "", ""});
      else
        table.add({device, c.what, amount(*c.median, c.unit), amount(*c.low, c.unit), amount(*c.high, c.unit),
                   fmt::format("{}", c.runs.value_or(0))});
  print_section("Ceilings and latencies, measured now", table.text(out.width()), out);
  out.print("A copy counts what is read and what is written. How each was measured: --json, field \"how\".");
}

}  // namespace

namespace {

/// The report; the checkout is where ./ladder says it is.
int report_to_staff(const DoctorOptions& options) {
  Terminal out(options.json == "-");
  software(true);
  const char* set = std::getenv("LADDER_ROOT");
  const std::filesystem::path root = set && *set ? set : "";
  const json handout = handout_of(root);
  json verdicts = read_json(state_folder(root, build_folder()) / "state.json");
  if (!verdicts.is_object()) verdicts = json::object();
  out.print(doctor_report(machine_facts(false), handout.is_null() ? "" : handout.value("version", ""),
                          verdicts, Private::here(root.string(), build_folder().string())));
  return interrupted() ? 1 : 0;
}

}  // namespace

void add_doctor_options(CLI::App& app, Options& o, Typed&) {
  add_json(app, o);
  app.add_flag(
      "--report", o.staff_report,
      "one text for the staff: machine, versions, what is missing, the last failures; no user, host or path");
  app.add_flag("!--no-measure", o.measure, "do not measure the ceilings");
}

int doctor(const DoctorOptions& options) {
  if (options.report) {
    if (!options.json.empty()) throw UsageError{"--report is text to read and send: omit it, or omit --json"};
    return report_to_staff(options);
  }
  Terminal out(options.json == "-");
  out.begin_work();
  software(true);  // asks all drivers again; what follows, and later calls, use the answers
  const model::Machine machine =
      machine_facts(options.measure, [&](const std::string& what, double done) { out.progress(what, done); });
  out.end_work();
  out.print(fmt::format("{}, {} cores, {}, {}, Linux {}", machine.cpu, machine.cores,
                        memory(machine.memory_bytes), machine.os, machine.kernel));
  print_devices(machine, out);
  print_versions(machine, out);
  print_missing(machine, out);
  print_confinement(*machine.confinement, out);
  if (machine.container_toolkit) print_container(*machine.container_toolkit, out);
  print_build_folder(out);
  if (machine.ceilings) print_ceilings(*machine.ceilings, out);
  if (options.measure && machine.load > 0.5)
    out.print(
        fmt::format("Other programs were busy (load {:.1f}): the ceilings may be higher on a quiet machine.",
                    machine.load));
  if (!options.json.empty()) {
    model::Document document = report::document("doctor", 0);
    document.machine = machine;
    const std::string text = report::dump(to_json(document), 2) + "\n";
    if (options.json == "-")
      fmt::print("{}", text);
    else
      write_text(options.json, text);
  }
  return interrupted() ? 1 : 0;
}

}  // namespace ladder
