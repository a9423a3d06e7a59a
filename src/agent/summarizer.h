#pragma once

#include <string>

#include "agent/feedback.h"
#include "context/ledger.h"
#include "llm/model.h"

namespace pedro {

/// What a model wrote of a conversation, or why there is nothing.
struct Summary {
  std::string text;     ///< "": none
  std::string problem;  ///< why
  Usage usage;
};

/// Has the model write down what of a conversation it needs to go on. It is asked beside the
/// conversation (Model::ask_aside()), at its end, where all of it is still in the server's cache;
/// the summary before is in it, and what it says goes into the new one. Borrows both; one thread.
class Summarizer {
 public:
  Summarizer(Model& model, const Feedback& feedback) : model_(model), feedback_(feedback) {}

  /// Of all of `request.chat`, whose last message is `last`, in at most `tokens`; once for the same
  /// conversation. `room`: how many tokens question and summary may take. What the model or its
  /// server does wrong is a Summary without text; Errors (kInterrupted) end the job.
  Result<Summary> write(const GenerateRequest& request, MessageId last, long long tokens,
                        long long room);

 private:
  Result<Summary> ask(const GenerateRequest& request, long long tokens, long long room);

  Model& model_;
  const Feedback& feedback_;
  MessageId covered_ = 0;  // up to which summary_ tells of
  Summary summary_;
};

}  // namespace pedro
