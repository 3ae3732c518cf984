/// @file
/// What the executor records of a program that is known line by line.
// Guards: docs/measuring.md#what-a-number-means

#include "tests/common/catch.hpp"
#include "tests/common/executor/run.hpp"

TEST_CASE("the executor records itself") {
  const auto result = ladder::test::run_program("traced", "LADDER_EXECUTOR_DELAY=500");
  INFO(result.err);
  REQUIRE(result.status == 0);
  // flags: 1 pageable, 2 the call waits. The copy to pageable memory is followed by the wait that it was.
  CHECK(result.out ==
        "recorders executor\n"
        "1 alloc cudaMalloc bytes 512 flags 0 stream 0 grid 1 block 1 shared 0 timed 0 after\n"
        "2 alloc cudaMalloc bytes 512 flags 0 stream 0 grid 1 block 1 shared 0 timed 0 after\n"
        "3 h2d cudaMemcpy bytes 512 flags 3 stream 0 grid 1 block 1 shared 0 timed 1 after\n"
        "4 wait blocking copy bytes 0 flags 0 stream 0 grid 1 block 1 shared 0 timed 1 after 3\n"
        "5 launch fill bytes 0 flags 0 stream 0 grid 1 block 1 shared 0 timed 0 after 4\n"
        "6 kernel fill bytes 0 flags 0 stream 0 grid 2 block 32 shared 16 timed 1 after 3 4\n"
        "7 fill cudaMemset bytes 8 flags 0 stream 0 grid 1 block 1 shared 0 timed 1 after 6 4\n"
        "8 d2d cudaMemcpy bytes 8 flags 0 stream 0 grid 1 block 1 shared 0 timed 1 after 7 4\n"
        "9 wait cudaDeviceSynchronize bytes 0 flags 0 stream 0 grid 1 block 1 shared 0 timed 1 after 8 4\n"
        "10 free cudaFree bytes 512 flags 0 stream 0 grid 1 block 1 shared 0 timed 0 after 9\n"
        "11 free cudaFree bytes 512 flags 0 stream 0 grid 1 block 1 shared 0 timed 0 after 9\n"
        "streams\n"
        "1 launch fill bytes 0 flags 0 stream 0 grid 1 block 1 shared 0 timed 0 after\n"
        "2 kernel fill bytes 0 flags 0 stream 1 grid 1 block 64 shared 0 timed 1 after\n"
        "3 launch add bytes 0 flags 0 stream 0 grid 1 block 1 shared 0 timed 0 after\n"
        "4 kernel add bytes 0 flags 0 stream 1 grid 1 block 64 shared 0 timed 1 after 2\n"
        "5 d2h cudaMemcpyAsync bytes 512 flags 0 stream 2 grid 1 block 1 shared 0 timed 1 after 2\n"
        "6 wait cudaStreamSynchronize bytes 0 flags 0 stream 0 grid 1 block 1 shared 0 timed 1 after 5\n"
        "7 launch fill bytes 0 flags 0 stream 0 grid 1 block 1 shared 0 timed 0 after 6\n"
        "8 kernel fill bytes 0 flags 0 stream 1 grid 1 block 64 shared 0 timed 1 after 4 6\n"
        "9 wait cudaDeviceSynchronize bytes 0 flags 0 stream 0 grid 1 block 1 shared 0 timed 1 after 5 8 6\n"
        "graph\n"
        "1 launch graph bytes 0 flags 0 stream 0 grid 1 block 1 shared 0 timed 0 after\n"
        "2 kernel fill bytes 0 flags 0 stream 3 grid 1 block 64 shared 0 timed 1 after\n"
        "3 kernel add bytes 0 flags 0 stream 3 grid 1 block 64 shared 0 timed 1 after 2\n"
        "4 wait cudaStreamSynchronize bytes 0 flags 0 stream 0 grid 1 block 1 shared 0 timed 1 after 2 3\n");
}
