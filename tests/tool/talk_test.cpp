/// @file
/// Small edits of a kernel, which viva asks about, and passages that works share.
// Guards: docs/exam.md#a-talk-about-ones-own-program, docs/exam.md#similarity

#include <fmt/format.h>

#include "common/base/files/files.hpp"
#include "common/base/text/text.hpp"
#include "common/tool/exam/code_mutations.hpp"
#include "common/tool/exam/similarity_runs.hpp"
#include "tests/common/catch.hpp"

namespace ladder::talk_test {
namespace fs = std::filesystem;
namespace {

/// The code that the edits of one line give, by kind.
std::map<std::string, std::string> edits_of(const std::string& line) {
  std::map<std::string, std::string> all;
  for (const CodeMutation& edit : code_mutations(line + "\n")) all[edit.kind] = edit.is;
  return all;
}

using Kinds = std::map<std::string, std::string>;

/// A file of that many lines of code, each another one.
std::string file_of(int lines) {
  std::string text;
  for (int i = 0; i < lines; ++i) text += fmt::format("a{} = b{};\n", i, i);
  return text;
}

}  // namespace

TEST_CASE("edits: each kind at its place") {
  CHECK(edits_of("  __syncthreads();  // why") == Kinds{{"barrier", ";"}});
  CHECK(edits_of("    sum += As[ty][p] * b;") == Kinds{{"indices", "sum += As[p][ty] * b;"}});
  CHECK(edits_of("  __shared__ float tile[T][T + 1];") == Kinds{{"padding", "__shared__ float tile[T][T];"}});
  CHECK(edits_of("  if (row >= m || col >= n) return;") ==
        Kinds{{"guard", "if (row > m || col >= n) return;"}});
  CHECK(edits_of("  if (row < m && col < n) C[row] = sum;") ==
        Kinds{{"guard", "if (row <= m && col < n) C[row] = sum;"}});
  CHECK(edits_of("  constexpr int T = 32;") == Kinds{{"block", "constexpr int T = 16;"}});
  CHECK(edits_of("constexpr int threads = 256;  // of a block") ==
        Kinds{{"block", "constexpr int threads = 128;"}});
  CHECK(edits_of("  for (int p = 0; p < k; ++p) s[p][q] = p;") ==
        Kinds{{"loop", "for (int p = 0; p <= k; ++p) s[p][q] = p;"}});
  CHECK(edits_of("  for (int half = threads / 2; half > 0; half /= 2) {") ==
        Kinds{{"loop", "for (int half = threads / 2; half > 1; half /= 2) {"}});
  CHECK(edits_of("  const int blocks = (p.n + threads - 1) / threads;") ==
        Kinds{{"blocks", "const int blocks = p.n / threads;"}});
  CHECK(edits_of("  if (j == grid.column) pack(A.get(), p.A);") ==
        Kinds{{"guard", "if (j != grid.column) pack(A.get(), p.A);"}});
  CHECK(edits_of("  if (warp > 0) return;") == Kinds{{"guard", "if (warp >= 0) return;"}});
  CHECK(edits_of("  const dim3 block(32, 32);") == Kinds{{"block", "const dim3 block(16, 16);"}});
  CHECK(edits_of("  const int tx = threadIdx.x, ty = threadIdx.y;") ==
        Kinds{{"indices", "const int tx = threadIdx.y, ty = threadIdx.x;"}});
  CHECK(edits_of("  const int i = blockIdx.x * blockDim.x + threadIdx.x;") ==
        Kinds{{"indices", "const int i = threadIdx.x * blockDim.x + blockIdx.x;"}});
  CHECK(edits_of("  const int col = blockIdx.x * 32 + threadIdx.x % 32;") ==
        Kinds{{"indices", "const int col = blockIdx.x * 32 + threadIdx.x / 32;"}});
  const auto both = edits_of("    As[ty][tx] = row < m && p < k ? A[row * lda + p] : 0.0;");
  CHECK(both.at("indices") == "As[tx][ty] = row < m && p < k ? A[row * lda + p] : 0.0;");
  CHECK(both.at("guard") == "As[ty][tx] = row <= m && p < k ? A[row * lda + p] : 0.0;");
}

TEST_CASE("edits: not in comments, loops and declarations, and no line gets another number") {
  CHECK(edits_of("  // __syncthreads(); and tile[a][b]").empty());
  CHECK(edits_of("  constexpr int warps = threads / 32;").empty());
  CHECK(edits_of("  constexpr int R = 8;").empty());
  CHECK(edits_of("  __shared__ float tile[T][R];").empty());
  CHECK(edits_of("  kernel<<<grid, block>>>(p.m);").empty());
  const std::string source =
      "int row = blockIdx.y + threadIdx.y;\nint col = threadIdx.x;  // why\n__syncthreads();\n";
  const auto edits = code_mutations(source);
  REQUIRE(edits.size() == 2);
  CHECK(edits[0].text == "int row = blockIdx.y + threadIdx.x;\nint col = threadIdx.y;\n__syncthreads();\n");
  CHECK(edits[1].line == 3);
  CHECK(lines_of(edits[1].text).size() == 3);
}

TEST_CASE("edits: every CUDA rung of lessons 00 and 03 has places for three") {
  for (const std::string lesson : {"00-first-steps", "03-dgemm"})
    for (const auto& entry : fs::directory_iterator(fs::path(LADDER_PROJECT) / "solutions" / lesson)) {
      if (entry.path().extension() != ".cu") continue;
      INFO(entry.path());
      CHECK(code_mutations(read_text(entry.path())).size() >= 3);
    }
}

TEST_CASE("similarity: runs as sim_c++ prints them, in both directions") {
  const auto runs = read_runs(
      "w0.cpp: line 3-9                       |w12.cpp: line 4-11             [66]\n\nFile x: 3 tokens\n");
  REQUIRE(runs.size() == 2);
  CHECK(runs[0].file == "w0.cpp");
  CHECK(runs[0].last == 9);
  CHECK(runs[1].file == "w12.cpp");
  CHECK(runs[1].other_first == 3);
}

TEST_CASE("similarity: what a reference has is nobody's, and what many share is not rare") {
  std::map<std::string, StepText> files;
  for (std::size_t w = 0; w < 4; ++w) files[fmt::format("w{}.cpp", w)] = {w, file_of(30)};
  const auto run = [](const char* a, const char* b, int first, int last) {
    return std::vector<Run>{{a, b, first, last, first, last}, {b, a, first, last, first, last}};
  };
  auto runs = run("w0.cpp", "w1.cpp", 1, 12);
  const auto more = [&](std::vector<Run> others) { runs.insert(runs.end(), others.begin(), others.end()); };
  REQUIRE(rare_passages("03/g1", files, runs, 4).size() == 1);
  more(run("w0.cpp", "r0.cpp", 1, 5));
  more(run("w1.cpp", "r0.cpp", 1, 5));
  const auto beyond = rare_passages("03/g1", files, runs, 4);
  REQUIRE(beyond.size() == 1);
  CHECK(beyond[0].lines.front() == 6);
  CHECK(beyond[0].lines.size() == 7);
  more(run("w0.cpp", "w2.cpp", 6, 12));  // three of four have it
  CHECK(rare_passages("03/g1", files, runs, 4).empty());
  CHECK(rare_passages("03/g1", files, runs, 100).size() == 2);  // three of a hundred
  CHECK(rare_passages("03/g1", files, runs, 2).size() == 2);    // the third is of an earlier year
  more(run("w0.cpp", "r1.cpp", 5, 9));                          // three lines are left
  CHECK(rare_passages("03/g1", files, runs, 100).empty());
}

TEST_CASE("similarity: three rungs, of which one is not short") {
  const auto passage = [](const char* step, std::size_t b, int code) {
    return Passage{step, 0, b, {1, 2, 3, 4}, {1, 2, 3, 4}, code};
  };
  CHECK(pairs_of({passage("03/g1", 1, 60), passage("03/g2", 1, 60)}).empty());
  CHECK(pairs_of({passage("03/g1", 1, 60), passage("03/g1", 1, 60), passage("03/g2", 1, 60)}).empty());
  CHECK(pairs_of({passage("00/g1", 1, 20), passage("00/g2", 1, 20), passage("00/g3", 1, 24)}).empty());
  const auto pairs = pairs_of(
      {passage("00/g1", 1, 20), passage("00/g2", 1, 20), passage("00/g3", 1, 25), passage("00/g3", 2, 90)});
  REQUIRE(pairs.size() == 1);
  CHECK(pairs[0].b == 1);
  CHECK(pairs[0].lines() == 12);
}

}  // namespace ladder::talk_test
