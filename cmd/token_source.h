#pragma once

#include <memory>
#include <string>

#include "command.h"
#include "tokenizer/estimate_tokenizer.h"
#include "tokenizer/tokenizer.h"
#include "tokenizer/traced_tokenizer.h"
#include "tokenizer/vocabulary_tokenizer.h"

namespace pedro {

/// Whose tokens are meant, as the commands below `tokens` take it.
struct TokenSourceOptions {
  std::string vocabulary;  ///< -vocab: a name or a file
  std::string model;       ///< -model: a name that the registry knows
  std::string server;      ///< -server: a llama-server
  std::string fidelity;    ///< -fidelity
  std::string specials = "none";
  bool estimate = false;       ///< -estimate: of a model whose vocabulary is not known
  bool server_itself = false;  ///< a server's tokens are made by itself, never here
};

void add_token_source(CLI::App& command, TokenSourceOptions& options);

/// A tokenizer, and what it borrows. Where it is one of a vocabulary, `local` is it; where that is
/// not the model's own, `estimate` is what makes its counts the model's; and where -debug traces
/// tokens, `traced` is what shows them.
struct TokenSource {
  std::unique_ptr<Tokenizer> untraced;
  std::unique_ptr<Tokenizer> tokenizer;
  VocabularyTokenizer* local = nullptr;
  const EstimateTokenizer* estimate = nullptr;
  TracedTokenizer* traced = nullptr;
  std::string why;  ///< it is this tokenizer
  std::shared_ptr<void> connection;
};

/// Where none of the options is given, the configured server. Errors (kUsage, kConfig, kModel) say
/// what to do.
Result<TokenSource> open_token_source(CommandContext& context, const TokenSourceOptions& options);
/// With a configuration that is loaded: for several sources.
Result<TokenSource> open_token_source(CommandContext& context, const LoadedConfig& config,
                                      const TokenSourceOptions& options);

/// Says on stderr, unless -quiet, where ids and pieces are not the model's own.
void note_estimate(const CommandContext& context, const TokenSource& source);

/// The policy that -specials says; borrows the texts it names from `names`.
Specials specials_of(const TokenSourceOptions& options, std::vector<std::string_view>& names);

}  // namespace pedro
