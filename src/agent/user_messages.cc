#include "agent/user_messages.h"

#include "base/json.h"
#include "secrets/secret_mask.h"

namespace pedro {

Result<std::vector<std::string>> UserMessages::replayed() {
  PEDRO_TRY(const std::optional<Json> earlier, answers_.next(Question::kMessages));
  if (inbox_ != nullptr) {
    inbox_->skip_to(static_cast<std::uint64_t>(number_of(*earlier, "end")));
  }
  return texts_of(member(*earlier, "texts"));
}

Result<std::vector<std::string>> UserMessages::next() {
  if (answers_.has_next(Question::kMessages)) return replayed();
  std::vector<std::string> texts;
  if (answers_.catching_up() || inbox_ == nullptr) return texts;
  PEDRO_TRY(texts, inbox_->take());
  if (texts.empty()) return texts;
  for (std::string& text : texts) text = masked_text(secrets_, std::move(text));
  // Discards a reply after the last complete round: it did not know the messages.
  PEDRO_RETURN_IF_ERROR(answers_.next(Question::kMessages));
  PEDRO_RETURN_IF_ERROR(
      answers_.add(Question::kMessages, {{"texts", texts}, {"end", inbox_->taken_bytes()}}));
  return texts;
}

}  // namespace pedro
