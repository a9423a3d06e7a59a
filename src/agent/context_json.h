#pragma once

#include "base/json.h"
#include "context/budget.h"
#include "context/compaction_report.h"
#include "context/ledger.h"

namespace pedro {

/// Returns the journal's event of an addition (docs/journal.md, `context.appended`): the messages
/// with ids above `heard` and the total token count.
Json appended_json(const Ledger& ledger, MessageId heard);

/// Returns the journal's event of a compaction (`context.compacted`).
Json compacted_json(const CompactionReport& report);

}  // namespace pedro
