#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "context/budget.h"
#include "context/compaction.h"
#include "context/ledger.h"
#include "sys/file_system.h"

namespace pedro {

/// A job's conversation, reconstructed from its journal: the current messages, the removed messages
/// with reasons, and the additions per request. Journals of versions without compaction contain no
/// messages. A value.
class ContextHistory {
 public:
  /// Selects if why_gone() and steps() are kept. They grow with the job; the current messages do
  /// not.
  enum class Past { kKept, kForgotten };

  explicit ContextHistory(Past past = Past::kKept) : past_(past) {}

  /// Reads a journal and skips events with an unexpected form. Errors: of read_journal(); kUsage if
  /// messages are missing in the middle.
  static Result<ContextHistory> read(const FileSystem& files, const std::string& journal_path);

  /// Applies the next event of a journal. Ignores events without messages. Errors: kUsage if
  /// messages are missing in the middle; hear() must not be called after that.
  Status hear(const Json& event);

  const Ledger& now() const { return now_; }
  long long window_tokens() const { return window_tokens_; }
  /// Returns true if the job's server could shift its KV cache.
  bool moves_cache() const { return moves_cache_; }

  /// Returns the reason for a removal as a row of `left` (docs/journal.md) with `round`, the number
  /// of requests before it. Returns null for a message that was not removed. The last row is used
  /// if its result was cleared before.
  Json why_gone(MessageId message) const;

  /// The additions of one request.
  struct Step {
    struct Message {
      Role role = Role::kUser;
      std::vector<ContextPart> parts;
    };
    std::vector<Message> messages;
    long long around = 0;  ///< tokens in addition to those of the parts
    bool anew = false;     ///< starts a new conversation
  };
  const std::vector<Step>& steps() const { return steps_; }

 private:
  Status append(const Json& event);
  void compact(const Json& event);
  void correct(long long prompt_tokens);
  void clear_result(std::size_t message, const Json& row);

  Past past_;
  Ledger now_;
  long long requests_ = 0;
  std::vector<Step> steps_;
  std::map<MessageId, std::shared_ptr<const Json>> gone_;  // shared per row of a compaction
  long long window_tokens_ = 0;
  bool moves_cache_ = false;
};

/// The course of a job with another context window or other compaction rules.
struct ContextForecast {
  struct Cut {
    std::size_t request = 0;  ///< number of the request, from 1
    long long before = 0;
    long long after = 0;
    std::size_t cleared = 0;
    std::size_t removed = 0;
  };
  std::vector<Cut> cuts;
  long long entered = 0;    ///< tokens added
  long long evaluated = 0;  ///< prefilled tokens if the server caches the unchanged prefix
  std::string failed;       ///< reason why the job would end; "" if it would not
};

/// Simulates a history. Markers and the note have the sizes of `rules`.
ContextForecast forecast(const ContextHistory& history, const Budget& budget,
                         const CompactionRules& rules);

}  // namespace pedro
