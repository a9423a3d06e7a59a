#pragma once

#include <vector>

#include "agent/build_run.h"
#include "base/json.h"
#include "git/work_branch.h"
#include "tools/checks.h"

namespace pedro {

/// The complete inputs of a job that changes files.
struct BuildStart {
  BuildTask task;
  BuildSettings settings;
  std::vector<Check> checks;
  BranchPlace place;
  std::string workdir = {};  ///< folder of a resumed job
};

/// Converts the options of a build to the JSON of a job's folder, and back.
Json to_json(const BuildTask& task);
BuildTask build_task_from(const Json& json);
Json to_json(const LeftBehind& left);
LeftBehind left_behind_from(const Json& json);
Json to_json(const BuildStart& start);
BuildStart build_start_from(const Json& json);

}  // namespace pedro
