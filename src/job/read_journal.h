#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/json.h"
#include "base/result.h"
#include "sys/file_system.h"

namespace pedro {

/// Statistics of a journal that was read.
struct JournalReading {
  long long events = 0;
  long long junk_lines = 0;  ///< not a JSON object, or over 4 MiB; skipped
  bool torn_tail = false;  ///< the last line is incomplete: the writer was stopped, or still writes
};

/// Passes each event to `on_event`, oldest first. A last line without a newline counts as
/// incomplete unless it is a valid object. Errors: the journal is unreadable or longer than
/// LogLimit.
Result<JournalReading> read_journal(const FileSystem& files, const std::string& path,
                                    const std::function<void(const Json& event)>& on_event);

}  // namespace pedro
