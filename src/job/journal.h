#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
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

/// What is known of a job when it starts.
struct JobHeader {
  std::string id;
  std::string agent;
  std::string task;     ///< its title: the first line is kept, at most 200 bytes
  std::string workdir;  ///< the root of the work tree
  std::string branch;   ///< "" where it is not made yet
  std::string model;
  std::string backend;
  std::string format;   ///< how the model writes: the name of a family, or "learned"
  std::string version;  ///< ours
  ProcessIdentity process;
  int resumed_after = -1;       ///< so many rounds; -1: the job begins
  std::string repository = {};  ///< where the work tree is the job's own: that of the user
  bool moves_cache = false;     ///< what only left a conversation costs the server nothing
};

/// How much of a journal there is, a hash (hash.h) of it, and how many items are in it.
struct JournalPlace {
  std::uint64_t bytes = 0;
  std::uint64_t hash = kHashSeed;
  int items = 0;
};

Json to_json(const JournalPlace& place);
JournalPlace journal_place_from(const Json& json);

/// What became of a job.
struct JobEnd {
  std::string outcome;  ///< one word: "done", "not_verified", "limit" …
  int exit_code = 0;    ///< of the program
  std::string branch;
  std::string commit;
  std::string report;  ///< path of the report
  Json result = {};    ///< what an agent found out, where that is all it does
  int tries = 0;       ///< answers of the whole task that were asked for
};

/// One inference, when it is over.
struct TurnEnd {
  std::string phase;
  int round = 0;  ///< of the phase, from 1
  Usage usage;
  long long expected_cached_tokens = -1;  ///< -1: not known
  std::optional<CacheMiss> miss = {};     ///< of a token that is known
  long long window_used_tokens = 0;
  long long window_tokens = 0;
};

/// A call that is over. Borrows.
struct ToolCallEnd {
  const ToolCall& call;
  const ToolResult& result;
  bool valid = true;  ///< false: it did not pass its schema, and no tool was run
};

/// A command that pedrocli ran itself, such as a check.
struct CommandEnd {
  std::string command;
  int exit_code = 0;
  bool timed_out = false;
  double duration_s = 0;
  std::string output;
};

/// What a policy said of a call or a command.
struct PolicyEntry {
  struct Rule {
    std::string rule;
    std::string what;  ///< it speaks of
    std::string why;   ///< where it only may mean it
  };
  std::string action;   ///< "bash run"
  std::string command;  ///< the line for a shell, or ""
  std::string verdict;  ///< allow|ask|deny
  bool allowed = true;  ///< what came of it
  std::string by;       ///< who decided
  std::vector<Rule> rules = {};
};

struct FileChange {
  std::string path;
  std::string kind;  ///< "update"; "add" and "delete" where they are known
};

/// Hears every line, its newline included, on the thread that writes it.
using JournalSink = std::function<void(std::string_view line)>;

/// Writes what a job does to `journal.jsonl` in the job's folder, one JSON object a line, each
/// handed to the operating system at once; the format is in docs/journal.md. Texts are cut where
/// they are long (tool output 4 KB, arguments 16 KB each, replies 64 KB), so that a line stays
/// under 1 MB. Beside it `summary.json` holds the first line and the last one, that without
/// `result`, for listings.
///
/// A write that fails is one Error (kInternal), at the first call that meets it; nothing more is
/// written then, later calls succeed and the sink goes on hearing. The same goes for a journal that
/// would become too long (kLimit), but the job's end is still written. Borrows; one thread.
class Journal {
 public:
  /// `folder` must exist; see JobStore::create.
  Journal(FileSystem& files, const Clock& clock, std::string folder, JournalSink sink = {},
          LogLimit limit = {});

  /// For a journal that is there: it is cut off at `place`, what stood behind is kept in
  /// `journal.cut.jsonl`. To be called first. Error (kUsage): it is not what it was up to there.
  Status go_on_from(const JournalPlace& place);

  /// While that is set nothing is written and the sink hears nothing: it has been told. Items are
  /// numbered on from the last that was.
  void mute(bool muted);

  /// Behind what was written last.
  const JournalPlace& place() const { return place_; }
  /// There is no room for another round.
  bool is_full() const { return place_.bytes > limit_.full_bytes(); }
  /// All of it is on the disk then.
  Status sync();

  Status thread_started(const JobHeader& header);
  Status thread_completed(const JobEnd& end);

  Status phase_started(std::string_view phase, int number, int total);
  /// `end` is how it ended, in one word; `output` what it hands on. A turn that got no reply has
  /// failed.
  Status phase_completed(std::string_view phase, std::string_view end, const Json& output);

  Status turn_started(std::string_view phase, int round);
  Status turn_completed(const TurnEnd& turn);

  Status agent_message(std::string_view text);
  Status reasoning(std::string_view text);
  Status tool_call_started(const ToolCall& call);
  Status tool_call_completed(const ToolCallEnd& end);
  Status policy_decided(const PolicyEntry& entry);
  Status command_started(std::string_view command);
  Status command_completed(const CommandEnd& end);
  Status files_changed(const std::vector<FileChange>& changes);
  /// What came into the conversation, and what left it: `fields` as docs/journal.md has them.
  Status context_appended(const Json& fields);
  Status context_compacted(const Json& fields);
  /// The files as they were after so many rounds of the job are kept as this commit.
  Status checkpoint_taken(int rounds, std::string_view commit);
  /// Something the user should know and the job goes on with; kRetry: a request is made again.
  enum class Notice { kPlain, kRetry };
  Status notice(std::string_view message, Notice kind = Notice::kPlain);
  /// What ended the job, and the turn that got no reply; whether that is the server's failure.
  enum class Failure { kOurs, kServers };
  Status error(std::string_view message, Failure of = Failure::kOurs);

 private:
  std::string next_item_id();
  Status fail_turn(std::string_view message, Failure of);
  Status item(std::string_view event, Json item);
  Status write(std::string_view type, const Json& fields);
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
  bool in_turn_ = false;  // it has begun, and no reply has come
  JournalPlace place_;
  int items_ = 0;
  int rounds_ = 0;
  Usage total_;
  std::map<std::string, std::string, std::less<>> open_commands_;  // command: item id
  std::string began_;  // the time; "" where the job began with this process
  Json started_;
  Json last_;  // the line written last
};

}  // namespace pedro
