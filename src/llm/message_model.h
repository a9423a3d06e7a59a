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
#include "format/message_format.h"
#include "llm/json_client.h"
#include "llm/model.h"
#include "llm/model_list.h"
#include "llm/prompt_estimate.h"
#include "llm/reply_hold.h"
#include "tokenizer/tokenizer.h"

namespace pedro {

/// A model behind an API that takes a conversation in messages and answers in one
/// (message_format.h): what OpenAiModel and AnthropicModel have in common. How messages become a
/// prompt is the server's matter, and so is how calls are told from text.
///
/// Replies are streamed: that they come at all is the sign of life that the idle timeout is for,
/// and hanging up cancels them. A reply counts only when it is whole; one that breaks off or is
/// malformed is asked for once more (ReplyRecovery); then, and where a stream stalls, it is an
/// Error, and the conversation stays as it was. One that repeats itself is cut and asked for again
/// (resampling.h).
///
/// **Tools** are declared in every request, all of them and always the same, also where a phase
/// allows only some: every server writes them in front of the conversation, so that other tools
/// would be another prompt from its first lines on, and all that was cached of it were lost. Where
/// a reply has to be a call the server is told so (`tool_choice`), and that is all that can be said
/// in a way that all servers understand. Whether the phase has the tool that was called, its check
/// says. Where a server has no tools, or is not to use them (GenerationMode::kSchema), calls are
/// JSON in the text, held to a schema where the server does that.
class MessageModel : public Model {
 public:
  /// The tokens of a model by its name, or an estimate of them: see counting_tokenizer().
  using FindCounter = std::function<Result<std::unique_ptr<Tokenizer>>(std::string_view model)>;

  struct Settings {
    long long context_tokens = 0;  ///< the most that is used of the context; 0: all
    GenerationMode mode = GenerationMode::kGrammar;  ///< as configured; a request may say another
    FindCounter find_counter = nullptr;              ///< null: there is none for any model
    /// Where the server does not say how long it took: until the first word of a reply came, and
    /// from there to its last. Null: that is not known then.
    const Clock* clock = nullptr;
  };

  /// The server is asked for its models, and how large the context is. Where it is on this machine
  /// it is also made to call a tool, or to obey a schema, once: a hundred tokens at most that cost
  /// no money, and the model is loaded then. Elsewhere it is believed to.
  Result<ModelInfo> open() override;
  Result<Reply> generate(const GenerateRequest& request) override;
  Result<Reply> ask_aside(const GenerateRequest& request) override;
  Status restore(const GenerateRequest& request, const Reply& reply, Asked where) override;
  void begin_anew() override { estimate_->begin_anew(); }
  /// By what the server counted of the conversation, and for what is new by the model's tokens and
  /// what is known of the API (MessageTokens); where nothing was counted yet, a server on this
  /// machine is asked, if it has a route for that. Nothing where neither is there.
  Result<std::optional<long long>> count_prompt(const GenerateRequest& request) override;
  bool counts_exactly() const override { return counted_by_server_; }
  long long count_text(std::string_view text) override;
  Status compacted(const ChatRequest& chat, std::span<const std::size_t> origins) override;

 protected:
  /// What an API is.
  struct Api {
    MessageFormat format;
    std::string_view backend;  ///< as ModelInfo names it
    std::string path;          ///< of the replies
    std::string models_path;
    ApiManners manners;
    bool has_schemas = false;  ///< Sampling::schema has a place in the body
    std::string count_path;    ///< takes the same body and counts its tokens; llama-server has it
    std::unique_ptr<MessageTokens> (*message_tokens)(CountTokensOf count) = nullptr;
  };
  struct Context {
    long long tokens = 0;  ///< 0: nobody says
    std::string source;    ///< who says so
  };
  struct Sampling {
    double temperature = 0;
    long long max_tokens = 0;
    Json schema = nullptr;      ///< of the whole text; null: any
    Json logit_bias = nullptr;  ///< as find_logit_bias() has it
    std::optional<std::uint32_t> seed = {};
    std::span<const std::string> stops = {};
    bool penalizes_repetition = false;
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

  /// How large the context is, where the server's list of models does not say. The model was used
  /// before, if it is on this machine.
  virtual Result<Context> find_context() = 0;
  /// The whole body of a request for a reply, streamed.
  virtual Result<std::string> write_body(const ChatRequest& chat, const Sampling& sampling) = 0;
  /// The biases as the API has them; null where there is no place for them. Asked for once for the
  /// same texts. An Error is the reason why they are left out.
  virtual Result<Json> find_logit_bias(std::span<const BiasedText> texts);
  /// Whether the next body will do without what was refused. Not without end.
  virtual bool adapt_to(const ServerRefusal& refusal);

  /// What `GET /props` says, as llama-server has it; 0 where the server has no such route.
  Result<Context> context_of_llama_server();
  /// An answer of a route that the server may not have; null then.
  Result<Json> if_there(Result<Json> answer) const;

  JsonClient& client() { return client_; }
  const std::string& model_id() const { return model_id_; }
  const GenerateEvents& events() const { return events_; }

 private:
  Result<Received> ask(const ChatRequest& chat, Sampling sampling, const GenerateEvents& events);
  Result<Received> ask_once(const ChatRequest& chat, const Sampling& sampling,
                            const GenerateEvents& events);
  long long now_us() const { return settings_.clock != nullptr ? settings_.clock->ticks_us() : 0; }
  Result<Received> receive(std::string& body, const GenerateEvents& events);
  Status probe(ModelInfo& info);
  Status probe_tools(ModelInfo& info);
  Status probe_schema(ModelInfo& info);
  bool is_refused(const Error& error);
  ReplyHold hold_of(const GenerateRequest& request);
  void tell_once(const std::string& notice);
  std::vector<CallPart> parts_of(const ChatMessage& message, const GenerateRequest& request);
  void look_up_biases(std::span<const BiasedText> texts);
  Result<long long> room(const GenerateRequest& request);
  ChatRequest as_sent(const GenerateRequest& request, ReplyHold hold) const;
  Result<std::optional<long long>> count_at_server(const GenerateRequest& request);

  Api api_;
  JsonClient client_;
  Settings settings_;
  GenerateEvents events_;
  std::string model_id_;
  bool has_tools_ = true;
  Capabilities can_;
  std::vector<BiasedText> biased_;  // what logit_bias_ is of
  Json logit_bias_ = nullptr;
  std::set<std::string> told_;          // of what is done without
  std::unique_ptr<Tokenizer> counter_;  // null: by bytes
  std::unique_ptr<MessageTokens> message_tokens_;
  std::optional<PromptEstimate> estimate_;
  bool counts_ = true;              // the server has count_path
  bool counted_by_server_ = false;  // what count_prompt() told last
};

}  // namespace pedro
