#include "job/journal.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/text.h"
#include "base/utf8.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxTitleBytes = 200;
constexpr std::size_t kMaxOutputBytes = 4u << 10;
constexpr std::size_t kMaxArgumentBytes = 16u << 10;
constexpr std::size_t kMaxMessageBytes = 64u << 10;
constexpr std::size_t kMaxValueBytes = 512u << 10;

std::string title_of(std::string_view task) {
  const std::vector<std::string_view> lines = split_lines(trim(task));
  return lines.empty() ? "" : std::string(truncate_utf8(trim(lines[0]), kMaxTitleBytes));
}

std::string cut(std::string_view text, std::size_t max_bytes) {
  return cut_middle(text, max_bytes, "");
}

Json usage_json(const Usage& usage) {
  Json json = {{"input_tokens", usage.prompt_tokens},
               {"cached_input_tokens", usage.cached_tokens},
               {"output_tokens", usage.generated_tokens}};
  if (usage.cache_written_tokens > 0) json["cache_written_tokens"] = usage.cache_written_tokens;
  if (usage.estimated_tokens > 0) json["estimated_input_tokens"] = usage.estimated_tokens;
  return json;
}

double per_second(long long tokens, double ms) {
  return ms > 0 ? static_cast<double>(tokens) * 1000 / ms : 0;
}

Json timings_json(const Usage& usage) {
  const long long evaluated = usage.prompt_tokens - usage.cached_tokens;
  return {{"prompt_ms", usage.prompt_ms},
          {"prompt_per_second", per_second(evaluated, usage.prompt_ms)},
          {"generate_ms", usage.generate_ms},
          {"generate_per_second", per_second(usage.generated_tokens, usage.generate_ms)}};
}

Json cache_json(const TurnEnd& turn) {
  const long long got = turn.usage.cached_tokens;
  Json cache = {{"expected_tokens", turn.expected_cached_tokens},
                {"cached_tokens", got},
                {"missed_tokens", std::max(0LL, turn.expected_cached_tokens - got)}};
  if (turn.miss) {
    cache["first_missed"] = {
        {"position", turn.miss->position}, {"id", turn.miss->token}, {"text", turn.miss->text}};
  }
  return cache;
}

Json call_json(const ToolCall& call, std::string_view status) {
  return {{"id", call.id},
          {"type", "tool_call"},
          {"tool", call.tool},
          {"args", bounded_json(call.args, kMaxArgumentBytes, kMaxValueBytes)},
          {"status", status}};
}

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

Json to_json(const JournalPlace& place) {
  return {{"bytes", place.bytes}, {"hash", to_hex(place.hash)}, {"items", place.items}};
}

JournalPlace journal_place_from(const Json& json) {
  JournalPlace place;
  place.bytes = static_cast<std::uint64_t>(number_of(json, "bytes"));
  place.hash = from_hex(text_of(json, "hash"));
  place.items = static_cast<int>(number_of(json, "items"));
  return place;
}

Journal::Journal(FileSystem& files, const Clock& clock, std::string folder, JournalSink sink,
                 LogLimit limit)
    : files_(files),
      clock_(clock),
      folder_(std::move(folder)),
      sink_(std::move(sink)),
      limit_(limit) {}

Status Journal::go_on_from(const JournalPlace& place) {
  const std::string path = join_path(folder_, "journal.jsonl");
  PEDRO_TRY(const std::string text, files_.read(path, limit_.max_bytes));
  if (text.size() < place.bytes ||
      hash_bytes(std::string_view(text).substr(0, place.bytes)) != place.hash) {
    return Error{ErrorKind::kUsage, path + ": it is damaged; start a new job"};
  }
  const std::string_view behind = std::string_view(text).substr(place.bytes);
  if (!behind.empty()) {
    const Status kept = files_.append(join_path(folder_, "journal.cut.jsonl"), behind);
    if (!kept) return kept;
  }
  if (Status cut = files_.cut(path, place.bytes); !cut) return cut;
  const Result<Json> first = parse_json(std::string_view(text).substr(0, text.find('\n')));
  if (first) began_ = text_of(*first, "ts");
  place_ = place;
  items_ = place.items;
  return {};
}

