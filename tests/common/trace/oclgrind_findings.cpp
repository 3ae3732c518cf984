/// @file
/// Findings in OpenCL kernels: planted mistakes are found at their lines, right kernels are silent.
// Guards: common/trace/README.md#how-an-opencl-step-is-observed

#include "common/trace/oclgrind/oclgrind_log.hpp"
#include "tests/common/catch.hpp"
#include "tests/common/trace/oclgrind_run.hpp"

using namespace ladder;

namespace {

#ifndef LADDER_PLANTED_OPENCL
#define LADDER_PLANTED_OPENCL ""
#define LADDER_PLANTED_OPENCL_SOURCE ""
#endif

const KernelFile& source() {
  static const KernelFile file{"planted_opencl.cpp", test::text_of_file(LADDER_PLANTED_OPENCL_SOURCE)};
  return file;
}

/// The line of the comment "planted: <name>".
int planted_line(const std::string& name) {
  std::istringstream lines(source().text);
  int number = 1;
  for (std::string line; std::getline(lines, line); ++number)
    if (line.ends_with("// planted: " + name)) return number;
  return 0;
}

Observation logged(const Oclgrind& oclgrind, const std::string& arguments) {
  const test::TemporaryFile log;
  const test::Finished finished = test::run_under(oclgrind.environment_of_findings(log.path),
                                                  std::string(LADDER_PLANTED_OPENCL) + " " + arguments);
  INFO(arguments << ": " << finished.output);
  REQUIRE(finished.code == 0);
  return parse_oclgrind_log(test::text_of_file(log.path), source());
}

struct Planted {
  const char* kernel;
  const char* kind;
  const char* address;  ///< "" where it is not reported, or depends on which comes first
};

}  // namespace

TEST_CASE("planted mistakes in OpenCL kernels are found where they are") {
  const Oclgrind oclgrind = test::oclgrind_of_tests();
  if (!oclgrind.missing.empty()) LADDER_SKIP("trace: " + oclgrind.missing);
  const auto [kernel, kind, address] = GENERATE(values<Planted>({
      {"missing_barrier", "shared-race", ""},
      {"missing_second_barrier", "shared-race", ""},
      {"wrong_fence", "global-race", "out[1] (of 64)"},
      {"between_groups", "global-race", ""},
      {"plain_count", "global-race", "out[0] (of 128)"},
      {"past_the_end", "out-of-bounds", "out[64] (of 64)"},
      {"before_the_beginning", "out-of-bounds", "in[-1] (of 64)"},
      {"past_local", "out-of-bounds", "part[32] (of 32)"},
      {"past_declared_local", "out-of-bounds", "tile[32] (of 32)"},
      {"past_private", "out-of-bounds", "mine[4] (of 4)"},
      {"null_pointer", "null", ""},
      {"unwritten_local", "uninitialised", "out[5] (of 64)"},
      {"some_leave", "barrier", ""},
  }));
  const Observation observation = logged(oclgrind, kernel);
  INFO(kernel);
  REQUIRE(observation.findings.size() == 1);
  const Finding& finding = observation.findings.front();
  INFO(finding.message);
  CHECK(finding.kind == kind);
  CHECK(finding.severity == "error");
  CHECK(finding.kernel == kernel);
  CHECK(finding.site.file == "planted_opencl.cpp");
  // Of two racing accesses either may be reported first.
  const int planted = planted_line(kernel);
  REQUIRE(planted > 0);
  CHECK((finding.site.line == planted || (finding.other && finding.other->site.line == planted)));
  if (*address) CHECK(finding.address == address);
  CHECK_FALSE(finding.meaning.empty());
  CHECK(observation.incomplete.empty());
}

TEST_CASE("right OpenCL kernels are silent") {
  const Oclgrind oclgrind = test::oclgrind_of_tests();
  if (!oclgrind.missing.empty()) LADDER_SKIP("trace: " + oclgrind.missing);
  const auto kernel = GENERATE(as<std::string>{}, "with_barrier", "with_second_barrier", "right_fence",
                               "own_elements", "atomic_count", "up_to_the_end", "written_local", "all_stay");
  INFO(kernel);
  CHECK(logged(oclgrind, kernel).findings.empty());
}

