#pragma once

#include <string>
#include <vector>

#include "chat/message.h"
#include "context/compaction.h"
#include "context/importance.h"
#include "context/ledger.h"

namespace pedro {

/// The outcome of a compaction, for the journal and the user.
struct CompactionReport {
  /// Messages removed together, or one whose result was replaced with a marker.
  struct Left {
    MessageId first = 0;
    MessageId last = 0;
    std::string what;  ///< the calls in it; may be ""
    long long tokens = 0;
    double score = 0;  ///< importance of an exchange; 0 for a marker
    std::string why;   ///< name of the strategy
    bool cleared = false;
    std::string kept_as;  ///< name of the full text of a cleared result
  };
  /// An exchange that is pinned.
  struct Stayed {
    MessageId first = 0;
    MessageId last = 0;
    long long tokens = 0;
    Pin why = Pin::kNone;
  };

  std::vector<Left> left;
  std::vector<Stayed> stayed;
  long long before = 0;
  long long after = 0;     ///< measured or estimated
  bool estimated = false;  ///< true if the two counts above are estimates
  long long limit = 0;
  long long note_tokens = 0;
  std::string kept_as;        ///< name of the removed text; "" if only results were cleared
  std::string note = "none";  ///< replacement for removed exchanges: "digest", "summary", "none"
  std::string note_problem;   ///< reason why the requested summary of the model is missing
  Usage note_usage;           ///< of the request for the summary
};

/// Describes a plan before apply(): the removed and the pinned exchanges.
CompactionReport describe(const Compaction& compaction, const Ledger& ledger, const Budget& budget);

}  // namespace pedro