void Journal::mute(bool muted) {
  if (muted_ && !muted) items_ = place_.items;
  muted_ = muted;
}

Status Journal::sync() {
  if (failed_ || muted_) return {};
  const Status synced = files_.sync(join_path(folder_, "journal.jsonl"));
  if (synced) return {};
  failed_ = true;
  return synced.error().at("the job's journal cannot be written");
}

Status Journal::thread_started(const JobHeader& header) {
  Json fields = {{"thread_id", header.id},
                 {"agent", header.agent},
                 {"task", title_of(header.task)},
                 {"workdir", header.workdir},
                 {"branch", header.branch},
                 {"model", header.model},
                 {"backend", header.backend},
                 {"format", header.format},
                 {"version", header.version},
                 {"pid", header.process.pid},
                 {"start_ticks", header.process.start_ticks}};
  if (header.resumed_after >= 0) {
    fields["resumed_after"] = header.resumed_after;
    fields["began"] = began_;
  }
  if (!header.repository.empty()) fields["repository"] = header.repository;
  if (header.moves_cache) fields["moves_cache"] = true;
  const Status written = write("thread.started", fields);
  started_ = last_;
  return written ? write_summary(Json()) : written;
}

Status Journal::thread_completed(const JobEnd& end) {
  Json fields = {{"outcome", end.outcome}, {"exit_code", end.exit_code},
                 {"rounds", rounds_},      {"usage", usage_json(total_)},
                 {"branch", end.branch},   {"commit", end.commit},
                 {"report", end.report}};
  if (end.tries > 0) fields["tries"] = end.tries;
  if (!end.reason.empty()) fields["reason"] = cut(end.reason, kMaxOutputBytes);
  if (!end.result.is_null()) {
    fields["result"] = bounded_json(end.result, kMaxMessageBytes, kMaxValueBytes);
  }
  Status written = store("thread.completed", fields);
  if (written) {
    Json ended = last_;
    ended.erase("result");  // too long for listings, which do not show it
    written = write_summary(ended);
  }
  tell_last();  // whoever hears of the end may end this process
  return written;
}

Status Journal::phase_started(std::string_view phase, int number, int total) {
  return write("phase.started", {{"phase", phase}, {"number", number}, {"total", total}});
}

Status Journal::phase_completed(std::string_view phase, std::string_view end, const Json& output) {
  if (Status failed = fail_turn(end, Failure::kOurs); !failed) return failed;
  return write("phase.completed",
               {{"phase", phase},
                {"end", end},
                {"output", bounded_json(output, kMaxMessageBytes, kMaxValueBytes)}});
}

Status Journal::turn_started(std::string_view phase, int round) {
  in_turn_ = true;
  return write("turn.started", {{"phase", phase}, {"round", round}});
}

Status Journal::turn_completed(const TurnEnd& turn) {
  in_turn_ = false;
  ++rounds_;
  total_ += turn.usage;
  Json fields = {{"phase", turn.phase},
                 {"round", turn.round},
                 {"usage", usage_json(turn.usage)},
                 {"timings", timings_json(turn.usage)}};
  if (turn.expected_cached_tokens >= 0) fields["cache"] = cache_json(turn);
  fields["tokens"] = {{"window", turn.window_tokens}, {"window_used", turn.window_used_tokens}};
  return write("turn.completed", fields);
}

// Records the failure of a turn that began and got no reply.
Status Journal::fail_turn(std::string_view message, Failure of) {
  if (!std::exchange(in_turn_, false)) return {};
  Json error = {{"message", cut(message, kMaxOutputBytes)}};
  if (of == Failure::kServers) error["server"] = true;
  return write("turn.failed", {{"error", std::move(error)}});
}

Status Journal::agent_message(std::string_view text) {
  return item(
      "item.completed",
      {{"id", next_item_id()}, {"type", "agent_message"}, {"text", cut(text, kMaxMessageBytes)}});
}

