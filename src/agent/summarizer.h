#pragma once

#include <string>

#include "agent/feedback.h"
#include "context/ledger.h"
#include "llm/model.h"

namespace pedro {

/// A model's summary of a conversation, or the reason for its absence.
struct Summary {
  std::string text;     ///< "": none
  std::string problem;  ///< reason if there is no text
  Usage usage;
};

/// The reply that a summary is.
enum class SummaryForm {
  kCall,  ///< a call of the undeclared tool `summary`, for models that can be constrained to it
  kText,  ///< plain text, for servers that accept only calls of declared tools
};

/// Requests summaries of a conversation from a model before a compaction. The request
/// (Model::ask_aside()) follows the last message, so that the server's KV cache is still valid. The
/// previous summary is part of the conversation, so its contents carry over. Borrows both; one
/// thread.
class Summarizer {
 public:
  Summarizer(Model& model, const Feedback& feedback, SummaryForm form = SummaryForm::kCall)
      : model_(model), feedback_(feedback), form_(form) {}

  /// Summarizes `request.chat`, whose last message is `last`, in at most `tokens` tokens. Returns
  /// the stored summary for an unchanged conversation. `room` is the token limit for question and
  /// summary together. Failures of the model or its server result in a Summary without text.
  /// Errors: kInterrupted.
  Result<Summary> write(const GenerateRequest& request, MessageId last, long long tokens,
                        long long room);

 private:
  Result<Summary> ask(const GenerateRequest& request, long long tokens, long long room);

  Model& model_;
  const Feedback& feedback_;
  SummaryForm form_;
  MessageId covered_ = 0;  // last message covered by summary_
  Summary summary_;
};

}  // namespace pedro
