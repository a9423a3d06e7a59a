#include "messages_if_no_tokens.h"

namespace pedro {

Result<ModelInfo> MessagesIfNoTokens::open() {
  Result<ModelInfo> info = llama_->open();
  if (info || !llama_->lacks_tokenizer()) return info;
  if (on_notice_) on_notice_(info.error().message + "; continuing with messages");
  forward_to(*messages_);
  return messages_->open();
}

}  // namespace pedro
