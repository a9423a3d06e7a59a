#pragma once

#include <memory>

#include "base/trace.h"
#include "command.h"
#include "config/load.h"
#include "llm/llama_server.h"
#include "llm/model.h"
#include "sys/http.h"
#include "tokenizer/vocabulary_store.h"

namespace pedro {

/// Connections to model servers, with the vocabularies and the known capabilities. Borrows the same
/// as `context`.
struct ServerConnections {
  ServerConnections(const CommandContext& context, ModelRegistry known);
  ServerConnections(const ServerConnections&) = delete;
  ServerConnections& operator=(const ServerConnections&) = delete;

  const Clock& clock;
  CurlHttp http;
  ModelRegistry registry;
  VocabularyStore vocabularies;
  CapabilityCache capabilities;
};

/// The traces that -debug asks for, on stderr. Error (kUsage): an unknown topic.
Result<Trace> make_trace(const GlobalOptions& global);

/// What of the settings concerns a llama-server. Borrows `known`.
LlamaServer::Settings llama_settings(const Config& config, CapabilityCache& known);

/// How the configured server is reached. Error (kConfig): a key that cannot be had.
Result<ServerOptions> client_options(CommandContext& context, const LoadedConfig& config,
                                     const Trace& trace, GenerateEvents& events);

/// The model of a server that is asked in messages, as model.type names it; null for llamacpp.
/// Borrows everything but the values.
std::unique_ptr<Model> make_message_model(const CancelToken& cancel, const ModelSettings& settings,
                                          ServerOptions options, GenerateEvents events,
                                          ServerConnections& connections);

/// Returns how to ask this model for answers: from a recording, else from the configuration
/// (`tries`, unless -1), else from the table of models.
AnswerHabits habits_of(int tries, const ModelRegistry& known, const ModelInfo& info);

/// What is known of the configured model without asking for it: by the kind of its server and the
/// name of its format. Where the server would have to be asked, it has no tools of its own.
ModelInfo model_by_format(const LoadedConfig& config);

/// The model that the flags and the configuration name: a recording (-replay), a person (-backend
/// manual) or one behind a server; with -record everything is written down as well. `cancel` ends
/// what it waits for. Borrows everything.
Result<std::unique_ptr<Model>> make_model(CommandContext& context, const CancelToken& cancel,
                                          const LoadedConfig& config, const Trace& trace,
                                          GenerateEvents events, ServerConnections& connections);

}  // namespace pedro
