#pragma once

#include "base/json.h"
#include "context/budget.h"
#include "context/compaction_report.h"
#include "context/ledger.h"

namespace pedro {

/// What the journal has of a conversation (docs/journal.md, `context.appended`): the messages with
/// ids above `heard`, and what all of it takes.
Json appended_json(const Ledger& ledger, MessageId heard);

/// The same of a compaction (`context.compacted`).
Json compacted_json(const CompactionReport& report);

}  // namespace pedro
