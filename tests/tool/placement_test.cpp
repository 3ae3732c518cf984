/// @file
/// Devices by name, and which of them judges a rung.
// Guards: docs/design.md#the-life-of-a-check

#include "common/tool/machine/placement.hpp"
#include "common/base/files/files.hpp"
#include "common/base/usage_error.hpp"
#include "common/tool/build/build.hpp"
#include "tests/common/catch.hpp"

using namespace ladder;

TEST_CASE("devices are chosen by name, and unknown ones refused") {
  const std::vector<Device> machine = {{"cpu", "cpu", "x86", "", false, false},
                                       {"opencl:0", "opencl", "pocl", "0:0", false, true},
                                       {"opencl:1", "opencl", "H200", "1:0", true, false},
                                       {"cuda:0", "cuda", "H200", "0", true, false}};
  CHECK(Placer(machine, "").suits("cuda"));
  CHECK(Placer(machine, "executor").suits("cuda"));
  CHECK_FALSE(Placer(machine, "executor").suits("opencl"));
  CHECK(Placer(machine, "pocl").suits("opencl"));
  CHECK_FALSE(Placer(machine, "cuda:0").suits("mpi"));
  try {
    Placer(machine, "excutor");
    FAIL("accepted");
  } catch (const UsageError& error) {
    CHECK(error.text == "unknown device 'excutor'; nearest: executor");
  }
  CHECK_THROWS_AS(Placer(machine, "cuda:1"), UsageError);
}

TEST_CASE("a rung gets the best device that its worker was built for") {
  const ScratchFolder folder;
  write_text(folder.path() / "build.ninja",
             "rule none\n  command = true\n  generator = 1\nbuild build.ninja: none\n"
             "build w/g1.cuda w/g1.executor w/g2.executor w/g3.opencl w/m1.mpi w/c1.cpu w/m3.mpi-executor "
             "w/m4.mpi-cuda w/m4.mpi-executor: none\n");
  Build build(folder.path(), folder.path());
  build.refresh();
  const std::vector<Device> gpus = {{"cuda:0", "cuda", "H200", "0", true, false},
                                    {"cuda:1", "cuda", "H200", "1", true, false},
                                    {"opencl:0", "opencl", "pocl", "0:0", false, true},
                                    {"opencl:1", "opencl", "H200", "1:0", true, false}};
  const auto place = [&](const std::vector<Device>& devices, const std::string& wish, const std::string& name,
                         const std::string& file) {
    return Placer(devices, wish).place(StepEntry{"03-x", name, file, {}}, build, "w/" + name);
  };
  CHECK(place(gpus, "", "g1", "g1_a.cu").device == "cuda:0");
  CHECK(place({}, "", "g1", "g1_a.cu").device == "executor");
  CHECK(place(gpus, "executor", "g1", "g1_a.cu").backend == "executor");
  CHECK(place(gpus, "cpu", "g1", "g1_a.cu").backend == "executor");
  CHECK(place(gpus, "", "g2", "g2_a.cu").backend == "executor");  // no nvcc when it was built
  CHECK_FALSE(place(gpus, "cuda:0", "g2", "g2_a.cu").skip.empty());
  CHECK(place(gpus, "", "g3", "g3_a.cpp").environment.at("LADDER_OPENCL_DEVICE") == "1:0");
  CHECK(place(gpus, "pocl", "g3", "g3_a.cpp").environment.at("LADDER_OPENCL_DEVICE") == "0:0");
  CHECK_FALSE(place({}, "", "g3", "g3_a.cpp").skip.empty());
  CHECK(place(gpus, "", "g3", "g3_a.cpp").untraceable.empty());
  const Device without_layers{"opencl:0", "opencl", "pocl", "0:0", false, true, false};
  CHECK_FALSE(place({without_layers}, "", "g3", "g3_a.cpp").untraceable.empty());
  CHECK(place({}, "", "m1", "m1_a.cpp").backend == "mpi");
  CHECK_FALSE(place({}, "", "m2", "m2_a.cpp").skip.empty());
  CHECK(place({}, "", "m3", "m3_a.cu").backend == "executor");
  CHECK(place(gpus, "", "m3", "m3_a.cu").backend == "executor");  // no NCCL when it was built
  CHECK(place(gpus, "", "m4", "m4_a.cu").backend == "cuda");
  CHECK(place(gpus, "", "m4", "m4_a.cu").environment.empty());  // each rank chooses one of all devices
  const StepEntry of_three{"03-x", "m4", "m4_a.cu", {{"ranks", 3}}};
  CHECK(Placer(gpus, "").place(of_three, build, "w/m4").backend == "executor");
  CHECK(Placer(gpus, "cuda").place(of_three, build, "w/m4").skip ==
        "its 3 ranks need a GPU each, and this machine has 2");
  CHECK(place(gpus, "cuda", "m3", "m3_a.cu").skip.starts_with("nvcc, NCCL or Open MPI is not here"));
  CHECK(place({}, "", "m5", "m5_a.cu").skip == "Open MPI is not here (package libopenmpi-dev)");
  CHECK(place(gpus, "cuda:1", "c1", "c1_a.cpp").backend == "cpu");  // a wish for others leaves it its own
  unsetenv("CUDA_VISIBLE_DEVICES");
  CHECK(place(gpus, "cuda:1", "g1", "g1_a.cu").environment.at("CUDA_VISIBLE_DEVICES") == "1");
  setenv("CUDA_VISIBLE_DEVICES", "3,5", 1);
  CHECK(place(gpus, "cuda:1", "g1", "g1_a.cu").environment.at("CUDA_VISIBLE_DEVICES") == "5");
  unsetenv("CUDA_VISIBLE_DEVICES");
}