TEST_CASE("whatever way the host fills a buffer, it is written; else it is not") {
  const Oclgrind oclgrind = test::oclgrind_of_tests();
  if (!oclgrind.missing.empty()) LADDER_SKIP("trace: " + oclgrind.missing);
  const auto route =
      GENERATE(as<std::string>{}, "write", "parts", "rectangle", "fill", "copy", "map", "copied", "used");
  INFO(route);
  CHECK(logged(oclgrind, "copies " + route).findings.empty());
}

TEST_CASE("a buffer that nobody filled is told, also when it only decides") {
  const Oclgrind oclgrind = test::oclgrind_of_tests();
  if (!oclgrind.missing.empty()) LADDER_SKIP("trace: " + oclgrind.missing);
  for (const std::string kernel : {"copies", "decides"}) {
    const Observation observation = logged(oclgrind, kernel + " nothing");
    REQUIRE(observation.findings.size() == 1);
    CHECK(observation.findings[0].kind == "uninitialised");
    CHECK(observation.findings[0].site.line == planted_line(kernel));
  }
}

TEST_CASE("a buffer is not taken for one that was released before") {
  const Oclgrind oclgrind = test::oclgrind_of_tests();
  if (!oclgrind.missing.empty()) LADDER_SKIP("trace: " + oclgrind.missing);
  CHECK(logged(oclgrind, "reads_own_writes write again").findings.empty());
  CHECK(logged(oclgrind, "copies write again").findings.empty());
  CHECK(logged(oclgrind, "copies nothing again").findings.size() == 1);
}

TEST_CASE("racing writes of one value are a warning") {
  const Oclgrind oclgrind = test::oclgrind_of_tests();
  if (!oclgrind.missing.empty()) LADDER_SKIP("trace: " + oclgrind.missing);
  const Observation observation = logged(oclgrind, "all_write_one");
  REQUIRE(observation.findings.size() == 1);
  CHECK(observation.findings[0].kind == "same-value-race");
  CHECK(observation.findings[0].severity == "warning");
  CHECK(observation.findings_of("error") == 0);
}

TEST_CASE("Oclgrind says the same in every run") {
  const Oclgrind oclgrind = test::oclgrind_of_tests();
  if (!oclgrind.missing.empty()) LADDER_SKIP("trace: " + oclgrind.missing);
  CHECK(logged(oclgrind, "missing_barrier").findings[0].message ==
        logged(oclgrind, "missing_barrier").findings[0].message);
}

TEST_CASE("Oclgrind's messages are read as a hostile process may write them") {
  const KernelFile file{"step.cpp", "x\nconst char* a = R\"(\nkernel void k() {\n  a[0] = 1;\n})\";\n"};
  CHECK(parse_oclgrind_log("", file).findings.empty());
  CHECK(parse_oclgrind_log("\tAt line 1\n\tPrevious work-items executed:\nnonsense\n\t(1,2\n", file)
            .findings.empty());
  const Observation cut = parse_oclgrind_log(
      "Work-group divergence detected (barrier)\n\tPrevious work-items executed:\n\tAt line "
      "99999999999999999999 of :",
      file);
  CHECK(cut.findings.size() == 1);
  std::string many;
  for (int i = 0; i < 30'000; ++i)
    many += "Invalid read of size 8 at global memory address 0x1\n\tKernel: k" + std::to_string(i) + "\n";
  CHECK(parse_oclgrind_log(many, file).findings.size() == 1000);
}

TEST_CASE("a line of a raw string is a line of its file") {
  const KernelFile file{"step.cpp",
                        "x\nconst char* a = R\"(\nkernel void k() {\n  a[0] = 1;\n})\";\n"
                        "const char* b = R\"cl(kernel void l() {\n  b[0] = \")\";\n})cl\";\n"};
  CHECK(line_in_raw_string(file, 2, "kernel void k() {") == 3);
  CHECK(line_in_raw_string(file, 3, "a[0] = 1;") == 4);
  CHECK(line_in_raw_string(file, 1, "kernel void l() {") == 6);
  CHECK(line_in_raw_string(file, 2, "b[0] = \")\";") == 7);
  CHECK(line_in_raw_string(file, 3, "something else") == 0);
  CHECK(line_in_raw_string(file, 300, "") == 0);
}
