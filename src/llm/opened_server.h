#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "llm/capabilities.h"
#include "llm/extra_slots.h"
#include "llm/llama_client.h"
#include "llm/model.h"
#include "llm/served_format.h"
#include "llm/slot_completion.h"
#include "llm/steering.h"
#include "tokenizer/model_registry.h"
#include "tokenizer/tokenizer.h"
#include "tokenizer/traced_tokenizer.h"
#include "tokenizer/vocabulary_store.h"
#include "tokenizer/vocabulary_tokenizer.h"

namespace pedro {

/// Details of a server for `doctor`, in addition to ModelInfo.
struct ServerDetails {
  std::string build;
  int slots = 0;
  int slot = 0;            ///< the slot of this conversation
  std::string format_why;  ///< how the format was chosen
  /// Tags of an explicitly requested format that are not tokens of the model.
  std::vector<std::string> spelled_tags;
  std::size_t control_tokens = 0;  ///< banned inside calls
  std::string tokenizer;           ///< the tokenizer: a vocabulary's name, or "server"
  std::string tokenizer_why;       ///< see ServerChoice
  bool tokenizer_mismatch = false;
};

struct LlamaSettings {
  std::string format = "auto";   ///< name of a family, "auto" or "learned"
  long long context_tokens = 0;  ///< reduces the server's context; 0: uses the server's
  Steering steering = Steering::kAuto;
  CapabilityCache* capabilities = nullptr;  ///< null: probes at every start
  bool tries_capabilities = false;          ///< probes even if cached
  bool shifts_cache = true;                 ///< if the server supports it
  /// Has the sampling settings of models. Null: the server's settings.
  const ModelRegistry* known = nullptr;
  /// Makes connections for replies at the same time, in other slots. Null: one after the other.
  ExtraSlots::MakeHttp make_http = nullptr;
};

/// A llama-server that is ready for a conversation: its model, tokenizer, format, slot and
/// capabilities. The members are set by open() and then constant, at fixed addresses. One thread.
///
///     OpenedServer server;
///     PEDRO_RETURN_IF_ERROR(server.open(client, settings, vocabularies, notice, clock));
///     Transcript transcript(server.format->family(), server.tokenizer_of_turns());
struct OpenedServer {
  using Notice = std::function<void(std::string_view message)>;

  ModelInfo info;
  ServerDetails details;
  std::unique_ptr<Tokenizer> tokenizer;
  VocabularyTokenizer* local = nullptr;  ///< `tokenizer` if it is local, else null
  std::optional<ServedFormat> format;    ///< borrows the tokenizer
  Json sampling = Json::object();        ///< settings of the model, see SlotCompletion
  /// open() failed because neither the server nor this machine has a tokenizer for the model.
  bool lacks_tokenizer = false;

  /// Asks the server, and probes it unless its capabilities are cached. Borrows `client`, `clock`
  /// and the vocabularies. Errors: see Model::open().
  Status open(LlamaClient& client, const LlamaSettings& settings, VocabularyStore& vocabularies,
              const Notice& notice, const Clock& clock);

  /// The tokenizer with traces, if they are wanted.
  Tokenizer& tokenizer_of_turns() { return traced ? static_cast<Tokenizer&>(*traced) : *tokenizer; }

  std::optional<TracedTokenizer> traced;  ///< see tokenizer_of_turns()

 private:
  Status choose_tokenizer(LlamaClient& client, VocabularyStore& vocabularies, const Json& props,
                          const Notice& notice, const Clock& clock);
  Status open_format(LlamaClient& client, const std::string& wanted, const std::string& usual,
                     const Json& props, const Notice& notice);
  Status find_capabilities(LlamaClient& client, const LlamaSettings& settings, const Json& props,
                           const Clock& clock);
};

/// Probes a llama-server with five requests of a few tokens, on the slot of `probe`. A grammar and
/// a schema allow only one improbable word. A bias favours that word. Two requests test a prompt
/// with a removed middle. A rejected schema or bias counts as unsupported. A rejected grammar is an
/// error, because its message advises what to change.
Result<Capabilities> probe_capabilities(SlotCompletion& probe, Tokenizer& tokenizer);

}  // namespace pedro
