#pragma once

#include <string>
#include <vector>

#include "chat/message.h"
#include "context/compaction.h"
#include "context/importance.h"
#include "context/ledger.h"

namespace pedro {

/// What became of a compaction, for whoever wants to know why something is no longer there.
struct CompactionReport {
  /// Messages that left together, or one whose result gave way to a stub.
  struct Left {
    MessageId first = 0;
    MessageId last = 0;
    std::string what;  ///< of the calls in it; may be ""
    long long tokens = 0;
    double score = 0;  ///< of an exchange
    std::string why;   ///< the strategy's name
    bool cleared = false;
    std::string kept_as;  ///< of a stub
  };
  /// An exchange that could not leave.
  struct Stayed {
    MessageId first = 0;
    MessageId last = 0;
    long long tokens = 0;
    Pin why = Pin::kNone;
  };

  std::vector<Left> left;
  std::vector<Stayed> stayed;
  long long before = 0;
  long long after = 0;     ///< measured, or about so many
  bool estimated = false;  ///< the two above
  long long limit = 0;
  long long note_tokens = 0;
  std::string kept_as;        ///< all that left, as text; "" where only results were cleared
  std::string note = "none";  ///< what stands for it: "digest", "summary", "none"
  std::string note_problem;   ///< why the model wrote none, where it was asked to
  Usage note_usage;           ///< of asking it
};

/// What is to leave, and what cannot, before it is done.
CompactionReport describe(const Compaction& compaction, const Ledger& ledger, const Budget& budget);

}  // namespace pedro
