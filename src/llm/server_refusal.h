#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace pedro {

/// An answer that is no 200, as llama-server, OpenAI, Anthropic, vLLM, Ollama and what stands in
/// front of them write it: {"error": {…}}, {"error": "text"}, {"message": …}, {"detail": …}, a
/// page.
struct ServerRefusal {
  int status = 0;               ///< 0: the last answer was none
  std::string message;          ///< printable, at most about 400 bytes
  std::string type;             ///< "exceed_context_size_error"
  std::string code;             ///< "context_length_exceeded"
  std::string parameter;        ///< which part of the request it is about, where the server says so
  long long prompt_tokens = 0;  ///< of a prompt that is too long; 0 where it is not said
  long long context_tokens = 0;  ///< the same
};

/// `body` is hostile.
ServerRefusal read_refusal(int status, std::string_view body);

/// The conversation is longer than the model's context.
bool is_too_long(const ServerRefusal& refusal);

/// The grammar was not read: by an old server, or one that is not llama.cpp's.
bool is_unread_grammar(const ServerRefusal& refusal);

/// The server came to a place where the grammar and the logit biases leave no token, or its sampler
/// cannot be made of the two. Without biases, or with other luck, it may work.
bool is_sampling_failure(const ServerRefusal& refusal);

/// What advice names.
struct RefusalWords {
  std::string_view key_variable;  ///< the environment variable that holds the key
  std::string_view not_found;     ///< what to look at after a 404: "is this a llama-server?"
};

/// `the server answered 401: …; put the server's key into PEDROCLI_API_KEY`. kLimit with an
/// `overflow` where the conversation is too long, kConfig where another key, address, model or
/// start of the server is needed (401, 403, 404, 405, 501), kModel otherwise.
Error to_error(const ServerRefusal& refusal, const RefusalWords& words);

}  // namespace pedro