Status Journal::reasoning(std::string_view text) {
  return item(
      "item.completed",
      {{"id", next_item_id()}, {"type", "reasoning"}, {"text", cut(text, kMaxMessageBytes)}});
}

Status Journal::tool_call_started(const ToolCall& call) {
  return item("item.started", call_json(call, "in_progress"));
}

Status Journal::tool_call_completed(const ToolCallEnd& end) {
  Json fields = call_json(end.call, end.result.ok ? "completed" : "failed");
  fields["ok"] = end.result.ok;
  fields["valid"] = end.valid;
  if (!end.result.repaired.empty()) {
    fields["repaired"] = bounded_json(end.result.repaired, kMaxOutputBytes, kMaxValueBytes);
  }
  fields["text"] = cut(end.result.text, kMaxOutputBytes);
  fields["changed"] = bounded_json(end.result.changed, kMaxOutputBytes, kMaxValueBytes);
  return item("item.completed", std::move(fields));
}

Status Journal::hook_completed(const HookEntry& entry) {
  Json fields = {{"id", next_item_id()},         {"type", "hook"},
                 {"event", entry.event},         {"command", cut(entry.command, kMaxArgumentBytes)},
                 {"exit_code", entry.exit_code}, {"duration_s", entry.duration_s},
                 {"blocked", entry.blocked}};
  if (!entry.problem.empty()) fields["problem"] = cut(entry.problem, kMaxOutputBytes);
  return item("item.completed", std::move(fields));
}

Status Journal::policy_decided(const PolicyEntry& entry) {
  constexpr std::size_t kMaxRules = 20;
  Json rules = Json::array();
  for (const PolicyEntry::Rule& rule : entry.rules) {
    if (rules.size() == kMaxRules) break;
    Json fields = {{"rule", cut(rule.rule, kMaxOutputBytes)},
                   {"what", cut(rule.what, kMaxOutputBytes)}};
    if (!rule.why.empty()) fields["why"] = rule.why;
    rules.push_back(std::move(fields));
  }
  Json fields = {{"id", next_item_id()},     {"type", "policy_decision"},
                 {"action", entry.action},   {"command", cut(entry.command, kMaxArgumentBytes)},
                 {"verdict", entry.verdict}, {"allowed", entry.allowed},
                 {"by", entry.by},           {"rules", std::move(rules)}};
  return item("item.completed", std::move(fields));
}

Status Journal::command_started(std::string_view command) {
  const std::string id = next_item_id();
  open_commands_[std::string(command)] = id;
  return item("item.started", {{"id", id},
                               {"type", "command_execution"},
                               {"command", cut(command, kMaxOutputBytes)},
                               {"status", "in_progress"}});
}

Status Journal::command_completed(const CommandEnd& end) {
  const auto open = open_commands_.find(end.command);
  const std::string id = open == open_commands_.end() ? next_item_id() : open->second;
  if (open != open_commands_.end()) open_commands_.erase(open);
  const bool passed = end.exit_code == 0 && !end.timed_out;
  return item("item.completed", {{"id", id},
                                 {"type", "command_execution"},
                                 {"command", cut(end.command, kMaxOutputBytes)},
                                 {"status", passed ? "completed" : "failed"},
                                 {"exit_code", end.exit_code},
                                 {"timed_out", end.timed_out},
                                 {"duration_s", end.duration_s},
                                 {"aggregated_output", cut(end.output, kMaxMessageBytes)}});
}

Status Journal::files_changed(const std::vector<FileChange>& changes) {
  Json list = Json::array();
  for (const FileChange& change : changes) {
    list.push_back({{"path", change.path}, {"kind", change.kind}});
  }
  return item("item.completed",
              {{"id", next_item_id()},
               {"type", "file_change"},
               {"changes", bounded_json(std::move(list), kMaxOutputBytes, kMaxValueBytes)},
               {"status", "completed"}});
}

