#pragma once

#include <memory>
#include <string>

#include "chat/chat_request.h"
#include "format/format_family.h"
#include "format/tiny_vocabulary.h"

namespace pedro {

// A conversation that all families can write: system, user, a call of the tool `file`, its result.
inline const std::string kExampleArguments = R"({"action": "read", "path": "a"})";
inline const std::string kExampleId = "call00001";

ChatRequest example_chat(bool with_tools);
ChatMessage example_call();
ChatMessage example_result();

/// What a model writes of that call behind a form's lead, up to the arguments' end.
Prompt example_generation(const CallForm& form);

/// Bytes, and the control tokens and tags that the family writes.
std::unique_ptr<VocabularyTokenizer> tokenizer_of(const FormatFamily& family);

}  // namespace pedro
