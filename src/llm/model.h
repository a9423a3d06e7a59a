#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/cancel.h"
#include "base/result.h"
#include "call_parser/call_part.h"
#include "call_parser/call_syntax.h"
#include "chat/biased_text.h"
#include "chat/chat_request.h"
#include "chat/generation_mode.h"
#include "chat/message.h"
#include "chat_format/transcript.h"
#include "llm/capabilities.h"
#include "llm/tool_bias.h"
#include "schema_to_gbnf/tool_calls.h"
#include "tokenizer/model_registry.h"

namespace pedro {

/// The minimum free context, in tokens, for a request.
inline constexpr long long kShortestReply = 64;
/// Estimate of text without a tokenizer. Code has three to four bytes per token.
inline constexpr long long kBytesPerToken = 3;

/// The properties of a model, known after open().
struct ModelInfo {
  std::string name;                ///< the server's name for it
  std::string backend;             ///< e.g. "llamacpp", "openai", "replay"
  long long context_tokens = 0;    ///< of one slot: prompt and reply together
  Capabilities can;                ///< observed capabilities of the server
  std::string format = "generic";  ///< its format: name of a family, or "learned"
  /// True if the model was trained to call tools. Its format then declares tools, and has separate
  /// messages for calls and results. Otherwise all three are plain text.
  bool has_tools = false;
  CallSyntax syntax = CallSyntax::kJson;  ///< syntax of its calls
  /// True if its calls are JSON and raw text can follow a call (CallBranch::bodies).
  bool takes_bodies = false;
  bool is_person = false;      ///< the user types the replies, or typed the recorded ones
  std::string tools_why = {};  ///< reason for has_tools; "" if it follows from `format`
  /// The habits of the recorded session; only in a recording.
  std::optional<AnswerHabits> answers = {};
  std::string context_source = {};  ///< origin of context_tokens; "" if obvious
  /// True if the model sees images, nothing if unknown; known only for jobs.
  std::optional<bool> takes_images = {};
};

/// One inference.
struct GenerateRequest {
  /// The complete conversation with its tools. Between requests to one Model, messages may only be
  /// appended, and every reply must be among them. compacted() reports all other changes.
  const ChatRequest& chat;
  /// The calls that the reply may contain. Unless unconstrained, a reply must be exactly one of
  /// them, as far as the model can be constrained.
  std::span<const CallBranch> calls = {};
  GenerationMode mode = GenerationMode::kUnconstrained;
  std::span<const BiasedText> biases = {};  ///< if the model supports them; see find_biases()
  /// Biases that apply only to the choice of a tool, if the model supports them.
  std::span<const ToolBias> tool_biases = {};
  double temperature = 0.2;
  long long max_tokens = 4096;  ///< limit of the reply
  /// Makes sampling reproducible at a temperature above 0, if the server supports seeds.
  std::optional<std::uint32_t> seed = {};
  /// GBNF for the text of an unconstrained reply, if the server supports grammars. "": none.
  std::string_view text_grammar = {};
  /// Texts that end an unconstrained reply. The reply's text excludes them.
  std::span<const std::string> stops = {};
  /// Ends a reply that repeats itself with kLoop at once, for callers that ask differently next.
  bool ends_at_loop = false;
  /// Limit of thinking before the reply, in tokens. Requires a model that thinks, and whose prompts
  /// this program writes. 0: no thinking.
  long long thinking_tokens = 0;
};

enum class StopReason {
  kEnd,    ///< the model ended its turn, or the call was complete
  kLimit,  ///< max_tokens or the context window cut the reply
  kLoop,   ///< the reply was cut because it repeated itself, even after new samples
};
std::string_view to_string(StopReason reason);

struct Reply {
  std::string text;      ///< all except thinking, verbatim in the model's format; valid UTF-8
  std::string thinking;  ///< without its delimiters; "" if there is none
  std::vector<CallPart> parts;  ///< all calls in the reply, and malformed ones
  StopReason stop = StopReason::kEnd;
  Usage usage;
  /// The number of prompt tokens that the server should have cached; -1: unknown. Its excess over
  /// usage.cached_tokens was evaluated twice.
  long long expected_cached_tokens = -1;
  std::optional<CacheMiss> miss;      ///< only if this program writes the prompts
  std::optional<ReplyTokens> tokens;  ///< only if this program writes the prompts
  /// Generated tokens of each discarded sample, which repeated itself. Included in `usage` only.
  std::vector<long long> discarded = {};
};

/// Callbacks during an inference. Every function may be empty.
struct GenerateEvents {
  std::function<void(long long processed, long long total)> on_prefill;  ///< prompt tokens
  /// Receives new text of the reply and its number of tokens.
  std::function<void(std::string_view text, long long tokens)> on_text;
  std::function<void(std::string_view message)> on_notice;  ///< e.g. "logit_bias is left out"
  /// A failed request will be repeated. If empty, on_notice receives the message.
  std::function<void(std::string_view message)> on_retry;
};

/// The relation of a reply to the conversation.
enum class Asked { kInConversation, kAside };

/// A model on a server, or a recording of one. Errors: kModel (server, model, protocol; the message
/// gives advice), kLimit (the prompt does not fit the context window), kInterrupted. Belongs to one
/// thread. An instance has one conversation at a time.
class Model {
 public:
  virtual ~Model() = default;

