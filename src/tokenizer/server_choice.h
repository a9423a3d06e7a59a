#pragma once

#include <memory>
#include <string>

#include "base/json.h"
#include "base/result.h"
#include "tokenizer/server_tokenizer.h"
#include "tokenizer/vocabulary_store.h"
#include "tokenizer/vocabulary_tokenizer.h"

namespace pedro {

/// What a server says of the model that it serves (`/props`).
struct ServedModel {
  std::string path;           ///< of its file, as the server sees it: maybe on another machine
  std::string name;           ///< an alias, or the name it was asked for by
  std::string chat_template;  ///< names the control tokens that matter
};

/// Of the JSON that `GET /props` gives.
ServedModel served_model(const Json& props);

/// A tokenizer for a server, and why it is this one.
struct ServerChoice {
  std::unique_ptr<Tokenizer> tokenizer;
  VocabularyTokenizer* local = nullptr;  ///< the same, where it is one of a vocabulary
  std::string why;                       ///< for people
  bool mismatch = false;  ///< there was a vocabulary, and the server has other ids: see `why`
};

/// Chooses who makes tokens for a server. The first of these that there is, and that gives the
/// server's ids for all that probe_vocabulary() tries:
/// 1. the model's own file, where the server's `path` can be read here;
/// 2. a vocabulary of the store's registry, by a row that fits the model's name or its file's, in
///    llama.cpp's version;
/// 3. the server itself, `/tokenize`: also where a vocabulary was found and has other ids.
/// So a file of another model that lies at the same path here is found out. An Error is the
/// server's; a file that cannot be read is none.
Result<ServerChoice> choose_tokenizer(const ServedModel& model, VocabularyStore& store,
                                      std::unique_ptr<ServerTokenizer> server);

}  // namespace pedro
