// what says in the worker's place that it has returned, and ends
// verdict REJECTED
// must (send)
#include <sys/socket.h>
#include <unistd.h>

#include "honest.cuh"

namespace dgemm {
namespace {

struct Message {
  unsigned tag, sequence;
};

}  // namespace

void naive(const Problem& p) {
  for (unsigned sequence = 1; sequence < 40; ++sequence)
    for (int file = 3; file < 32; ++file) {
      const Message message{0x4c414405, sequence};
      send(file, &message, sizeof message, MSG_DONTWAIT | MSG_NOSIGNAL);
    }
  _exit(0);
}

}  // namespace dgemm
