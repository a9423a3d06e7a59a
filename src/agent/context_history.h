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

/// A job's conversation as its journal tells it: what is in it now, what left it and why, and what
/// came in step by step. Journals of versions without compactions have no messages. A value.
class ContextHistory {
 public:
  /// Whether why_gone() and steps() are wanted: they grow with the job, what is in the conversation
  /// now does not.
  enum class Past { kKept, kForgotten };

  explicit ContextHistory(Past past = Past::kKept) : past_(past) {}

  /// Reads a journal; what is not as this program writes it is left out. Errors are those of
  /// read_journal(), and kUsage where messages are missing in the middle.
  static Result<ContextHistory> read(const FileSystem& files, const std::string& journal_path);

  /// Takes in the next event of a journal; those that say nothing of the conversation change
  /// nothing. Error (kUsage): messages are missing in the middle; nothing is to be heard after
  /// that.
  Status hear(const Json& event);

  const Ledger& now() const { return now_; }
  long long window_tokens() const { return window_tokens_; }
  /// The job's server could move its cache.
  bool moves_cache() const { return moves_cache_; }

  /// Why a message left, as a row of `left` of docs/journal.md, with `round`: how many requests had
  /// been made; null where it did not. The last row counts where its result gave way before.
  Json why_gone(MessageId message) const;

  /// A request: what was new in it.
  struct Step {
    struct Message {
      Role role = Role::kUser;
      std::vector<ContextPart> parts;
    };
    std::vector<Message> messages;
    long long around = 0;  ///< tokens beside those of the parts
    bool anew = false;     ///< another conversation begins with it
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
  std::map<MessageId, std::shared_ptr<const Json>> gone_;  // of a compaction the same
  long long window_tokens_ = 0;
  bool moves_cache_ = false;
};

/// What another window, or other rules, would have made of a job.
struct ContextForecast {
  struct Cut {
    std::size_t request = 0;  ///< from 1
    long long before = 0;
    long long after = 0;
    std::size_t cleared = 0;
    std::size_t removed = 0;
  };
  std::vector<Cut> cuts;
  long long entered = 0;    ///< tokens that came in
  long long evaluated = 0;  ///< by a server that has in its cache what is unchanged
  std::string failed;       ///< why it would have ended; "" where it would not
};

/// Plays a history once more. Stubs and the note take as much as `rules` say.
ContextForecast forecast(const ContextHistory& history, const Budget& budget,
                         const CompactionRules& rules);

}  // namespace pedro
