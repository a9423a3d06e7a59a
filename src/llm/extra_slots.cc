#include "llm/extra_slots.h"

#include <algorithm>
#include <cmath>
#include <thread>

namespace pedro {
namespace {

constexpr long long kFewestPromptTokens = 32;  // fewer measure the overhead of a request
constexpr long long kFewestReplyTokens = 8;

// The expected total time of all requests in waves of `width`.
double total_ms(const WavePlan& plan, const ServerPace& pace, std::size_t width) {
  const auto requests = static_cast<double>(plan.requests);
  double tokens = requests * plan.tail_tokens;
  for (std::size_t i = 0; i + 1 < width; ++i) tokens += plan.cold_tokens[i];
  const double waves = std::ceil(requests / static_cast<double>(width));
  return tokens * pace.prefill_ms() + waves * plan.reply_tokens * pace.decode_ms(width);
}

// Usual share of its limit that a reply uses.
constexpr double kUsualShareOfLimit = 0.3;

// Other threads report nothing: neither waits nor traces.
ServerOptions silent(ServerOptions options) {
  options.retry.max_attempts = 1;
  options.trace = {};
  options.on_retry = nullptr;
  options.on_notice = nullptr;
  return options;
}

std::size_t common_prefix(std::span<const TokenId> a, std::span<const TokenId> b) {
  const auto end = std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first;
  return static_cast<std::size_t>(end - a.begin());
}

}  // namespace

void ServerPace::add(const Usage& usage) {
  const long long evaluated = usage.prompt_tokens - std::max(0LL, usage.cached_tokens);
  if (evaluated >= kFewestPromptTokens && usage.prompt_ms > 0) {
    prefill_ms_ = usage.prompt_ms / static_cast<double>(evaluated);
  }
  if (usage.generated_tokens >= kFewestReplyTokens && usage.generate_ms > 0) {
    decode_ms_ = usage.generate_ms / static_cast<double>(usage.generated_tokens);
  }
}

void ServerPace::add_together(const std::vector<Usage>& replies) {
  double ms = 0;
  double tokens = 0;
  for (const Usage& usage : replies) {
    ms += usage.generate_ms;
    tokens += static_cast<double>(usage.generated_tokens);
  }
  if (replies.size() < 2 || tokens <= 0 || ms <= 0) return;
  const double further = static_cast<double>(replies.size() - 1);
  further_ms_ = std::max(0.0, (ms / tokens - decode_ms_) / further);
}

double ServerPace::decode_ms(std::size_t width) const {
  const double further_ms = further_ms_ < 0 ? prefill_ms_ : further_ms_;
  return decode_ms_ + further_ms * static_cast<double>(width - 1);
}

std::size_t wave_width(const WavePlan& plan, const ServerPace& pace) {
  if (pace.prefill_ms() <= 0 || pace.decode_ms() <= 0) return 1;
  const std::size_t most = std::min(plan.requests, plan.cold_tokens.size() + 1);
  std::size_t best = 1;
  for (std::size_t width = 2; width <= most; ++width) {
    if (total_ms(plan, pace, width) < total_ms(plan, pace, best)) best = width;
  }
  return best;
}

ExtraSlots::ExtraSlots(MakeHttp make_http, ServerOptions options, Tokenizer& tokenizer,
                       Json sampling, const Clock& clock, const CancelToken& cancel)
    : make_http_(std::move(make_http)),
      options_(silent(std::move(options))),
      tokenizer_(tokenizer),
      sampling_(std::move(sampling)),
      clock_(clock),
      cancel_(cancel) {}

ExtraSlots::Slot& ExtraSlots::open(int slot) {
  const auto known = std::find_if(opened_.begin(), opened_.end(),
                                  [&](const auto& one) { return one->number == slot; });
  if (known != opened_.end()) return **known;
  opened_.push_back(std::make_unique<Slot>(slot, make_http_(), options_, clock_, cancel_));
  opened_.back()->completion.use_slot(slot, tokenizer_);
  opened_.back()->completion.use_sampling(sampling_);
  return *opened_.back();
}

Status ExtraSlots::use_idle(LlamaClient& client, int own, int slots) {
  PEDRO_TRY(auto idle, client.idle_slots());
  if (!idle) {
    idle.emplace();
    for (int slot = 0; slot < slots; ++slot) idle->push_back(slot);
  }
  used_.clear();
  for (const int slot : *idle) {
    if (slot != own) used_.push_back(&open(slot));
  }
  return {};
}

std::size_t ExtraSlots::width_of(std::span<const CompletionRequest> requests, std::size_t announced,
                                 long long context_tokens, const ServerPace& pace) const {
  if (requests.size() < 2) return 1;
  const std::size_t shared = common_prefix(requests[0].prompt, requests[1].prompt);
  WavePlan plan{announced, static_cast<double>(requests[1].prompt.size() - shared),
                static_cast<double>(requests[0].max_tokens) * kUsualShareOfLimit};
  long long tokens = 0;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    tokens += static_cast<long long>(requests[i].prompt.size()) + requests[i].max_tokens;
    if (tokens > context_tokens) break;
    if (i == 0) continue;
    const std::size_t cached = common_prefix(used_[i - 1]->cached, requests[i].prompt);
    plan.cold_tokens.push_back(static_cast<double>(shared - std::min(shared, cached)));
  }
  return wave_width(plan, pace);
}

std::size_t ExtraSlots::complete(std::span<const CompletionRequest> requests, SlotCompletion& own,
                                 ServerPace& pace) {
  std::vector<char> sent(requests.size(), 0);
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < requests.size(); ++i) {
    Slot& slot = *used_[i - 1];
    slot.completion.forget_prompt();
    slot.cached.assign(requests[i].prompt.begin(), requests[i].prompt.end());
    threads.emplace_back([&slot, &sent, &request = requests[i], i] {
      sent[i] = slot.completion.send(request) ? 1 : 0;
    });
  }
  sent[0] = own.send(requests[0]) ? 1 : 0;
  for (std::thread& thread : threads) thread.join();
  kept_.clear();
  std::vector<Usage> usages;
  for (std::size_t i = 0; i < requests.size() && sent[i] != 0; ++i) {
    Result<Completion> done = i == 0 ? own.finish() : used_[i - 1]->completion.finish();
    if (!done) break;
    usages.push_back(done->usage);
    const auto prompt = requests[i].prompt;
    kept_.push_back({{prompt.begin(), prompt.end()}, *std::move(done)});
  }
  pace.add_together(usages);
  return kept_.size();
}

std::optional<Completion> ExtraSlots::take(const CompletionRequest& request) {
  const bool is_next = !kept_.empty() && request.begun.empty() &&
                       std::ranges::equal(kept_.front().prompt, request.prompt);
  if (!is_next) return std::nullopt;
  Completion completion = std::move(kept_.front().completion);
  kept_.pop_front();
  return completion;
}

}  // namespace pedro
