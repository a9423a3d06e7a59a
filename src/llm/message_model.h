#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/clock.h"
#include "chat/image.h"
#include "llm/accepted_messages.h"
#include "llm/context_window.h"
#include "llm/json_client.h"
#include "llm/model.h"
#include "llm/model_list.h"
#include "llm/reply_hold.h"
#include "messages_api/message_format.h"
#include "messages_api/message_tokens.h"
#include "tokenizer/tokenizer.h"

namespace pedro {

/// The common part of OpenAiModel and AnthropicModel. Their API takes a conversation as messages
/// and answers with one (message_format.h). The server converts messages to a prompt and separates
/// calls from text.
///
/// Streams replies, so that the idle timeout detects a stalled server and closing the connection
/// cancels a reply. Accepts only complete replies. Repeats a request once if its reply broke off or
/// is malformed (ReplyRecovery). After that, or if a stream stalls, returns an Error and leaves the
/// conversation unchanged. Cuts a reply that repeats itself and samples again (kMaxResamples).
///
/// **Tools.** Every request declares all tools, even if a phase allows only some. Servers write
/// tools before the conversation, so a different list would invalidate the whole cached prompt. If
/// a reply must be a call, the request says so (`tool_choice`). OpenAI's own API also gets the
/// names of the phase's tools; other servers understand only that a call is required. The check of
/// the call verifies that the phase offers the tool. Calls are JSON in the text if a server lacks
/// tools, or must not use them (GenerationMode::kSchema). A schema constrains them if the server
/// supports schemas.
class MessageModel : public Model {
 public:
  /// Returns a tokenizer for a model's name, possibly an estimating one; see counting_tokenizer().
  using FindCounter = std::function<Result<std::unique_ptr<Tokenizer>>(std::string_view model)>;

  struct Settings {
    long long context_tokens = 0;                    ///< limit of the used context; 0: all of it
    GenerationMode mode = GenerationMode::kGrammar;  ///< as configured; requests may differ
    FindCounter find_counter = nullptr;              ///< null: no tokenizer for any model
    /// Measures time to first token and generation time if the server reports no timings. Null:
    /// these times are unknown.
    const Clock* clock = nullptr;
    /// Returns a model's row of the table, or null. Null: there is no table.
    std::function<const KnownModel*(std::string_view model)> find_row = nullptr;
    /// Images of the marks in messages (image.h). open() then finds out if the model takes them.
    /// Null: there are none.
    const ImageFolder* images = nullptr;
  };

  /// Asks the server for its models and its context size. Also probes tools or schemas with one
  /// request if the server is on this machine. This takes at most about a hundred tokens, without
  /// cost, and the model is loaded afterwards. Assumes support on other servers.
  Result<ModelInfo> open() override;
  Result<std::string> served_model() override;
  Result<Reply> generate(const GenerateRequest& request) override;
  Result<Reply> ask_aside(const GenerateRequest& request) override;
  Status restore(const GenerateRequest& request, const Reply& reply, Asked where) override;
  void begin_anew() override { estimate_->begin_anew(); }
  void withdraw() override { estimate_->withdraw(); }
  /// Adds an estimate of new messages (MessageTokens) to the server's count of the conversation.
  /// Without such a count, asks a server on this machine that has a counting route. Returns nullopt
  /// if neither is available.
  Result<std::optional<long long>> count_prompt(const GenerateRequest& request) override;
  bool counts_exactly() const override { return counted_by_server_; }
  long long count_text(std::string_view text) override;
  Status compacted(const ChatRequest& chat, std::span<const std::size_t> origins) override;

 protected:
  /// The properties of an API.
  struct Api {
    MessageFormat format;
    std::string_view backend;  ///< for ModelInfo
    std::string path;          ///< route of replies
    std::string models_path;
    ApiManners manners;
    bool has_schemas = false;    ///< the body has a place for Sampling::schema
    bool takes_options = false;  ///< a tool's parameters may be an `anyOf`
    /// Window of models that neither the server, the settings nor the table know; 0: none.
    long long usual_context = 0;
    std::string count_path;  ///< counts the tokens of the same body; supported by llama-server
    std::unique_ptr<MessageTokens> (*message_tokens)(CountTokensOf count) = nullptr;
  };
  struct Sampling {
    double temperature = 0;
    long long max_tokens = 0;
    Json schema = nullptr;      ///< for the whole text; null: unconstrained
    Json logit_bias = nullptr;  ///< result of find_logit_bias()
    std::optional<std::uint32_t> seed = {};
    std::span<const std::string> stops = {};
    bool penalizes_repetition = false;
    bool ends_at_loop = false;  ///< see GenerateRequest
  };
  /// A reply, or its part before a loop.
  struct Received {
    ModelReply reply;
    bool is_loop = false;
    std::vector<long long> discarded = {};  ///< see Reply
  };

