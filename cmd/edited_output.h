#pragma once

#include <string>

#include "base/json.h"
#include "base/result.h"
#include "sys/file_system.h"

namespace pedro {

/// Returns the output that the user has given to a phase of a stopped job in place of the model's;
/// null if there is none. `folder`: the job's. Errors: its file is damaged (kConfig), unreadable or
/// over 1 MiB.
Result<Json> edited_output(const FileSystem& files, const std::string& folder,
                           const std::string& phase);

/// Stores such an output, which the job uses when it is resumed. Errors: those of
/// FileSystem::write_atomic().
Status edit_output(FileSystem& files, const std::string& folder, const std::string& phase,
                   const Json& output);

}  // namespace pedro
