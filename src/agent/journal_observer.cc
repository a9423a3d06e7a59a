#include "agent/journal_observer.h"

#include <string>

namespace pedro {
namespace {

constexpr std::size_t kMostPaths = 32;

Json part_json(const ContextPart& part) {
  Json json = {{"kind", to_string(part.kind)}, {"tokens", part.tokens}, {"bytes", part.bytes}};
  if (part.pinned) json["pinned"] = true;
  if (!part.kept_as.empty()) json["kept_as"] = part.kept_as;
  if (!part.facts) return json;
  const CallFacts& facts = *part.facts;
  Json changed = Json::array();
  for (const std::string& path : facts.changed) {
    if (changed.size() < kMostPaths) changed.push_back(path);
  }
  json["call"] = {{"kind", static_cast<int>(facts.kind)},
                  {"tool", facts.tool},
                  {"name", facts.call},
                  {"target", facts.target},
                  {"ok", facts.ok},
                  {"changed", std::move(changed)}};
  return json;
}

}  // namespace

Json appended_json(const Ledger& ledger, MessageId heard) {
  Json rows = Json::array();
  for (std::size_t i = ledger.first_behind(heard); i < ledger.messages().size(); ++i) {
    const ContextMessage& message = ledger.messages()[i];
    Json parts = Json::array();
    for (const ContextPart& part : ledger.parts(i)) parts.push_back(part_json(part));
    rows.push_back({{"id", message.id}, {"role", to_string(message.role)}, {"parts", parts}});
  }
  Json json = {{"tokens", ledger.total()}, {"messages", std::move(rows)}};
  if (!ledger.exact()) json["estimated"] = true;
  return json;
}

Json compacted_json(const CompactionReport& report) {
  Json left = Json::array();
  for (const CompactionReport::Left& one : report.left) {
    Json row = {{"first", one.first}, {"last", one.last},     {"what", one.what},
                {"why", one.why},     {"tokens", one.tokens}, {"cleared", one.cleared}};
    if (one.cleared) {
      row["kept_as"] = one.kept_as;
    } else {
      row["score"] = one.score;
    }
    left.push_back(std::move(row));
  }
  Json stayed = Json::array();
  for (const CompactionReport::Stayed& one : report.stayed) {
    stayed.push_back({{"first", one.first},
                      {"last", one.last},
                      {"tokens", one.tokens},
                      {"why", to_string(one.why)}});
  }
  Json json = {{"before", report.before},
               {"after", report.after},
               {"limit", report.limit},
               {"note", report.note},
               {"note_tokens", report.note_tokens},
               {"kept_as", report.kept_as},
               {"left", std::move(left)},
               {"stayed", std::move(stayed)}};
  if (report.estimated) json["estimated"] = true;
  if (!report.note_problem.empty()) json["note_problem"] = report.note_problem;
  const Usage& usage = report.note_usage;
  if (usage.prompt_tokens > 0) {
    json["note_usage"] = {{"prompt_tokens", usage.prompt_tokens},
                          {"cached_tokens", usage.cached_tokens},
                          {"generated_tokens", usage.generated_tokens},
                          {"prompt_ms", usage.prompt_ms},
                          {"generate_ms", usage.generate_ms}};
    if (usage.cache_written_tokens > 0)
      json["note_usage"]["cache_written_tokens"] = usage.cache_written_tokens;
  }
  return json;
}

void JournalObserver::fall_silent() {
  silent_ = answers_.catching_up();
  journal_.mute(silent_);
}

// Ends a round in the log. All earlier journal events are synced to disk first.
Status JournalObserver::end_round() {
  Json state = round_state_ && !silent_ ? round_state_() : Json::object();
  state["rounds"] = rounds_;
  if (Status synced = journal_.sync(); !synced) return synced;
  state["journal"] = to_json(journal_.place());
  const RoundFiles files = files_kept_ ? RoundFiles::kKept : RoundFiles::kLost;
  if (Status ended = answers_.end_round(std::move(state), files); !ended) return ended;
  fall_silent();
  return {};
}

Status JournalObserver::on_phase_started(std::string_view phase, int number, int total) {
  phase_ = phase;
  if (Status written = journal_.phase_started(phase, number, total); !written) return written;
  return silent_ ? Status() : next_.on_phase_started(phase, number, total);
}

Status JournalObserver::take_checkpoint() {
  if (!take_checkpoint_ || silent_) return {};
  const Result<std::string> commit = take_checkpoint_(rounds_);
  files_kept_ = commit.ok();
  if (commit) return commit->empty() ? Status() : journal_.checkpoint_taken(rounds_, *commit);
  if (commit.error().kind == ErrorKind::kInterrupted) return commit.error();
  if (!told_) {
    on_notice("no checkpoint can be taken, retrying after each round: " + commit.error().message);
  }
  told_ = true;
  return {};
}

Status JournalObserver::on_round_started(std::string_view phase, int round) {
  if (Status taken = take_checkpoint(); !taken) return taken;
  if (Status ended = end_round(); !ended) return ended;
  round_ = round;
  if (Status written = journal_.turn_started(phase, round); !written) return written;
  return silent_ ? Status() : next_.on_round_started(phase, round);
}

Status JournalObserver::on_reply(const Reply& reply, long long used_tokens,
                                 long long window_tokens) {
  ++rounds_;
  if (!reply.thinking.empty()) {
    if (Status written = journal_.reasoning(reply.thinking); !written) return written;
  }
  if (Status written = journal_.agent_message(reply.text); !written) return written;
  const TurnEnd turn{phase_,     round_,      reply.usage,  reply.expected_cached_tokens,
                     reply.miss, used_tokens, window_tokens};
  if (Status written = journal_.turn_completed(turn); !written) return written;
  return silent_ ? Status() : next_.on_reply(reply, used_tokens, window_tokens);
}

Status JournalObserver::on_context(const Ledger& ledger, MessageId heard) {
  PEDRO_RETURN_IF_ERROR(journal_.context_appended(appended_json(ledger, heard)));
  return silent_ ? Status() : next_.on_context(ledger, heard);
}

Status JournalObserver::on_compaction(const CompactionReport& report) {
  PEDRO_RETURN_IF_ERROR(journal_.context_compacted(compacted_json(report)));
  return silent_ ? Status() : next_.on_compaction(report);
}

Status JournalObserver::on_decision(const policy::Record& record) {
  PolicyEntry entry{record.request.action, record.request.line,
                    std::string(to_string(record.verdict)), record.allowed, record.by};
  for (const policy::Finding& finding : record.findings) {
    entry.rules.push_back({finding.rule, finding.what, finding.why});
  }
  if (Status written = journal_.policy_decided(entry); !written) return written;
  return silent_ ? Status() : next_.on_decision(record);
}

Status JournalObserver::on_hook(const HookRun& run) {
  const HookEntry entry{std::string(to_string(run.event)),
                        run.command,
                        run.exit_code,
                        run.seconds,
                        run.blocked,
                        run.problem};
  if (Status written = journal_.hook_completed(entry); !written) return written;
  return silent_ ? Status() : next_.on_hook(run);
}

Status JournalObserver::on_call_started(const ToolCall& call) {
  if (Status written = journal_.tool_call_started(call); !written) return written;
  return silent_ ? Status() : next_.on_call_started(call);
}

Status JournalObserver::on_call_finished(const ToolCall& call, const ToolResult& result,
                                         bool valid) {
  const ToolCallEnd end{call, result, valid};
  if (Status written = journal_.tool_call_completed(end); !written) return written;
  if (!result.changed.empty()) {
    std::vector<FileChange> changes;
    for (const std::string& path : result.changed) changes.push_back({path, "update"});
    if (Status written = journal_.files_changed(changes); !written) return written;
  }
  return silent_ ? Status() : next_.on_call_finished(call, result, valid);
}

Status JournalObserver::on_check_started(const Check& check) {
  if (Status written = journal_.command_started(check.command); !written) return written;
  return silent_ ? Status() : next_.on_check_started(check);
}

Status JournalObserver::on_check_finished(const CheckOutcome& outcome) {
  const CommandEnd end{outcome.check.command, outcome.exit_code, outcome.timed_out,
                       outcome.duration_s, outcome.output};
  if (Status written = journal_.command_completed(end); !written) return written;
  return silent_ ? Status() : next_.on_check_finished(outcome);
}

Status JournalObserver::on_phase_limited() {
  if (rounds_ == limited_after_) return {};
  if (Status taken = take_checkpoint(); !taken) return taken;
  limited_after_ = rounds_;
  return end_round();
}

Status JournalObserver::on_phase_finished(std::string_view phase, PhaseEnd end,
                                          const Json& output) {
  if (end == PhaseEnd::kRounds) {  // also of a phase of answers
    if (Status limited = on_phase_limited(); !limited) return limited;
  }
  if (Status taken = take_checkpoint(); !taken) return taken;
  PEDRO_RETURN_IF_ERROR(journal_.phase_completed(phase, to_string(end), output));
  const bool told = silent_;
  // The late round is incomplete; the round before it is the last, and its end is already logged.
  const bool is_late = end == PhaseEnd::kTime;
  if (is_late) limited_after_ = rounds_;
  if (rounds_ != limited_after_) {
    if (Status ended = end_round(); !ended) return ended;
  }
  return told ? Status() : next_.on_phase_finished(phase, end, output);
}

void JournalObserver::on_notice(std::string_view message) {
  if (silent_) return;
  (void)journal_.notice(message);  // the next event reports a full disk again
  next_.on_notice(message);
}

void JournalObserver::on_retry(std::string_view message) {
  if (silent_) return;
  (void)journal_.notice(message, Journal::Notice::kRetry);
  next_.on_retry(message);
}

}  // namespace pedro
