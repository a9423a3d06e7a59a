#include "job/journal_event.h"

namespace pedro {
namespace {

constexpr JournalEvent kEvents[] = {
    {"thread.started",
     "`thread_id`, `agent`, `task`, `workdir`, `branch`, `model`, `backend`, `format` (the model's "
     "format: the name of a family, or `learned`), `version`, `pid`, `start_ticks`. `repository`: "
     "the user's work tree, if `workdir` is a separate one. `moves_cache`: true if the server can "
     "shift its cache. A resumed job has `resumed_after` (rounds) and `began` (its first start)."},
    {"phase.started", "`phase`, `number`, `total`."},
    {"context.appended",
     "`tokens` (of the whole prompt), `estimated` (true if that is not exact), `messages`: the new "
     "ones."},
    {"context.compacted",
     "`before`, `after`, `limit` (tokens), `left`, `stayed`, `note` (`digest`, `summary` or "
     "`none`), `note_tokens`, `kept_as`, `estimated` as above. `note_problem`: the reason for a "
     "missing summary. `note_usage`: the use of the summary's request, `{prompt_tokens, "
     "cached_tokens, generated_tokens, prompt_ms, generate_ms}`, with `cache_written_tokens` as in "
     "`usage`."},
    {"turn.started", "`phase`, `round`."},
    {"item.started", "`item`: see below."},
    {"item.completed", "`item`: see below."},
    {"turn.completed", "`phase`, `round`, `usage`, `timings`, `cache`, `tokens`."},
    {"turn.failed",
     "`error`: `{message}`, with `server` true for a failure of the server without a reply. The "
     "reason for the end of the job or phase follows."},
    {"checkpoint.taken", "`rounds`, `commit`: the files after so many rounds of the job."},
    {"phase.completed", "`phase`, `end`, `output` (for later phases)."},
    {"error", "`message`: the reason for the end of the job."},
    {"thread.completed",
     "`outcome`, `exit_code`, `rounds`, `usage` (of all rounds), `branch`, `commit`, `report`. "
     "`reason`: why it did not succeed, if known. `tries`: the requested answers, if any. "
     "`result`: of agents that only read; it is also in "
     "`result.json`."},
};

constexpr JournalEvent kItems[] = {
    {"agent_message", "`text`."},
    {"reasoning", "`text`."},
    {"tool_call",
     "`tool`, `args`, `status`. When completed: `ok`, `valid` (false: refused before a tool ran), "
     "`text`, `changed` (paths)."},
    {"policy_decision",
     "`action`, `command`, `verdict`, `allowed`, `by` (`rules`, `person`, `earlier answer` or "
     "`nobody to ask`). `rules`: `[{rule, what, why}]` that did not simply allow it. Only with "
     "rules."},
    {"hook",
     "`event`, `command`, `exit_code` (-1: not started), `duration_s`, `blocked`. `problem`: the "
     "hook had no effect, for this reason."},
    {"command_execution",
     "`command`, `status`. When completed: `exit_code`, `timed_out`, `duration_s`, "
     "`aggregated_output`."},
    {"file_change",
     "`changes`: `[{path, kind}]`, `status`. The kind is always `update`, because a tool reports "
     "only the path."},
    {"error", "`message`: a notice, the job continues. `retry`: true if the request is repeated."},
};

}  // namespace

std::span<const JournalEvent> journal_events() {
  return kEvents;
}

std::span<const JournalEvent> journal_items() {
  return kItems;
}

}  // namespace pedro
