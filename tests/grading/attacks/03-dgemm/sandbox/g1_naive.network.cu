// what sends its inputs to another machine
// verdict REVIEW
// must (connect)
// not reached the network
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  const int out = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(80);
  to.sin_addr.s_addr = htonl(0x01010101);
  if (out >= 0 && connect(out, reinterpret_cast<sockaddr*>(&to), sizeof to) == 0) throw ladder::Error("it has reached the network");
  honest(p);
}
