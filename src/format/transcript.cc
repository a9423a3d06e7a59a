#include "format/transcript.h"

#include <cassert>

namespace pedro {

Result<Prompt> Transcript::rest_of(const ChatRequest& chat) const {
  if (messages_ == 0) return render_conversation(*family_, chat);
  return render_continuation(*family_, chat, messages_, *reply_);
}

// Some families write what a vocabulary begins prompts with themselves; in some vocabularies that
// is an ordinary token, and then it is text.
Status Transcript::open(const Prompt& prompt) {
  const Result<std::vector<TokenId>> start = tokenizer_->prompt_start();
  if (!start) return start.error();
  ids_ = *start;
  if (ids_.size() != 1 || prompt.parts.empty()) return {};
  const auto* control = std::get_if<ControlToken>(&prompt.parts.front());
  if (control == nullptr) {
    const Result<std::string> written = tokenizer_->decode(ids_);
    if (!written) return written.error();
    const std::string& text = std::get<PromptText>(prompt.parts.front()).text;
    if (!written->empty() && text.starts_with(*written)) ids_.clear();
    return {};
  }
  const Result<std::optional<TokenId>> id = encoder_.id_of(*control);
  if (!id) return id.error();
  if (*id == ids_.front()) ids_.clear();
  return {};
}

Status Transcript::extend(const ChatRequest& chat, const Prompt* lead) {
  if (messages_ > 0 && !reply_) {  // no reply came to the last prompt: it is asked for again
    assert(messages_ == chat.messages.size());
    return {};
  }
  assert(chat.messages.size() > messages_);
  Result<Prompt> rest = rest_of(chat);
  if (!rest) return rest.error();
  if (lead != nullptr) append(*rest, *lead);
  if (messages_ == 0) {
    if (Status opened = open(*rest); !opened) return opened;
  }
  const Result<std::vector<TokenId>> ids = encoder_.encode(*rest);
  if (!ids) return ids.error();
  ids_.insert(ids_.end(), ids->begin(), ids->end());
  messages_ = chat.messages.size();
  reply_.reset();
  return {};
}

void Transcript::begun(std::span<const TokenId> tokens, std::size_t evaluated) {
  expected_cached_ = static_cast<long long>(ids_.size() + evaluated);
  ids_.insert(ids_.end(), tokens.begin(), tokens.end());
}

void Transcript::generated(std::span<const TokenId> tokens, bool ended, ReplyEnd end) {
  const std::size_t sampled_last = tokens.empty() ? 0 : tokens.size() - 1;
  written(ended ? tokens.first(sampled_last) : tokens, sampled_last, end);
  if (tokens.empty()) --expected_cached_;
}

void Transcript::written(std::span<const TokenId> tokens, std::size_t evaluated, ReplyEnd end) {
  expected_cached_ = static_cast<long long>(ids_.size() + evaluated);
  ids_.insert(ids_.end(), tokens.begin(), tokens.end());
  ++messages_;
  reply_ = end;
}

}  // namespace pedro
