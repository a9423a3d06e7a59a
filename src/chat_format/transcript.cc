#include "chat_format/transcript.h"

#include <algorithm>
#include <cassert>
#include <string>

namespace pedro {

Result<Prompt> Transcript::rest_of(const ChatRequest& chat) const {
  if (messages_ == 0) return render_conversation(*family_, chat);
  return render_continuation(*family_, chat, messages_, *reply_);
}

// Sets `ids` to the start of a prompt, unless `prompt` itself begins with it. In some vocabularies
// the start is an ordinary token, so `prompt` has it as text.
Status Transcript::open(const Prompt& prompt, std::vector<TokenId>& ids) {
  PEDRO_TRY(const std::vector<TokenId> start, tokenizer_->prompt_start());
  ids = start;
  if (ids.size() != 1 || prompt.parts.empty()) return {};
  const auto* control = std::get_if<ControlToken>(&prompt.parts.front());
  if (control == nullptr) {
    PEDRO_TRY(const std::string written, tokenizer_->decode(ids));
    const std::string& text = std::get<PromptText>(prompt.parts.front()).text;
    if (!written.empty() && text.starts_with(written)) ids.clear();
    return {};
  }
  PEDRO_TRY(const std::optional<TokenId> id, encoder_.id_of(*control));
  if (id == ids.front()) ids.clear();
  return {};
}

// Returns the index of a lead in leads_. The search is short: each phase has only one lead.
std::size_t Transcript::number_of_lead(const Prompt* lead) {
  if (leads_.empty()) leads_.emplace_back();
  if (lead == nullptr) return 0;
  const std::string text = to_marked_text(*lead);
  const auto known = std::find_if(leads_.begin() + 1, leads_.end(), [&](const Prompt& other) {
    return to_marked_text(other) == text;
  });
  if (known == leads_.end()) {
    leads_.push_back(*lead);
    return leads_.size() - 1;
  }
  return static_cast<std::size_t>(known - leads_.begin());
}

Status Transcript::extend(const ChatRequest& chat, const Prompt* lead) {
  if (messages_ > 0 && !reply_) {  // the last prompt has no reply and is sent again
    assert(messages_ == chat.messages.size());
    return {};
  }
  assert(chat.messages.size() > messages_);
  PEDRO_TRY(Prompt rest, rest_of(chat));
  if (lead != nullptr) append(rest, *lead);
  const std::size_t begin = ids_.size();
  if (messages_ == 0) {
    if (Status opened = open(rest, ids_); !opened) return opened;
  }
  PEDRO_TRY(const std::vector<TokenId> ids, encoder_.encode(rest));
  ids_.insert(ids_.end(), ids.begin(), ids.end());
  open_round_ = {.begin = begin,
                 .reply = ids_.size(),
                 .first_message = messages_,
                 .lead = number_of_lead(lead),
                 .opening = family_};
  messages_ = chat.messages.size();
  reply_.reset();
  return {};
}

void Transcript::begun(std::span<const TokenId> tokens, std::size_t evaluated) {
  expected_cached_ = static_cast<long long>(ids_.size() + evaluated);
  ids_.insert(ids_.end(), tokens.begin(), tokens.end());
}

void Transcript::forget_open_turn() {
  const bool none = rounds_.empty();
  ids_.resize(none ? 0 : rounds_.back().end);
  messages_ = none ? 0 : rounds_.back().reply_message + 1;
  reply_.reset();
  if (!none) reply_ = rounds_.back().ended;
  expected_cached_ = std::min(expected_cached_, static_cast<long long>(ids_.size()));
}

void Transcript::withdraw_reply() {
  assert(!rounds_.empty() && reply_);
  rounds_.pop_back();
  forget_open_turn();
}

void Transcript::generated(std::span<const TokenId> tokens, bool ended, ReplyEnd end,
                           std::size_t exact) {
  const std::size_t sampled_last = tokens.empty() ? 0 : tokens.size() - 1;
  written(ended ? tokens.first(sampled_last) : tokens, std::min(sampled_last, exact), end);
  if (tokens.empty()) --expected_cached_;
}

void Transcript::written(std::span<const TokenId> tokens, std::size_t evaluated, ReplyEnd end) {
  expected_cached_ = static_cast<long long>(ids_.size() + evaluated);
  ids_.insert(ids_.end(), tokens.begin(), tokens.end());
  open_round_.end = ids_.size();
  open_round_.reply_message = messages_;
  open_round_.ended = end;
  rounds_.push_back(open_round_);
  ++messages_;
  reply_ = end;
}

ReplyTokens Transcript::last_reply() const {
  const Round& round = rounds_.back();
  const auto at = [&](std::size_t i) { return ids_.begin() + static_cast<std::ptrdiff_t>(i); };
  return {.ids = {at(round.reply), at(round.end)},
          .cached = expected_cached_ - static_cast<long long>(round.reply),
          .end = round.ended};
}

void Transcript::restore(const ReplyTokens& reply) {
  const long long prompt = static_cast<long long>(ids_.size());
  written(reply.ids, 0, reply.end);
  expected_cached_ = prompt + reply.cached;
}

// Finds the round with the same messages before its reply, after the same earlier reply.
const Transcript::Round* Transcript::unchanged_round(std::span<const std::size_t> origins,
                                                     const Round* before, std::size_t first,
                                                     std::size_t reply_message) const {
  const std::size_t old_first = before == nullptr ? 0 : before->reply_message + 1;
  const auto round = std::lower_bound(
      rounds_.begin(), rounds_.end(), old_first,
      [](const Round& one, std::size_t message) { return one.first_message < message; });
  if (round == rounds_.end() || round->first_message != old_first) return nullptr;
  if (round->reply_message - old_first != reply_message - first) return nullptr;
  for (std::size_t i = first; i < reply_message; ++i) {
    if (origins[i] != old_first + (i - first)) return nullptr;
  }
  return &*round;
}

const Transcript::Round& Transcript::round_of(std::size_t reply_message) const {
  const auto found = std::lower_bound(
      rounds_.begin(), rounds_.end(), reply_message,
      [](const Round& one, std::size_t message) { return one.reply_message < message; });
  assert(found != rounds_.end() && found->reply_message == reply_message);
  return *found;
}

// Appends the ids before a reply to `ids`. Copies them from the round `same` if it has the same
// lead and opening as `old`. Otherwise renders them again with those of `old`. `before` is the
// round that now precedes it, `first` the first message after that round's reply.
Status Transcript::copy_round(const Round& old, const Round* before, const Round* same,
                              std::size_t first, const ChatRequest& so_far,
                              std::vector<TokenId>& ids) {
  if (same != nullptr && same->lead == old.lead && same->opening == old.opening) {
    const auto at = ids_.begin();
    ids.insert(ids.end(), at + static_cast<std::ptrdiff_t>(same->begin),
               at + static_cast<std::ptrdiff_t>(same->reply));
    return {};
  }
  PEDRO_TRY(Prompt rest, first == 0
                             ? render_conversation(*old.opening, so_far)
                             : render_continuation(*old.opening, so_far, first, before->ended));
  if (old.lead != 0) append(rest, leads_[old.lead]);
  if (first == 0) {
    if (Status opened = open(rest, ids); !opened) return opened;
  }
  PEDRO_TRY(const std::vector<TokenId> more, encoder_.encode(rest));
  ids.insert(ids.end(), more.begin(), more.end());
  return {};
}

Status Transcript::compact(const ChatRequest& chat, std::span<const std::size_t> origins) {
  assert(origins.size() == chat.messages.size());
  ChatRequest so_far = chat;
  so_far.messages.clear();
  std::vector<TokenId> ids;
  std::vector<Round> rounds;
  const Round* before = nullptr;  // with its old offsets
  std::size_t first = 0;
  for (std::size_t i = 0; i < origins.size(); ++i) {
    if (chat.messages[i].role == Role::kAssistant) {
      const Round& old = round_of(origins[i]);
      Round round = old;
      round.begin = ids.size();
      const Round* same = unchanged_round(origins, before, first, i);
      if (Status copied = copy_round(old, before, same, first, so_far, ids); !copied) return copied;
      round.reply = ids.size();
      ids.insert(ids.end(), ids_.begin() + static_cast<std::ptrdiff_t>(old.reply),
                 ids_.begin() + static_cast<std::ptrdiff_t>(old.end));
      round.end = ids.size();
      round.first_message = first;
      round.reply_message = i;
      rounds.push_back(round);
      before = &old;
      first = i + 1;
    }
    so_far.messages.push_back(chat.messages[i]);
  }
  const auto cached = static_cast<std::size_t>(expected_cached_);
  const auto end = ids_.begin() + static_cast<std::ptrdiff_t>(std::min(cached, ids_.size()));
  expected_cached_ = std::mismatch(ids_.begin(), end, ids.begin(), ids.end()).first - ids_.begin();
  ids_ = std::move(ids);
  rounds_ = std::move(rounds);
  messages_ = first;
  reply_.reset();
  if (!rounds_.empty()) reply_ = rounds_.back().ended;
  return {};
}

}  // namespace pedro
