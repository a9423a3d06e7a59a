#include "messages_if_no_tokens.h"

namespace pedro {

Result<ModelInfo> MessagesIfNoTokens::open() {
  Result<ModelInfo> info = used_->open();
  if (info || !llama_->lacks_tokenizer()) return info;
  if (on_notice_) on_notice_(info.error().message + "; continuing with messages");
  used_ = std::move(messages_);
  return used_->open();
}

}  // namespace pedro