  /// Connects, waits for the model to load and determines its capabilities. Must be called first,
  /// and once.
  virtual Result<ModelInfo> open() = 0;

  virtual Result<Reply> generate(const GenerateRequest& request) = 0;

  /// Returns a text that differs if the server has another model than before, with at most one
  /// short request. "" if that is unknown.
  virtual Result<std::string> served_model() { return std::string(); }

  /// Announces requests, each of which follows begin_anew(). Returns the number of leading ones to
  /// make before any of their replies is used; at least 1. A server answers these at the same time.
  /// Ends the current conversation. Errors: kInterrupted.
  virtual Result<std::size_t> together(std::span<const GenerateRequest> /*requests*/) {
    return std::size_t{1};
  }

  /// Starts a new conversation with the next request.
  virtual void begin_anew() = 0;
  /// Removes the last reply of generate() from the conversation, so that the same request can be
  /// repeated. Requires that nothing followed it.
  virtual void withdraw() {}
  /// Requests a reply outside of the conversation. `request.chat` is the conversation with one
  /// additional user message. Neither this message nor the reply remain in the conversation. Error
  /// (kModel) if the model does not support this.
  virtual Result<Reply> ask_aside(const GenerateRequest& /*request*/) {
    return Error{ErrorKind::kModel, "this model answers in the conversation only"};
  }

  /// Replaces generate() or ask_aside() by a reply that an earlier process received for the same
  /// request. The conversation continues as if the reply were new. Sends no request.
  virtual Status restore(const GenerateRequest& /*request*/, const Reply& /*reply*/,
                         Asked /*where*/) {
    return {};
  }

  /// Returns the token count of a request's prompt, in the model's own tokens: the server's count
  /// or an estimate (counts_exactly()). Returns nullopt if it is unknown without a reply. Must be
  /// called before generate() of the same request.
  virtual Result<std::optional<long long>> count_prompt(const GenerateRequest& /*request*/) {
    return std::optional<long long>();
  }

  /// Returns true if the last result of count_prompt() equals the server's count.
  virtual bool counts_exactly() const { return false; }

  /// Returns the number of tokens of a text, possibly estimated. Never sends a request.
  virtual long long count_text(std::string_view text) {
    return static_cast<long long>(text.size()) / kBytesPerToken + 1;
  }

  /// Index of a message before a compaction, or kChanged.
  static constexpr std::size_t kChanged = static_cast<std::size_t>(-1);

  /// Reports that messages were removed or replaced. `chat` is the new conversation. `origins` has
  /// the former index of each of its messages (Transcript::compact()). Replies never change. After
  /// an Error, the conversation is unchanged.
  virtual Status compacted(const ChatRequest& /*chat*/, std::span<const std::size_t> /*origins*/) {
    return {};
  }
};

}  // namespace pedro
