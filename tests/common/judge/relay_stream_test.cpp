// What goes over the network between a judge and ranks on other nodes, here over this machine's own network.
// Guards: docs/remote.md#rungs-of-several-processes-over-several-nodes

#include <sys/mman.h>
#include <unistd.h>

#include <future>
#include <numeric>

#include "common/base/error.hpp"
#include "common/judge/relay/stream.hpp"
#include "tests/common/catch.hpp"

using namespace ladder;

namespace {

/// Both ends of a connection.
struct Ends {
  relay::Stream judge, rank;
};

Ends connected() {
  relay::Meeting meeting;
  const Descriptor listener = relay::listen_on_network(meeting);
  auto rank = std::async(std::launch::async,
                         [&] { return relay::connect_to_judge(relay::meeting_of(relay::text_of(meeting))); });
  relay::Stream judge = relay::accept_rank(listener.get(), meeting);
  return {std::move(judge), rank.get()};
}

Descriptor memory_of(const std::string& bytes) {
  Descriptor memory(::memfd_create("relay-test", MFD_CLOEXEC));
  REQUIRE(::pwrite(memory.get(), bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()));
  return memory;
}

}  // namespace

TEST_CASE("a message and more memory than one buffer arrive as they were sent") {
  const Ends ends = connected();
  REQUIRE(ends.judge.descriptor() >= 0);
  std::string content((std::size_t{5} << 19) + 7, '\0');  // two buffers and a half
  std::iota(content.begin(), content.end(), '\0');
  const Descriptor sent = memory_of(content), got = memory_of("");
  const std::string message = "prepare";
  auto sender = std::async(std::launch::async, [&] {
    ends.judge.send({.bytes = 7, .has_memory = 1, .content = content.size()}, message.data(), sent.get());
    ends.judge.send({.kind = relay::Kind::take}, nullptr, -1);
  });
  const relay::Frame frame = ends.rank.receive();
  CHECK(frame.has_memory == 1);
  const std::vector<std::byte> bytes = ends.rank.receive_message(frame);
  CHECK(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()) == message);
  ends.rank.receive_content(frame.content, got.get());
  CHECK(ends.rank.receive().kind == relay::Kind::take);
  sender.get();
  std::string read(content.size(), '\0');
  REQUIRE(::pread(got.get(), read.data(), read.size(), 0) == static_cast<ssize_t>(read.size()));
  CHECK(read == content);
}

TEST_CASE("nobody is listened to without the key, and a rank believes no judge without it") {
  relay::Meeting meeting;
  const Descriptor listener = relay::listen_on_network(meeting);
  relay::Meeting guessed = meeting;
  SECTION("the rank's half is wrong") {
    guessed.key.replace(0, 4, "zzzz");
    auto rank = std::async(std::launch::async, [&] { return relay::connect_to_judge(guessed); });
    CHECK(relay::accept_rank(listener.get(), meeting).descriptor() < 0);
    for (std::size_t i = 1; i < meeting.addresses.size(); ++i) relay::accept_rank(listener.get(), meeting);
    CHECK_THROWS_AS(rank.get(), Error);
  }
  SECTION("the judge's half is wrong") {
    guessed.key.replace(guessed.key.size() - 4, 4, "zzzz");
    auto rank = std::async(std::launch::async, [&] { return relay::connect_to_judge(guessed); });
    for (std::size_t i = 0; i < meeting.addresses.size(); ++i) relay::accept_rank(listener.get(), meeting);
    CHECK_THROWS_AS(rank.get(), Error);
  }
}

TEST_CASE("a connection that closes inside of a message is an error, and so is no frame at all") {
  Ends ends = connected();
  const char half[] = "half";
  SECTION("closed") {
    const relay::Frame frame{.bytes = 100};
    ends.judge.write(&frame, sizeof frame);
    ends.judge.write(half, sizeof half);
    ends.judge = {};
    CHECK_THROWS_AS(ends.rank.receive_message(ends.rank.receive()), Error);
  }
  SECTION("too long for a message") {
    CHECK_THROWS_AS(ends.rank.receive_message({.bytes = 1u << 20}), Error);
  }
  SECTION("of another kind") {
    CHECK_THROWS_AS(ends.rank.receive_message({.kind = relay::Kind::outputs}), Error);
  }
}

TEST_CASE("what is no meeting says so") {
  CHECK_THROWS_AS(relay::meeting_of(""), Error);
  CHECK_THROWS_AS(relay::meeting_of("shortkey 4711 127.0.0.1"), Error);
  CHECK_THROWS_AS(relay::meeting_of(std::string(64, 'a') + " 4711"), Error);
}
