#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace pedro {

/// A response with a status other than 200. Covers the formats of llama-server, OpenAI, Anthropic,
/// vLLM, Ollama and proxies: {"error": {…}}, {"error": "text"}, {"message": …}, {"detail": …}, or
/// an HTML page.
struct ServerRefusal {
  int status = 0;                ///< 0: the last response was not a refusal
  std::string message;           ///< printable, at most about 400 bytes
  std::string type;              ///< "exceed_context_size_error"
  std::string code;              ///< "context_length_exceeded", or a number
  std::string parameter;         ///< refused part of the request, if the server names it
  long long prompt_tokens = 0;   ///< of a prompt that is too long; 0: unknown
  long long context_tokens = 0;  ///< of the model; 0: unknown
};

/// Parses a response. `body` is untrusted.
ServerRefusal read_refusal(int status, std::string_view body);

/// Parses a response that may be a refusal, for example an event of a stream. Returns nullopt if it
/// has none of the formats above.
std::optional<ServerRefusal> find_refusal(int status, std::string_view body);

/// Returns true if the server could not parse the grammar: it is old, or is not llama.cpp's.
bool is_unread_grammar(const ServerRefusal& refusal);

/// Returns true if grammar and logit biases left no token, or the server could not create a sampler
/// with both. The request may succeed without biases, or with other samples.
bool is_sampling_failure(const ServerRefusal& refusal);

/// Returns true if the status allows that the prompt was too long. Use it for refusals without a
/// known reason.
bool may_be_length(const ServerRefusal& refusal);

/// Returns true if the server has no capacity for the moment: too many requests, or an overload.
/// The same request may succeed later.
bool is_passing(const ServerRefusal& refusal);

/// Returns true if llama-server could not parse its model's output as a call or message.
bool is_malformed_output(const Error& error);

/// The names that advice mentions.
struct RefusalWords {
  std::string_view key_variable;  ///< the environment variable that holds the key
  std::string_view not_found;     ///< advice after a 404: "is this a llama-server?"
};

/// Returns `the server answered 401: …; put the server's key into PEDROCLI_API_KEY`. Kinds: kLimit
/// with an `overflow` if the conversation is too long; kConfig (401, 403, 404, 405, 501); else
/// kModel. kConfig means that the key, the address, the model or the server's options must change.
Error to_error(const ServerRefusal& refusal, const RefusalWords& words);

}  // namespace pedro
