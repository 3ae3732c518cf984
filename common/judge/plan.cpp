#include "common/judge/plan.hpp"

#include <algorithm>
#include <cstdlib>
#include <thread>

#include "common/base/error.hpp"
#include "common/base/files/json_file.hpp"
#include "common/base/text/step_name.hpp"
#include "common/model/plan_json.hpp"

namespace ladder {
namespace {

const PlannedStep* under_way = nullptr;

Plan read_plan() {
  const char* path = std::getenv("LADDER_PLAN");
  if (!path) throw Error("this program judges rungs for the tool; start it through ./ladder check");
  Plan plan = plan_from_json(need_json(path), path);
  if (plan.cell_seconds <= 0) plan.cell_seconds = 10;
  return plan;
}

}  // namespace

bool runs_on_gpu(const PlannedStep& step) {
  return step.backend == "cuda" ||
         (step.backend == "opencl" && plan().environment.count("LADDER_OPENCL_GPU") > 0);
}

bool for_gpu(const Step& step) {
  return is_track_of_gpu(step.track());
}

void set_under_way(const PlannedStep* step) {
  under_way = step;
}

bool on_gpu() {
  return under_way && runs_on_gpu(*under_way);
}

int team_size() {
  const auto stated = plan().environment.find("OMP_NUM_THREADS");
  if (stated != plan().environment.end()) return std::max(1, std::atoi(stated->second.c_str()));
  return std::max(2, static_cast<int>(std::thread::hardware_concurrency()));
}

const Plan& plan() {
  static const Plan the_plan = read_plan();
  return the_plan;
}

}  // namespace ladder
