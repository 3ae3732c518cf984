// what waits at a socket without a file for another submission
// verdict REVIEW
// must (bind)
// not it has a socket
#include <sys/socket.h>
#include <sys/un.h>

#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  const int out = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un at{AF_UNIX, "\0ladder-attack"};
  if (out >= 0 && bind(out, reinterpret_cast<sockaddr*>(&at), sizeof at) == 0) throw ladder::Error("it has a socket");
  honest(p);
}
