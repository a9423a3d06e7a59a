#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "chat/message.h"
#include "llm/slot_completion.h"

namespace pedro {

/// The speed of a server, measured from its replies. Times are milliseconds per token.
class ServerPace {
 public:
  /// Adds a reply that was generated alone.
  void add(const Usage& usage);
  /// Adds replies that were generated at the same time, at least two.
  void add_together(const std::vector<Usage>& replies);

  double prefill_ms() const { return prefill_ms_; }  ///< 0: unknown
  double decode_ms() const { return decode_ms_; }    ///< of a reply alone; 0: unknown
  /// Returns the time for a token of each of `width` replies. Until it is measured, each further
  /// reply is assumed to cost as much as a token of a prompt.
  double decode_ms(std::size_t width) const;

 private:
  double prefill_ms_ = 0;
  double decode_ms_ = 0;
  double further_ms_ = -1;  // per further reply; -1: unknown
};

/// Requests that differ only at their ends, and the slots for them.
struct WavePlan {
  std::size_t requests = 0;
  double tail_tokens = 0;   ///< of a prompt that the slots' caches lack
  double reply_tokens = 0;  ///< expected
  /// Tokens of the common part of the prompts that each further slot lacks.
  std::vector<double> cold_tokens = {};
};

/// Returns the number of requests to make at the same time. It has the shortest expected total
/// time, and is 1 if the pace is unknown. Each further slot evaluates the common part again. That
/// takes longer than it saves if the server is slow at prompts.
std::size_t wave_width(const WavePlan& plan, const ServerPace& pace);

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
