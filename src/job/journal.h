#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/result.h"
#include "chat/message.h"
#include "job/log_limit.h"
#include "sys/file_system.h"
#include "sys/process_alive.h"

namespace pedro {

/// The properties of a job at its start.
struct JobHeader {
  std::string id;
  std::string agent;
  std::string task;     ///< the title: its first line is kept, at most 200 bytes
  std::string workdir;  ///< root of the work tree
  std::string branch;   ///< "" if it does not exist yet
  std::string model;
  std::string backend;
  std::string format;   ///< tool call format: the name of a model family, or "learned"
  std::string version;  ///< of pedrocli
  ProcessIdentity process;
  int resumed_after = -1;       ///< rounds before this resume; -1: a new job
  std::string repository = {};  ///< root of the user's work tree, if the job has its own
  bool moves_cache = false;     ///< the server reuses its KV cache after text was removed
};

/// A position in a journal: its size, a hash (hash.h) of the bytes before, and the number of items.
struct JournalPlace {
  std::uint64_t bytes = 0;
  std::uint64_t hash = kHashSeed;
  int items = 0;
};

Json to_json(const JournalPlace& place);
JournalPlace journal_place_from(const Json& json);

/// The result of a job.
struct JobEnd {
  std::string outcome;  ///< one word: "done", "not_verified", "limit", ...
  int exit_code = 0;    ///< of the program
  std::string branch;
  std::string commit;
  std::string report;       ///< path of the report
  Json result = {};         ///< the findings of a read-only agent
  int tries = 0;            ///< number of requested answers to the whole task
  std::string reason = {};  ///< one sentence, unless it succeeded
};

/// Data of a completed inference.
struct TurnEnd {
  std::string phase;
  int round = 0;  ///< of the phase, from 1
  Usage usage;
  long long expected_cached_tokens = -1;  ///< -1: unknown
  std::optional<CacheMiss> miss = {};     ///< the first token missing from the cache, if known
  long long window_used_tokens = 0;
  long long window_tokens = 0;
};

/// A completed tool call. Borrows.
struct ToolCallEnd {
  const ToolCall& call;
  const ToolResult& result;
  bool valid = true;  ///< false: it failed its schema, and no tool ran
};

/// A completed command of pedrocli itself, such as a check.
struct CommandEnd {
  std::string command;
  int exit_code = 0;
  bool timed_out = false;
  double duration_s = 0;
  std::string output;
};

/// The decision of a policy on a call or a command.
struct PolicyEntry {
  struct Rule {
    std::string rule;
    std::string what;  ///< the text that it matches
    std::string why;   ///< the reason, if the match is uncertain
  };
  std::string action;   ///< "bash run"
  std::string command;  ///< the line for a shell, or ""
  std::string verdict;  ///< allow|ask|deny
  bool allowed = true;  ///< final decision
  std::string by;       ///< "rules", "person", "earlier answer", ...
  std::vector<Rule> rules = {};
};

/// A run of a user's hook.
struct HookEntry {
  std::string event;  ///< "PreToolUse"
  std::string command;
  int exit_code = 0;  ///< -1: not started
  double duration_s = 0;
  bool blocked = false;
  std::string problem = {};  ///< it had no effect for this reason
};

struct FileChange {
  std::string path;
  std::string kind;  ///< "update"; "add" and "delete" if known
};

/// Receives every line with its newline, in the thread that writes it.
using JournalSink = std::function<void(std::string_view line)>;

/// Writes the events of a job to `journal.jsonl` in the job's folder, one JSON object per line.
/// Flushes each to the operating system at once. docs/journal.md describes the format. Truncates
/// long texts (tool output 4 KiB, arguments 16 KiB each, replies 64 KiB). A line thus stays below 1
/// MiB. Also writes `summary.json` for listings: the first line, and the last line without
/// `result`.
///
/// A failed write is one error (kInternal), returned by the first call that meets it. Later calls
/// write nothing and succeed, and the sink still receives events. The same applies to a journal
/// that would exceed its limit (kLimit), but the job's end is still written. Borrows its arguments.
/// One thread.
class Journal {
 public:
  /// `folder` must exist; see JobStore::create().
  Journal(FileSystem& files, const Clock& clock, std::string folder, JournalSink sink = {},
          LogLimit limit = {});

  /// Continues an existing journal. Truncates it at `place` and moves the rest to
  /// `journal.cut.jsonl`. Call it before any other function. Errors (kUsage): the part before
  /// `place` was changed.
  Status go_on_from(const JournalPlace& place);

