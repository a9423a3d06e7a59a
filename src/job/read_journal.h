#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/json.h"
#include "base/result.h"
#include "sys/file_system.h"

namespace pedro {

/// What a journal's text turned out to be.
struct JournalReading {
  long long events = 0;
  long long junk_lines = 0;  ///< no JSON object, or over 4 MB; left out
  bool torn_tail = false;    ///< the last line has no end: the writer was stopped, or writes on
};

/// Hands every event to `on_event`, oldest first. A journal that is longer than LogLimit is an
/// error, as is one that cannot be read. A last line without its newline counts as torn unless it
/// is a whole object.
Result<JournalReading> read_journal(const FileSystem& files, const std::string& path,
                                    const std::function<void(const Json& event)>& on_event);

}  // namespace pedro
