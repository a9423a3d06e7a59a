#include "format/transcript.h"

#include <cassert>

namespace pedro {

Transcript::Part Transcript::from_template(const std::string& text) {
  return {text, Specials::kAll, "template"};
}

Status Transcript::open() {
  const Result<std::vector<TokenId>> start = tokenizer_->prompt_start();
  if (!start) return start.error();
  ids_ = *start;
  return {};
}

void Transcript::add_turn(const Message& turn, std::vector<Part>& parts) {
  if (turn.role == Role::kSystem) {
    assert(turns_ == 0);
    if (!template_.has_system) {
      pending_system_ = turn.text + "\n\n";
      return;
    }
    parts.push_back(from_template(template_.before_system));
    parts.push_back({turn.text, Specials::kNone, "system turn"});
    return;
  }
  if (turn.role == Role::kAssistant) {
    if (!reply_is_in_) parts.push_back({turn.text, Specials::kNone, "assistant turn"});
    reply_is_in_ = false;
    return;
  }
  const bool first_user =
      turns_ == 0 || (turns_ == 1 && (template_.has_system || !pending_system_.empty()));
  const std::string& opener = !first_user            ? template_.assistant_to_user
                              : template_.has_system ? template_.system_to_user
                                                     : template_.before_user;
  parts.push_back(from_template(opener));
  parts.push_back({pending_system_ + turn.text, Specials::kNone, "user turn"});
  pending_system_.clear();
  parts.push_back(from_template(template_.user_to_assistant));
}

// All parts at once: a server is asked in two requests, whatever the number of turns.
Status Transcript::extend(std::span<const Message> conversation) {
  assert(conversation.size() >= turns_);
  assert(!conversation.empty() && conversation.back().role == Role::kUser);
  if (turns_ == 0) {
    if (Status status = open(); !status) return status;
  }
  std::vector<Part> parts;
  for (; turns_ < conversation.size(); ++turns_) add_turn(conversation[turns_], parts);
  std::vector<Passage> passages;
  for (const Part& part : parts) {
    if (!part.text.empty()) passages.push_back({part.text, part.specials, part.what});
  }
  const auto ids = tokenizer_->encode_each(passages);
  if (!ids) return ids.error();
  for (const std::vector<TokenId>& some : *ids) ids_.insert(ids_.end(), some.begin(), some.end());
  return {};
}

void Transcript::generated(std::span<const TokenId> tokens, bool ended) {
  const std::size_t kept = tokens.size() - (ended && !tokens.empty() ? 1 : 0);
  const std::size_t prompt = ids_.size();
  ids_.insert(ids_.end(), tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(kept));
  expected_cached_ =
      static_cast<long long>(tokens.empty() ? prompt - 1 : prompt + tokens.size() - 1);
  reply_is_in_ = true;
}

}  // namespace pedro