  /// While muted, nothing is written and the sink receives nothing: these events were reported
  /// before. Unmuting restores the item numbers.
  void mute(bool muted);

  /// Returns the position after the last event.
  const JournalPlace& place() const { return place_; }
  /// Returns true if there is no room for another round.
  bool is_full() const { return place_.bytes > limit_.full_bytes(); }
  /// Syncs the journal to the disk.
  Status sync();

  Status thread_started(const JobHeader& header);
  Status thread_completed(const JobEnd& end);

  Status phase_started(std::string_view phase, int number, int total);
  /// `end` is the kind of end in one word, `output` the data for the next phase. A turn without a
  /// reply is recorded as failed.
  Status phase_completed(std::string_view phase, std::string_view end, const Json& output);

  Status turn_started(std::string_view phase, int round);
  Status turn_completed(const TurnEnd& turn);

  Status agent_message(std::string_view text);
  Status reasoning(std::string_view text);
  Status tool_call_started(const ToolCall& call);
  Status tool_call_completed(const ToolCallEnd& end);
  Status policy_decided(const PolicyEntry& entry);
  Status hook_completed(const HookEntry& entry);
  Status command_started(std::string_view command);
  Status command_completed(const CommandEnd& end);
  Status files_changed(const std::vector<FileChange>& changes);
  /// Text added to and removed from the conversation. docs/journal.md describes `fields`.
  Status context_appended(const Json& fields);
  Status context_compacted(const Json& fields);
  /// Records the commit of a checkpoint, taken after `rounds` rounds of the job.
  Status checkpoint_taken(int rounds, std::string_view commit);
  /// A message to the user that does not end the job. kRetry: a request is repeated.
  enum class Notice { kPlain, kRetry };
  Status notice(std::string_view message, Notice kind = Notice::kPlain);
  /// The error that ended the job, and the turn without a reply. kServers: the server failed.
  enum class Failure { kOurs, kServers };
  Status error(std::string_view message, Failure of = Failure::kOurs);

 private:
  std::string next_item_id();
  Status fail_turn(std::string_view message, Failure of);
  Status item(std::string_view event, Json item);
  Status write(std::string_view type, const Json& fields);
  Status store(std::string_view type, const Json& fields);
  void tell_last() const;
  Status append(std::string_view line, bool is_end);
  Status write_summary(const Json& ended);

  FileSystem& files_;
  const Clock& clock_;
  std::string folder_;
  JournalSink sink_;
  LogLimit limit_;
  bool failed_ = false;
  bool overfull_ = false;
  bool muted_ = false;
  bool in_turn_ = false;  // started, without a reply so far
  JournalPlace place_;
  int items_ = 0;
  int rounds_ = 0;
  Usage total_;
  std::map<std::string, std::string, std::less<>> open_commands_;  // command: item id
  std::string began_;  // time of the first start; "" if the job began in this process
  Json started_;
  Json last_;  // the last line
};

/// Returns `value` with each text longer than `max_text_bytes` truncated in the middle
/// (cut_middle() reports the number of missing bytes). If its line still exceeds `max_bytes`,
/// returns {"left_out_bytes": N} instead.
Json bounded_json(Json value, std::size_t max_text_bytes, std::size_t max_bytes);

/// A kind of line in a journal, or a kind of item in it. docs/reference/events.md lists these rows.
struct JournalEvent {
  std::string_view type;
  std::string_view fields;  ///< Markdown: each field's name as `name`, with its meaning
};

/// The types of events. Journal writes no other.
std::span<const JournalEvent> journal_events();
/// The types of items, in the events `item.started` and `item.completed`.
std::span<const JournalEvent> journal_items();

/// Writes the events of `-debug=tokens` to `tokens.jsonl` in a job's folder, one JSON object per
/// line. docs/journal.md describes the format. Borrows its arguments. One thread.
class TokenLog {
 public:
  TokenLog(FileSystem& files, const Clock& clock) : files_(files), clock_(clock) {}

  /// Sets the job's folder, which must exist.
  void open(const std::string& folder);
  /// Requires open().
  void add(const Json& event);
  /// Returns the first write error; nothing is written after it.
  const Status& status() const { return status_; }

 private:
  FileSystem& files_;
  const Clock& clock_;
  std::string path_;
  Status status_;
};

}  // namespace pedro
