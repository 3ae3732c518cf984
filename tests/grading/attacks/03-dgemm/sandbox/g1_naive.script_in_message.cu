// what puts a script into the message that a person reads
// verdict CRASHED
// must <script>ladder_attack
#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  throw ladder::Error("</td></pre><script>ladder_attack()</script>");
}
