#include "eval/attempt_journal.h"

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "job/read_journal.h"

namespace pedro {

void AttemptJournal::hear(const Json& event) {
  reader_.hear(event);
  const std::string type = text_of(event, "type");
  if (type == "thread.started") branch_ = text_of(event, "branch");
  if (type == "turn.started") end_round();
  if (type == "item.completed") hear_item(event);
  // Ignores a phase that ended at a limit: it accepted nothing.
  if (type == "phase.completed" && text_of(event, "end") == "completed") did_something_ = true;
  if (type != "thread.completed") return;
  branch_ = text_of(event, "branch");
  rounds_ = count_of(event, "rounds");
  tries_ = count_of(event, "tries");
}

void AttemptJournal::hear_item(const Json& event) {
  const Json& item = member(event, "item");
  const std::string type = text_of(item, "type");
  if (type == "agent_message") {
    in_round_ = true;
    reply_ = text_of(item, "text");
  }
  if (type == "file_change") did_something_ = true;
  if (type != "tool_call") return;
  ++calls_;
  if (!truth_of(item, "valid", true)) {
    ++refused_calls_;
    return;
  }
  did_something_ = true;
  if (first_call_ms_ == 0) first_call_ms_ = from_rfc3339(text_of(event, "ts")).value_or(0);
}

// Counts a reply as refused if no tool ran and no phase ended after it.
void AttemptJournal::end_round() {
  if (!in_round_) return;
  refused_ += did_something_ ? refused_calls_ : std::max(1LL, refused_calls_);
  if (did_something_) {
    last_refused_.clear();
    same_now_ = 0;
  } else {
    same_now_ = same_now_ > 0 && reply_ == last_refused_ ? same_now_ + 1 : 1;
    same_most_ = std::max(same_most_, same_now_);
    last_refused_ = std::move(reply_);
  }
  in_round_ = false;
  did_something_ = false;
  refused_calls_ = 0;
  reply_.clear();
}

void AttemptJournal::fill(TaskAttempt& attempt, long long started_ms) const {
  const JobFigures& job = reader_.figures();
  attempt.outcome = job.outcome;
  const auto inferences = static_cast<long long>(job.inferences.size());
  attempt.rounds = std::max(rounds_, inferences);
  attempt.calls = calls_;
  attempt.refused = refused_;
  attempt.same_refused = same_most_;
  attempt.tries = tries_;
  for (const InferenceFigures& one : job.inferences) {
    attempt.generated_tokens += one.usage.generated_tokens;
    attempt.prompt_tokens += one.usage.prompt_tokens;
    attempt.cached_tokens += one.usage.cached_tokens;
  }
  if (first_call_ms_ > 0) {
    attempt.first_call_s = static_cast<double>(std::max(0LL, first_call_ms_ - started_ms)) / 1000;
  }
}

Result<AttemptJournal> read_attempt_journal(const FileSystem& files, const std::string& path) {
  AttemptJournal journal;
  PEDRO_RETURN_IF_ERROR(read_journal(files, path, [&](const Json& event) { journal.hear(event); }));
  journal.end();
  return journal;
}

}  // namespace pedro
