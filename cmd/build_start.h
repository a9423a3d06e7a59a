#pragma once

#include <string>
#include <vector>

#include "agent/build_run.h"
#include "base/json.h"
#include "base/result.h"
#include "git/work_branch.h"
#include "sys/file_system.h"
#include "tools/checks.h"

namespace pedro {

/// The work on a later message, for which a finished job was started again.
struct BuildTurn {
  int number = 0;       ///< 0: the work on the task
  int first_round = 0;  ///< number of rounds before it
  bool is_new = false;  ///< this process has received the message; not stored
};

/// The complete inputs of a job that changes files.
struct BuildStart {
  BuildTask task;
  BuildSettings settings;
  std::vector<Check> checks;
  BranchPlace place;
  std::string workdir = {};  ///< folder of a resumed job
  BuildTurn turn = {};
};

/// Converts the options of a build to the JSON of a job's folder, and back.
Json to_json(const BuildTask& task);
BuildTask build_task_from(const Json& json);
Json to_json(const LeftBehind& left);
LeftBehind left_behind_from(const Json& json);
Json to_json(const BuildStart& start);
BuildStart build_start_from(const Json& json);

/// Returns the inputs of the job in `folder`: those of its last later message, else of its start.
/// Errors: those of AnswerLog::read_start(); a damaged file.
Result<BuildStart> read_build_start(const FileSystem& files, const std::string& folder);
/// Reads the state that the job in `folder` left at its last end. Empty if there is none.
LeftBehind read_left_behind(const FileSystem& files, const std::string& folder);
/// Returns the path of that file.
std::string left_behind_path(const std::string& folder);
/// Stores the inputs for a later message. Errors: of the disk.
Status keep_build_start(FileSystem& files, const std::string& folder, const BuildStart& start);

/// Returns the output that the user gave a phase of a stopped job in place of the model's. Null if
/// there is none. `folder`: the job's. Errors: its file is damaged (kConfig), unreadable or over 1
/// MiB.
Result<Json> edited_output(const FileSystem& files, const std::string& folder,
                           const std::string& phase);

/// Stores such an output, which the job uses when it is resumed. Errors: those of
/// FileSystem::write_atomic().
Status edit_output(FileSystem& files, const std::string& folder, const std::string& phase,
                   const Json& output);

}  // namespace pedro
