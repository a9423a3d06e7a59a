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
#include "sys/file_system.h"

namespace pedro {

/// What a prompt is made of: the kinds of PartKind, in their order, and what is written around
/// them (tools that are declared, what begins and ends turns).
inline constexpr std::size_t kContextKinds = 8;
using ContextShares = std::array<long long, kContextKinds>;  ///< tokens

/// One inference.
struct InferenceFigures {
  std::size_t phase = 0;  ///< of JobFigures::phases
  int round = 0;          ///< of the phase, from 1
  Usage usage;
  long long missed_tokens = 0;  ///< evaluated, although they should have been in the cache
  long long window_used_tokens = 0;
  long long window_tokens = 0;
  /// What the prompt was made of; all 0 where the journal does not say it.
  ContextShares context{};
};

/// What could not leave a conversation for one reason.
struct StayedFigures {
  std::string why;  ///< "head", "opening", "newest", "error"
  long long exchanges = 0;
  long long tokens = 0;
};

/// Something left the conversation.
struct CompactionFigures {
  std::size_t inference = 0;  ///< before which, of JobFigures::inferences
  long long before = 0;       ///< tokens
  long long after = 0;
  std::size_t exchanges = 0;               ///< that left
  std::size_t cleared = 0;                 ///< results that gave way to a few words
  std::string note;                        ///< "digest", "summary" or "none"
  bool estimated = false;                  ///< the tokens above
  std::vector<StayedFigures> stayed = {};  ///< in the order they came
  Usage asked;                             ///< of asking the model for a summary

  long long saved() const { return before > after ? before - after : 0; }
};

/// All runs of the phase together.
struct PhaseFigures {
  std::string name;
  std::string end;   ///< how the last run ended; "" where it did not
  long long ms = 0;  ///< by the clock
  int runs = 0;
};

struct ToolFigures {
  std::string name;
  long long calls = 0;
  long long failed = 0;   ///< ran, without success
  long long refused = 0;  ///< did not pass its schema: no tool ran

  long long succeeded() const { return calls - failed - refused; }
};

/// What a job did and what it took, as its journal tells it. Texts are printable, one line each.
struct JobFigures {
  std::string id;
  std::string agent;
  std::string task;
  std::string model;
  std::string backend;
  std::string format;
  std::string version;
  std::string outcome;  ///< one word; "" where there is no end
  std::string error;    ///< what ended it, where that is an error
  int exit_code = 0;
  long long started_ms = 0;  ///< since 1970, as all that follow
  long long last_ms = 0;     ///< of the last line
  std::vector<InferenceFigures> inferences;
  std::vector<CompactionFigures> compactions;
  std::vector<PhaseFigures> phases;
  std::vector<ToolFigures> tools;
  long long retries = 0;          ///< requests that were made again after a failure
  long long failed_requests = 0;  ///< no reply came of them, however often they were tried
  long long checks = 0;
  long long checks_failed = 0;
  double check_s = 0;

  long long ms() const { return last_ms > started_ms ? last_ms - started_ms : 0; }
};

/// Makes figures out of a journal's events, read from its beginning or while they are written.
/// Names of tools come from a model: they are cut, and of more than 100 the rest goes by "other".
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
  std::size_t phase_named(const std::string& name);
  void tick(const Json& event);

  JobFigures figures_;
  ContextHistory history_{ContextHistory::Past::kForgotten};
  bool history_is_whole_ = true;
  long long note_tokens_ = 0;  // of the note that stands in the conversation
  std::optional<std::size_t> open_phase_;
};

/// Of a journal; errors are those of read_journal(). What a newer or an older program wrote and is
/// not known is left out.
Result<JobFigures> read_figures(const FileSystem& files, const std::string& journal_path);

/// What kContextKinds are called: "rules", "task" … "tools and turns".
std::string_view context_kind_name(std::size_t kind);

}  // namespace pedro