Status Journal::context_appended(const Json& fields) {
  return write("context.appended", bounded_json(fields, kMaxOutputBytes, kMaxValueBytes));
}

Status Journal::context_compacted(const Json& fields) {
  return write("context.compacted", bounded_json(fields, kMaxOutputBytes, kMaxValueBytes));
}

Status Journal::checkpoint_taken(int rounds, std::string_view commit) {
  return write("checkpoint.taken", {{"rounds", rounds}, {"commit", commit}});
}

Status Journal::notice(std::string_view message, Notice kind) {
  Json fields = {
      {"id", next_item_id()}, {"type", "error"}, {"message", cut(message, kMaxOutputBytes)}};
  if (kind == Notice::kRetry) fields["retry"] = true;
  return item("item.completed", std::move(fields));
}

Status Journal::error(std::string_view message, Failure of) {
  if (Status failed = fail_turn(message, of); !failed) return failed;
  return write("error", {{"message", cut(message, kMaxOutputBytes)}});
}

std::string Journal::next_item_id() {
  return "item_" + std::to_string(items_++);
}

Status Journal::item(std::string_view event, Json item) {
  return write(event, {{"item", std::move(item)}});
}

Status Journal::write(std::string_view type, const Json& fields) {
  const Status stored = store(type, fields);
  tell_last();
  return stored;
}

Status Journal::store(std::string_view type, const Json& fields) {
  last_ = {{"ts", to_rfc3339(clock_.now_ms())}, {"type", type}};
  last_.update(fields);
  if (muted_) return {};
  return append(to_line(last_) + "\n",
                type == "turn.failed" || type == "error" || type == "thread.completed");
}

void Journal::tell_last() const {
  if (sink_ && !muted_) sink_(to_line(last_) + "\n");
}

Status Journal::append(std::string_view line, bool is_end) {
  if (failed_ || (overfull_ && !is_end)) return {};
  const std::string path = join_path(folder_, "journal.jsonl");
  if (!is_end && place_.bytes + line.size() > limit_.end_bytes()) {
    overfull_ = true;
    return Error{
        ErrorKind::kLimit,
        fmt::format("{}: reached its limit of {} bytes; the job cannot be resumed after that", path,
                    limit_.max_bytes)};
  }
  const Status appended = files_.append(path, line);
  if (appended) {
    place_.bytes += line.size();
    place_.hash = hash_bytes(line, place_.hash);
    place_.items = items_;
    return {};
  }
  failed_ = true;
  return appended.error().at("the job's journal cannot be written");
}

Status Journal::write_summary(const Json& ended) {
  if (failed_) return {};
  const std::string text = to_line({{"started", started_}, {"ended", ended}}) + "\n";
  const Status written = files_.write_atomic(join_path(folder_, "summary.json"), text, 0600);
  if (written) return {};
  failed_ = true;
  return written.error().at("the job's journal cannot be written");
}

Json bounded_json(Json value, std::size_t max_text_bytes, std::size_t max_bytes) {
  std::vector<Json*> open = {&value};
  while (!open.empty()) {
    Json* const next = open.back();
    open.pop_back();
    if (next->is_structured()) {
      for (Json& inside : *next) open.push_back(&inside);
    } else if (next->is_string()) {
      auto& text = next->get_ref<std::string&>();
      if (text.size() > max_text_bytes) text = cut_middle(text, max_text_bytes, "");
    }
  }
  const std::size_t bytes = to_line(value).size();
  return bytes <= max_bytes ? value : Json{{"left_out_bytes", bytes}};
}

std::span<const JournalEvent> journal_events() {
  return kEvents;
}

std::span<const JournalEvent> journal_items() {
  return kItems;
}

void TokenLog::open(const std::string& folder) {
  path_ = join_path(folder, "tokens.jsonl");
}

void TokenLog::add(const Json& event) {
  if (!status_) return;
  Json line = {{"ts", to_rfc3339(clock_.now_ms())}};
  line.update(event);
  status_ = files_.append(path_, to_line(line) + "\n");
}

}  // namespace pedro
