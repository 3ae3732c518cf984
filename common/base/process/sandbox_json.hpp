#pragma once
/// @file
/// A sandbox in plan.json: {"mode", "bwrap", "confine", "uid", "gid", "read", "cgroups"}.

#include "common/base/files/json_fields.hpp"
#include "common/base/process/sandbox.hpp"

namespace ladder {

void fields(Is<Sandbox> auto& sandbox, auto&& visit) {
  visit("mode", sandbox.mode);
  visit("bwrap", sandbox.bwrap);
  visit("confine", sandbox.confine);
  visit("uid", sandbox.uid);
  visit("gid", sandbox.gid);
  visit("read", sandbox.read);
  visit("cgroups", sandbox.cgroups);
}

}  // namespace ladder