  /// `options.url` may end with "/v1". Borrows `http` and `cancel`.
  MessageModel(Http& http, ServerOptions options, Api api, Settings settings, GenerateEvents events,
               const CancelToken& cancel);

  /// Finds the context size if the server's list of models lacks it. The model is already loaded if
  /// it is on this machine.
  virtual Result<ContextWindow> find_context() = 0;
  /// Returns the complete body of a request for a streamed reply.
  virtual Result<std::string> write_body(const ChatRequest& chat, const Sampling& sampling) = 0;
  /// Converts biases to the API's format; null if the API has none. Called once for equal texts. An
  /// Error means that biases are omitted, and gives the reason.
  virtual Result<Json> find_logit_bias(std::span<const BiasedText> texts);
  /// Returns true if the next body will omit the refused part. Must become false after finitely
  /// many calls.
  virtual bool adapt_to(const ServerRefusal& refusal);

  /// Returns the context size in `GET /props` of a llama-server; 0 if the server lacks this route.
  Result<ContextWindow> context_of_llama_server();
  /// The same, else the size in a route of another server.
  Result<ContextWindow> find_any_context();

  JsonClient& client() { return client_; }
  const std::string& model_id() const { return model_id_; }
  const GenerateEvents& events() const { return events_; }

 private:
  Result<Received> ask(const ChatRequest& chat, Sampling sampling, const GenerateEvents& events);
  Result<Received> ask_once(ChatRequest chat, const Sampling& sampling,
                            const GenerateEvents& events);
  long long now_us() const { return settings_.clock != nullptr ? settings_.clock->ticks_us() : 0; }
  Result<std::string> body_of(const ChatRequest& chat, const Sampling& sampling);
  Result<Received> receive(std::string& body, const GenerateEvents& events);
  Result<Json> props_of_llama_server();
  bool omits_tools();
  Status probe(ModelInfo& info);
  Result<ContextWindow> find_window(const ListedModel& model);
  Status probe_tools(ModelInfo& info);
  Status probe_schema(ModelInfo& info);
  bool is_refused(const Error& error, const ChatRequest& without);
  const ServerRefusal& last_refusal() const;
  bool may_guess(const ServerRefusal& refusal) const;
  ReplyHold hold_of(const GenerateRequest& request);
  void tell_once(const std::string& notice);
  std::vector<CallPart> parts_of(const ChatMessage& message, const GenerateRequest& request);
  void look_up_biases(std::span<const BiasedText> texts);
  Result<long long> room(const GenerateRequest& request);
  void count(const GenerateRequest& request, const Reply& reply);
  Error length_error(Error error, long long prompt_tokens);
  std::optional<Error> refusal_in(const ModelReply& reply, const GenerateRequest& request,
                                  long long max_tokens);
  ChatRequest as_sent(const GenerateRequest& request, ReplyHold hold) const;
  Result<std::optional<long long>> count_at_server(const GenerateRequest& request);

  Api api_;
  JsonClient client_;
  Settings settings_;
  GenerateEvents events_;
  std::string model_id_;
  bool is_llama_server_ = false;  // according to its list of models
  bool is_open_ = false;
  bool has_tools_ = true;
  bool names_allowed_ = false;  // `tool_choice` may name the tools of the phase
  Capabilities can_;
  std::vector<BiasedText> biased_;  // source of logit_bias_
  Json logit_bias_ = nullptr;
  std::set<std::string> told_;          // notices about unavailable features
  std::unique_ptr<Tokenizer> counter_;  // null: counts by bytes
  std::unique_ptr<MessageTokens> message_tokens_;
  std::optional<PromptEstimate> estimate_;
  long long accepted_tokens_ = 0;   // of the last prompt with a reply
  bool suspected_ = false;          // the last prompt was refused for an unknown reason
  bool said_nothing_ = false;       // the server answered the last prompt with an empty reply
  int empty_replies_ = 0;           // the last ones in a row
  bool counts_ = true;              // the server has count_path
  bool counted_by_server_ = false;  // origin of the last result of count_prompt()
  AcceptedForm form_;
};

}  // namespace pedro
