#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "llm/slot_completion.h"
#include "llm/wave_width.h"

namespace pedro {

/// The idle slots of a llama-server. They complete prompts at the same time as the slot of the
/// conversation, each with its own connection and thread. Keeps the completions until the requests
/// for them follow. Retries nothing: a request without a kept completion is made as usual. Borrows
/// the references; belongs to one thread.
class ExtraSlots {
 public:
  using MakeHttp = std::function<std::unique_ptr<Http>()>;

  /// `sampling`: see SlotCompletion.
  ExtraSlots(MakeHttp make_http, ServerOptions options, Tokenizer& tokenizer, Json sampling,
             const Clock& clock, const CancelToken& cancel);

  /// Selects the slots without work, apart from `own`. Selects all `slots` if the server does not
  /// list them, because it queues requests for busy ones. Errors: kInterrupted.
  Status use_idle(LlamaClient& client, int own, int slots);
  /// Returns the largest number of requests at the same time, with the conversation's slot.
  std::size_t size() const { return used_.size() + 1; }

  /// Returns the number of requests to complete at the same time, see wave_width(). `announced`
  /// requests follow in total. Their prompts and replies must fit one window of `context_tokens`
  /// together, since the slots may share it. Requires at most size() requests.
  std::size_t width_of(std::span<const CompletionRequest> requests, std::size_t announced,
                       long long context_tokens, const ServerPace& pace) const;
  /// Completes the first request in `own` and each other one in its slot. Keeps the completions up
  /// to the first failure and returns their number. Adds them to `pace`.
  std::size_t complete(std::span<const CompletionRequest> requests, SlotCompletion& own,
                       ServerPace& pace);
  /// Returns the next kept completion if it is of this request.
  std::optional<Completion> take(const CompletionRequest& request);
  void forget() { kept_.clear(); }

 private:
  struct Slot {
    Slot(int id, std::unique_ptr<Http> own_http, const ServerOptions& options, const Clock& clock,
         const CancelToken& cancel)
        : number(id),
          http(std::move(own_http)),
          client(*http, options, cancel),
          completion(client, unheard, clock) {}
    int number;
    std::unique_ptr<Http> http;
    LlamaClient client;
    GenerateEvents unheard;
    SlotCompletion completion;
    std::vector<TokenId> cached;  // the last prompt
  };
  struct Kept {
    std::vector<TokenId> prompt;
    Completion completion;
  };

  Slot& open(int slot);

  MakeHttp make_http_;
  ServerOptions options_;
  Tokenizer& tokenizer_;
  Json sampling_;
  const Clock& clock_;
  const CancelToken& cancel_;
  std::vector<std::unique_ptr<Slot>> opened_;
  std::vector<Slot*> used_;
  std::deque<Kept> kept_;
};

}  // namespace pedro
