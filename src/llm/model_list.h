#pragma once

#include <string>

#include "base/result.h"
#include "llm/json_client.h"

namespace pedro {

/// A model as a server lists it.
struct ListedModel {
  std::string id;
  long long context_tokens = 0;  ///< 0: the list does not say
};

/// Which of a server's models is meant: the one that options().model names ("llama3" also means
/// "llama3:latest", and a file's name its path), or the only one. `path` is the list's,
/// "/v1/models". A name that is not listed is asked for by itself, for it may be another name of
/// one. Errors as JsonClient has them; kModel, with what there is, where none is meant.
///
/// A server without a list is taken at the word of the configuration.
Result<ListedModel> choose_model(JsonClient& client, const std::string& path);

}  // namespace pedro
