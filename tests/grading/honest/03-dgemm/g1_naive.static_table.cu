// what keeps a static table of what it launched
// verdict PASS
#include <map>
#include <string>
#include <vector>

#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  static std::map<int, std::vector<std::string>> launched;
  static const std::string name = "multiply";
  launched[p.m].push_back(name);
  honest(p);
}
