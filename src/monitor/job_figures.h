#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/context_history.h"
#include "base/json.h"
#include "base/result.h"
#include "chat/message.h"
#include "job/refusals.h"
#include "sys/file_system.h"

namespace pedro {

/// The parts of a prompt: the kinds of PartKind in order, and the overhead around messages (tool
/// declarations, turn markers).
inline constexpr std::size_t kContextKinds = 8;
using ContextShares = std::array<long long, kContextKinds>;  ///< tokens

/// One inference.
struct InferenceFigures {
  std::size_t phase = 0;  ///< index in JobFigures::phases
  int round = 0;          ///< number in the phase, from 1
  Usage usage;
  long long missed_tokens = 0;  ///< evaluated again although the cache should have had them
  long long window_used_tokens = 0;
  long long window_tokens = 0;
  /// Tokens of the prompt by kind. All 0 if the journal lacks parts of the conversation.
  ContextShares context{};
};

/// The exchanges that a compaction had to keep, for one reason.
struct StayedFigures {
  std::string why;  ///< "head", "opening", "newest", "error"
  long long exchanges = 0;
  long long tokens = 0;
};

/// One compaction of the conversation.
struct CompactionFigures {
  std::size_t inference = 0;  ///< index in JobFigures::inferences of the next inference
  long long before = 0;       ///< tokens of the conversation
  long long after = 0;
  std::size_t exchanges = 0;               ///< removed exchanges
  std::size_t cleared = 0;                 ///< results that were replaced by a short text
  std::string note;                        ///< "digest", "summary" or "none"
  bool estimated = false;                  ///< the token counts are estimates
  std::vector<StayedFigures> stayed = {};  ///< in order of first appearance
  Usage asked;                             ///< usage of the request for a summary

  long long saved() const { return before > after ? before - after : 0; }
};

/// Figures of all runs of one phase.
struct PhaseFigures {
  std::string name;
  std::string end;   ///< end of the last run; "" while it is open
  long long ms = 0;  ///< wall-clock time
  int runs = 0;
};

struct ToolFigures {
  std::string name;
  long long calls = 0;
  long long failed = 0;   ///< executed without success
  long long refused = 0;  ///< violated the schema, were not executed

  long long succeeded() const { return calls - failed - refused; }
};

/// The figures of a job, read from its journal. Texts are printable and have one line each.
struct JobFigures {
  std::string id;
  std::string agent;
  std::string task;
  std::string model;
  std::string backend;
  std::string format;
  std::string version;
  std::string outcome;  ///< one word; "" if the job has not ended
  std::string error;    ///< the error that ended the job; "" if none did
  std::string reason;   ///< why it did not succeed; "" if unknown
  Refusals refusals;
  int exit_code = 0;
  long long started_ms = 0;  ///< ms since 1970, UTC
  long long last_ms = 0;     ///< timestamp of the last event; ms since 1970, UTC
  std::vector<InferenceFigures> inferences;
  std::vector<CompactionFigures> compactions;
  std::vector<PhaseFigures> phases;
  std::vector<ToolFigures> tools;
  long long hooks = 0;  ///< runs of the user's hooks
  double hook_s = 0;
  long long retries = 0;          ///< requests repeated after a failure
  long long failed_requests = 0;  ///< requests without a reply after all retries
  long long checks = 0;
  long long checks_failed = 0;
  double check_s = 0;

  long long ms() const { return last_ms > started_ms ? last_ms - started_ms : 0; }
};

/// Computes figures from the events of a journal, either complete or still being written. Truncates
/// the names of tools, which a model chose. Counts tools, and phases, beyond the first 100 as
/// "other".
class FigureReader {
 public:
  void hear(const Json& event);
  const JobFigures& figures() const { return figures_; }

 private:
  void hear_start(const Json& event);
  void hear_phase(const Json& event, bool begins);
  void hear_reply(const Json& event);
  void hear_item(const Json& item);
  void hear_call(const Json& item);
  void hear_compaction(const Json& event);
  void tick(const Json& event);

  JobFigures figures_;
  ContextHistory history_{ContextHistory::Past::kForgotten};
  bool history_is_whole_ = true;
  long long note_tokens_ = 0;  // of the current note in the conversation
  std::optional<std::size_t> open_phase_;
};

/// Reads the figures of a journal. Ignores unknown events. Errors are those of read_journal().
Result<JobFigures> read_figures(const FileSystem& files, const std::string& journal_path);

/// Returns the display name of a kind, `kind` < kContextKinds: "rules", "task" … "tools and turns".
std::string_view context_kind_name(std::size_t kind);

}  // namespace pedro
