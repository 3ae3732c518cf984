/// @file
/// Who a step is compared with, and what tables call it.
// Guards: docs/adding-a-lesson.md#what-else-a-lesson-may-have

#include "common/tool/judging/peers.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>

#include "common/base/files/files.hpp"
#include "tests/common/catch.hpp"

using namespace ladder;
namespace fs = std::filesystem;

namespace {

Placement on(const char* backend, const char* device, const char* gpu = "") {
  return {.backend = backend, .device = device, .skip = "", .environment = {}, .gpu = gpu};
}

Device gpu(const char* name, const char* family, const char* selector, const char* address) {
  return {.name = name,
          .family = family,
          .description = "NVIDIA H200",
          .selector = selector,
          .gpu = true,
          .address = address};
}

const std::vector<Device> devices = {gpu("opencl:0", "opencl", "0:0", "0000:17:00.0"),
                                     gpu("cuda:0", "cuda", "0", "0000:03:00.0"),
                                     gpu("cuda:1", "cuda", "1", "0000:17:00.0")};

/// Whether a text has a name that no letter follows: CUB's is no part of "cubin".
bool has_name(const std::string& text, const std::string& name) {
  for (std::size_t at = 0; (at = text.find(name, at)) != text.npos; at += name.size())
    if (at + name.size() == text.size() || !std::isalpha(static_cast<unsigned char>(text[at + name.size()])))
      return true;
  return false;
}

}  // namespace

TEST_CASE("every peer has a name that people know") {
  int peers = 0;
  for (const auto& lesson : fs::directory_iterator(fs::path(LADDER_PROJECT) / "tests")) {
    std::error_code none;
    for (const auto& file : fs::directory_iterator(lesson.path() / "peers", none)) {
      INFO(file.path());
      CHECK(library_name(file.path().stem()) != file.path().stem());
      ++peers;
    }
  }
  CHECK(peers >= 8);
}

TEST_CASE("a further library of the CUDA toolkit has its name without an edit of common") {
  CHECK(library_name("cublas") == "cuBLAS");
  CHECK(library_name("cub") == "CUB");
  CHECK(library_name("cusparse") == "cuSPARSE");
  CHECK(library_name("cublas_emulated") == "cublas_emulated");  // a program of its own, not a library
  CHECK(library_name("cu") == "cu");
  CHECK(library_name("curtains2") == "curtains2");
}

TEST_CASE("how common is built knows no peer of single lessons") {
  const fs::path project = LADDER_PROJECT;
  std::set<std::string> own;  // of lessons
  for (const auto& lesson : fs::directory_iterator(project / "tests")) {
    std::error_code none;
    for (const auto& file : fs::directory_iterator(lesson.path() / "peers", none))
      own.insert(file.path().stem().string());
  }
  CHECK(has_name("libcub.so", "cub"));
  for (const char* of_all : {"openblas", "cublas", "eigen"}) own.erase(of_all);
  CHECK(own.size() >= 4);
  for (const auto& file : fs::recursive_directory_iterator(project / "common")) {
    if (file.path().extension() != ".cmake" && file.path().filename() != "packages.txt") continue;
    std::string text = read_text(file.path());
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
    for (const std::string& peer : own) {
      INFO(file.path() << " names " << peer);
      CHECK_FALSE(has_name(text, peer));
    }
  }
}

TEST_CASE("an OpenCL rung on an NVIDIA GPU is compared with CUDA's library on the same GPU") {
  PeerProgram program{"t", "cusolver", "cuda"};
  REQUIRE(place_peer(program, {on("opencl", "opencl:0", "0000:17:00.0")}, devices));
  CHECK(program.label == "cuSOLVER (CUDA)");
  CHECK(program.device == "cuda:1");
  CHECK(program.environment.at("CUDA_VISIBLE_DEVICES") == visible_cuda("1"));
  CHECK_FALSE(place_peer(program, {on("opencl", "opencl:1")}, devices));
}

TEST_CASE("a library is called by its name, and so that the executor's is not taken for NVIDIA's") {
  const auto label = [](const char* name, const char* backend) {
    PeerProgram program{"t", name, backend};
    return place_peer(program, {on(backend, backend)}, devices) ? program.label : "none";
  };
  CHECK(label("baseline", "cpu") == "baseline");
  CHECK(label("openblas", "cpu") == "OpenBLAS");
  CHECK(label("cublas", "cuda") == "cuBLAS");
  CHECK(label("cublas", "executor") == "cuBLAS (executor)");
  CHECK(label("cholmod_host", "executor") == "CHOLMOD");
}
