#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/json.h"
#include "base/result.h"
#include "tokenizer/server_tokenizer.h"
#include "tokenizer/vocabulary_store.h"
#include "tokenizer/vocabulary_tokenizer.h"

namespace pedro {

/// The model description of a server (`/props`).
struct ServedModel {
  std::string path;           ///< of the model file on the server's host
  std::string name;           ///< alias of the model
  std::string chat_template;  ///< contains the relevant control tokens
};

/// Parses the answer of `GET /props`.
ServedModel served_model(const Json& props);

/// A tokenizer for a server and the reason for the choice.
struct ServerChoice {
  std::unique_ptr<Tokenizer> tokenizer;
  VocabularyTokenizer* local = nullptr;  ///< the same object, if it uses a local vocabulary
  std::string why;                       ///< human-readable
  bool mismatch = false;      ///< a vocabulary was found, but the server has other ids; see `why`
  bool is_unchecked = false;  ///< the server cannot tokenize, so it could not check the vocabulary
};

/// Chooses the tokenizer for a server. Takes the first available candidate:
/// 1. the model's own file, if the server's `path` is readable here.
/// 2. a vocabulary of the store's registry that matches the name of the model or of its file, with
///    llama.cpp fidelity.
/// 3. the server itself (`/tokenize`).
/// probe_vocabulary() compares the candidate with the server; if any id differs, the server itself
/// is chosen. This detects a different model file at the same path. Errors are those of the server;
/// an unreadable file is not an error. `lacks_route`, if not empty, returns true if the server's
/// last error means that it cannot tokenize. Then a candidate is used unchecked, and without one
/// there is no tokenizer (null).
Result<ServerChoice> choose_tokenizer(const ServedModel& model, VocabularyStore& store,
                                      std::unique_ptr<ServerTokenizer> server,
                                      const std::function<bool()>& lacks_route = nullptr);

}  // namespace pedro
