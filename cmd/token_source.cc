#include "token_source.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/text.h"
#include "find_server.h"
#include "model_factory.h"
#include "tokenizer/server_choice.h"
#include "vocabulary_setup.h"

namespace pedro {
namespace {

/// The connection of a ServerTokenizer.
struct Connection {
  Connection(const CommandContext& context, ModelRegistry registry)
      : server(context, std::move(registry)) {}

  ServerConnections server;
  std::unique_ptr<LlamaClient> client;
};

// Opens a vocabulary. With `estimate` above 0, it replaces an unknown one.
Result<TokenSource> from_vocabulary(CommandContext& context, const ModelRegistry& registry,
                                    const std::string& name, const std::string& fidelity_name,
                                    double estimate) {
  std::optional<Fidelity> fidelity;
  if (fidelity_name == "reference") fidelity = Fidelity::kReference;
  if (fidelity_name == "llama.cpp") fidelity = Fidelity::kLlamaCpp;
  VocabularyStore store(context.files, vocabulary_folders(context), registry);
  PEDRO_TRY(Vocabulary vocabulary, store.open(name, fidelity));
  auto tokenizer = VocabularyTokenizer::create(std::move(vocabulary));
  if (!tokenizer) return tokenizer.error().at(name);
  TokenSource source;
  source.local = tokenizer->get();
  source.why = "the requested vocabulary";
  if (estimate > 0) {
    auto estimating = std::make_unique<EstimateTokenizer>(*std::move(tokenizer), estimate);
    source.estimate = estimating.get();
    source.tokenizer = std::move(estimating);
    source.why = "an estimate: the model's own vocabulary is not known";
  } else {
    source.tokenizer = *std::move(tokenizer);
  }
  return source;
}

Result<TokenSource> from_model(CommandContext& context, const ModelRegistry& registry,
                               const TokenSourceOptions& options) {
  const KnownModel* model = registry.model(options.model);
  const bool has_vocabulary = model != nullptr && !model->vocabulary.empty();
  if (has_vocabulary) {
    return from_vocabulary(context, registry, model->vocabulary, options.fidelity, model->estimate);
  }
  // A vocabulary that was added under the model's own name.
  const VocabularyStore store(context.files, vocabulary_folders(context), registry);
  if (store.find(options.model)) {
    return from_vocabulary(context, registry, options.model, options.fidelity, 0);
  }
  if (options.estimate) {
    const Fallback& fallback = registry.fallback();
    return from_vocabulary(context, registry, fallback.vocabulary, options.fidelity,
                           fallback.estimate);
  }
  if (model == nullptr) return registry.unknown_model(options.model);
  return Error{
      ErrorKind::kUsage,
      fmt::format("the vocabulary of '{}' is unknown: name the model's GGUF or tokenizer.json with "
                  "-vocab, or its server with -server, or use an estimate with -estimate",
                  options.model)};
}

// Waits for the server, and chooses a model of a router.
Status reach(LlamaClient& client) {
  PEDRO_RETURN_IF_ERROR(client.wait_until_ready());
  PEDRO_RETURN_IF_ERROR(client.props());
  return {};
}

Result<TokenSource> from_server(CommandContext& context, LoadedConfig config,
                                const TokenSourceOptions& options) {
  if (!options.server.empty()) {
    config.config.model.server_url = options.server;
  } else {
    PEDRO_RETURN_IF_ERROR(require_llama_server(config));
    PEDRO_RETURN_IF_ERROR(find_server(context, config, ServerKinds::kLlamaServer));
  }
  PEDRO_TRY(const Trace trace, make_trace(context.global));
  GenerateEvents events;
  PEDRO_TRY(ServerOptions client_settings, client_options(context, config, trace, events));
  PEDRO_TRY(ModelRegistry registry, registry_of(config));
  auto connection = std::make_shared<Connection>(context, std::move(registry));
  connection->client = std::make_unique<LlamaClient>(connection->server.http,
                                                     std::move(client_settings), context.cancel);
  const Status ready = reach(*connection->client);
  if (!ready) {
    const bool asked = !options.server.empty();
    return Error{ready.error().kind,
                 ready.error().message + (asked ? "" : "; a vocabulary needs no server: -vocab")};
  }
  auto server = std::make_unique<ServerTokenizer>(connection->client->poster());
  TokenSource source;
  source.connection = connection;
  if (options.server_itself) {
    source.why = "the server itself, for the comparison";
    source.tokenizer = std::move(server);
    return source;
  }
  PEDRO_TRY(const Json props, connection->client->props());
  PEDRO_TRY(
      ServerChoice choice,
      choose_tokenizer(served_model(props), connection->server.vocabularies, std::move(server)));
  if (choice.mismatch) {
    print_note(context.global, "pedrocli: note: text is tokenized by " + choice.why);
  }
  source.tokenizer = std::move(choice.tokenizer);
  source.local = choice.local;
  source.why = std::move(choice.why);
  return source;
}

Result<TokenSource> open_source(CommandContext& context, const LoadedConfig& config,
                                const TokenSourceOptions& options) {
  const int given = static_cast<int>(!options.vocabulary.empty()) +
                    static_cast<int>(!options.model.empty()) +
                    static_cast<int>(!options.server.empty());
  if (given > 1) {
    return usage_error("only one of -vocab, -model and -server can be given");
  }
  if (options.estimate && options.model.empty()) {
    return usage_error("-estimate needs -model");
  }
  if (!options.vocabulary.empty() || !options.model.empty()) {
    PEDRO_TRY(const ModelRegistry registry, registry_of(config));
    if (!options.model.empty()) return from_model(context, registry, options);
    return from_vocabulary(context, registry, options.vocabulary, options.fidelity, 0);
  }
  if (!options.fidelity.empty()) {
    return usage_error("-fidelity needs -vocab or -model: a server always uses llama.cpp");
  }
  return from_server(context, config, options);
}

}  // namespace

void add_token_source(CLI::App& command, TokenSourceOptions& options) {
  command.add_option("--vocab", options.vocabulary,
                     "A vocabulary: a name from `pedrocli vocab list`, or a file (GGUF, "
                     "tokenizer.json, tekken.json, .tiktoken, .model, tiktoken's JSON)");
  command.add_option("--model", options.model, "The vocabulary of a model, by its name");
  command.add_flag("--estimate", options.estimate,
                   "If a model's vocabulary is unknown, count with another one; the output is then "
                   "marked \u2248");
  command.add_option("--server", options.server,
                     "Ask this llama-server (default: the configured one)");
  command
      .add_option("--fidelity", options.fidelity,
                  "Where ids differ, use those of reference or llama.cpp (default: llama.cpp for a "
                  "GGUF, else reference)")
      ->check(CLI::IsMember({"reference", "llama.cpp"}));
  command.add_option("--specials", options.specials,
                     "Special tokens in the text: none, all, or a comma-separated list");
}

Result<TokenSource> open_token_source(CommandContext& context, const TokenSourceOptions& options) {
  PEDRO_TRY(const LoadedConfig config, load_project_config(context));
  return open_token_source(context, config, options);
}

Result<TokenSource> open_token_source(CommandContext& context, const LoadedConfig& config,
                                      const TokenSourceOptions& options) {
  PEDRO_TRY(const Trace trace, make_trace(context.global));
  Result<TokenSource> source = open_source(context, config, options);
  if (!source || !trace.wants(TraceTopic::kTokens)) return source;
  source->untraced = std::move(source->tokenizer);
  auto traced =
      std::make_unique<TracedTokenizer>(*source->untraced, source->why, trace, context.clock);
  source->traced = traced.get();
  source->tokenizer = std::move(traced);
  return source;
}

void note_estimate(const CommandContext& context, const TokenSource& source) {
  if (source.estimate == nullptr) return;
  print_note(context.global,
             fmt::format("\u2248 the tokens of {}, which is not the model's own vocabulary",
                         source.local->provider_name()));
}

Specials specials_of(const TokenSourceOptions& options, std::vector<std::string_view>& names) {
  if (options.specials == "none" || options.specials.empty()) return Specials::kNone;
  if (options.specials == "all") return Specials::kAll;
  names = split(options.specials, ',');
  return Specials::only(names);
}

}  // namespace pedro
