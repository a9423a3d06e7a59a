#include "format/transcript.h"

#include <cassert>

namespace pedro {

Status Transcript::append(std::string_view text, Specials specials) {
  if (text.empty()) return {};
  const Result<std::vector<TokenId>> ids = tokenizer_->encode(text, specials);
  if (!ids) return ids.error();
  ids_.insert(ids_.end(), ids->begin(), ids->end());
  return {};
}

Status Transcript::append_template(std::string_view text) {
  return append(text, Specials::kAll);
}

Status Transcript::open() {
  const Result<std::vector<TokenId>> start = tokenizer_->prompt_start();
  if (!start) return start.error();
  ids_ = *start;
  return {};
}

Status Transcript::append_turn(const Message& turn) {
  if (turn.role == Role::kSystem) {
    assert(turns_ == 0);
    if (!template_.has_system) {
      pending_system_ = turn.text + "\n\n";
      return {};
    }
    if (Status status = append_template(template_.before_system); !status) return status;
    return append(turn.text, Specials::kNone);
  }
  if (turn.role == Role::kAssistant) {
    if (reply_is_in_) {
      reply_is_in_ = false;
      return {};
    }
    return append(turn.text, Specials::kNone);
  }
  const bool first_user =
      turns_ == 0 || (turns_ == 1 && (template_.has_system || !pending_system_.empty()));
  const std::string& opener = !first_user            ? template_.assistant_to_user
                              : template_.has_system ? template_.system_to_user
                                                     : template_.before_user;
  if (Status status = append_template(opener); !status) return status;
  if (Status status = append(pending_system_ + turn.text, Specials::kNone); !status) return status;
  pending_system_.clear();
  return append_template(template_.user_to_assistant);
}

Status Transcript::extend(std::span<const Message> conversation) {
  assert(conversation.size() >= turns_);
  assert(!conversation.empty() && conversation.back().role == Role::kUser);
  if (turns_ == 0) {
    if (Status status = open(); !status) return status;
  }
  for (; turns_ < conversation.size(); ++turns_) {
    if (Status status = append_turn(conversation[turns_]); !status) return status;
  }
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
