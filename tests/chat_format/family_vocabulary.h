#pragma once

#include <memory>
#include <string>

#include "chat/chat_request.h"
#include "chat_format/format_family.h"
#include "support/tiny_vocabulary.h"

namespace pedro {

// A conversation that all families support: system, user, a call of the tool `file`, its result.
inline const std::string kExampleArguments = R"({"action": "read", "path": "a"})";
inline const std::string kExampleId = "call00001";

ChatRequest example_chat(bool with_tools);
ChatMessage example_call();
ChatMessage example_result();

/// The text that a model generates for that call after a form's lead, up to the end of the
/// arguments.
Prompt example_generation(const CallForm& form);

/// A tokenizer of all bytes, and the control tokens and tags of the family.
std::unique_ptr<VocabularyTokenizer> tokenizer_of(const FormatFamily& family);

}  // namespace pedro
