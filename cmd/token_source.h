#pragma once

#include <memory>
#include <string>

#include "command.h"
#include "tokenizer/estimate_tokenizer.h"
#include "tokenizer/tokenizer.h"
#include "tokenizer/traced_tokenizer.h"
#include "tokenizer/vocabulary_tokenizer.h"

namespace pedro {

/// The choice of a tokenizer, from the flags of the commands below `tokens`.
struct TokenSourceOptions {
  std::string vocabulary;  ///< -vocab: a name or a file
  std::string model;       ///< -model: a name in the registry
  std::string server;      ///< -server: a llama-server
  std::string fidelity;    ///< -fidelity
  std::string specials = "none";
  bool estimate = false;       ///< -estimate: for a model with an unknown vocabulary
  bool server_itself = false;  ///< the server tokenizes, even with a local vocabulary
};

void add_token_source(CLI::App& command, TokenSourceOptions& options);

/// A tokenizer and the objects that it borrows. `local`: the tokenizer if it uses a vocabulary.
/// `estimate`: set if that vocabulary is not the model's own; scales its counts. `traced`: set if
/// -debug traces tokens.
struct TokenSource {
  std::unique_ptr<Tokenizer> untraced;
  std::unique_ptr<Tokenizer> tokenizer;
  VocabularyTokenizer* local = nullptr;
  const EstimateTokenizer* estimate = nullptr;
  TracedTokenizer* traced = nullptr;
  std::string why;  ///< reason for this tokenizer
  std::shared_ptr<void> connection;
};

/// Opens the chosen tokenizer; without options, that of the configured server. Errors (kUsage,
/// kConfig, kModel) contain advice.
Result<TokenSource> open_token_source(CommandContext& context, const TokenSourceOptions& options);
/// Uses a loaded configuration, for several sources.
Result<TokenSource> open_token_source(CommandContext& context, const LoadedConfig& config,
                                      const TokenSourceOptions& options);

/// Warns on stderr, unless -quiet, if ids and pieces are not the model's own.
void note_estimate(const CommandContext& context, const TokenSource& source);

/// Returns the policy of -specials. Borrows its texts from `names`.
Specials specials_of(const TokenSourceOptions& options, std::vector<std::string_view>& names);

}  // namespace pedro
