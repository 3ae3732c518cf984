/// @file
/// Containers with a GPU of NVIDIA's Container Toolkit: which they are, and what is known about versions of
/// the toolkit.
// Guards: docs/grading.md#two-sandboxes

#include "common/tool/machine/container_toolkit.hpp"

#include <string>

#include "tests/common/catch.hpp"

using ladder::has_mounted_driver;
using ladder::toolkit_warning;
using ladder::test::contains;

namespace {

/// A line of /proc/self/mountinfo.
std::string mount(const std::string& root, const std::string& place) {
  return "412 380 8:2 " + root + " " + place + " ro,nosuid,nodev,relatime - ext4 /dev/sda2 rw\n";
}

}  // namespace

TEST_CASE("a container of NVIDIA's toolkit has single files of the driver mounted") {
  const std::string usual = mount("/", "/") + mount("/", "/proc") + mount("/hosts", "/etc/hosts");
  CHECK_FALSE(has_mounted_driver(""));
  CHECK_FALSE(has_mounted_driver(usual));
  const std::string library = "/usr/lib/x86_64-linux-gnu/libcuda.so.570.133.20";
  CHECK(has_mounted_driver(usual + mount(library, library)));
  CHECK(has_mounted_driver(usual + mount("/usr/bin/nvidia-smi", "/usr/bin/nvidia-smi")));
  CHECK_FALSE(has_mounted_driver(mount("/usr/lib/wsl/lib", "/usr/lib/wsl/lib")));
  CHECK_FALSE(has_mounted_driver(mount(library, "/.singularity.d/libs/libcuda.so.1")));
  CHECK_FALSE(has_mounted_driver(mount("/x", "/work/libcudart.so.12") + "a line of something else\n"));
}

TEST_CASE("which versions of NVIDIA's toolkit let an image out") {
  for (const char* version : {"1.17.8", "1.18.0", "2.0.0", "1.17.10"}) CHECK(toolkit_warning(version) == "");
  for (const char* version : {"1.16.1", "1.9.0", "0.9.1"}) {
    CHECK(contains(toolkit_warning(version), version));
    CHECK(contains(toolkit_warning(version), "(CVE-2024-0132, CVE-2025-23266)"));
  }
  for (const char* version : {"1.17.7", "1.16.2", "1.17.0-rc.1"}) {
    CHECK(contains(toolkit_warning(version), "(CVE-2025-23266)"));
    CHECK(contains(toolkit_warning(version), "1.17.8 or newer"));
  }
  for (const char* version : {"", "found"})
    CHECK(contains(toolkit_warning(version), "cannot be seen from inside"));
}
