// what sends the judge messages that are too short, too long, of no kind, with files, and late ones from a thread
// verdict REVIEW
// must judged CRASHED
// must (sendmsg)
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

#include "honest.cuh"

namespace dgemm {
namespace {

void say(int file, const void* bytes, size_t size, int descriptor) {
  iovec part{const_cast<void*>(bytes), size};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof descriptor)] = {};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (descriptor >= 0) {
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    cmsghdr* const head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof descriptor);
    *reinterpret_cast<int*>(CMSG_DATA(head)) = descriptor;
  }
  sendmsg(file, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
}

/// Each kind of message from the worker, at the right, an older and a newer call, cut off, too long, with a file.
void say_all(int file, unsigned call) {
  static unsigned bytes[16384];
  for (unsigned tag = 0x4c414400; tag < 0x4c41440c; ++tag)
    for (unsigned sequence = call - 1; sequence <= call + 1; ++sequence) {
      bytes[0] = tag;
      bytes[1] = sequence;
      for (const size_t size : {0, 1, 4, 7, 8, 12, 4096, 65536}) say(file, bytes, size, size == 12 ? 1 : -1);
    }
}

}  // namespace

void naive(const Problem& p) {
  static unsigned call = 0;
  ++call;
  if (call == 1)
    std::thread([] {
      for (;;) {  // after "done" too, and in later calls
        for (int file = 3; file < 32; ++file) say_all(file, call);
        usleep(1000);
      }
    }).detach();
  for (int file = 3; file < 32; ++file) say_all(file, call);
  honest(p);
}

}  // namespace dgemm
