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
#include "chat/biased_text.h"
#include "chat/chat_request.h"
#include "chat/generation_mode.h"
#include "chat/message.h"
#include "format/call_part.h"
#include "format/call_syntax.h"
#include "format/transcript.h"
#include "grammar/tool_calls.h"
#include "llm/capabilities.h"
#include "llm/tool_bias.h"
#include "tokenizer/model_registry.h"

namespace pedro {

/// Where fewer tokens are left for a reply it is not worth asking for one.
inline constexpr long long kShortestReply = 64;
/// Of text, where nobody counts: code has three to four.
inline constexpr long long kBytesPerToken = 3;

/// What a model can do, known once it was opened.
struct ModelInfo {
  std::string name;                ///< as the server calls it
  std::string backend;             ///< "llamacpp", "openai", "replay"
  long long context_tokens = 0;    ///< of one slot: prompt and reply together
  Capabilities can;                ///< what the server was seen to do
  std::string format = "generic";  ///< how it writes: the name of a family, or "learned"
  /// It was trained to call tools: they are declared in its own words, calls and results are
  /// messages of their own. Otherwise all three are text like any other.
  bool has_tools = false;
  CallSyntax syntax = CallSyntax::kJson;  ///< how it writes calls
  /// Its calls are JSON, and texts can stand behind one as they are (CallBranch::bodies).
  bool takes_bodies = false;
  bool is_person = false;      ///< somebody types the replies, or did when they were recorded
  std::string tools_why = {};  ///< how that was found out; "" where it is a matter of `format`
  /// For a recording: the habits of the recorded session.
  std::optional<AnswerHabits> answers = {};
  std::string context_source = {};  ///< who says what context_tokens are; "" where that is plain
};

/// One inference.
struct GenerateRequest {
  /// The whole conversation and the tools it has from its beginning. Between calls of one Model
  /// only its messages may grow, at their end, and each reply has to be among them; what else
  /// happens to it, compacted() has to be told.
  const ChatRequest& chat;
  /// What the reply may call; where it is not unconstrained, it has to be exactly one such call, as
  /// far as the model can be held to that.
  std::span<const CallBranch> calls = {};
  GenerationMode mode = GenerationMode::kUnconstrained;
  std::span<const BiasedText> biases = {};  ///< where the model can have such; see find_biases()
  /// Of the choice of a tool, and of nothing else, where the model can have such.
  std::span<const ToolBias> tool_biases = {};
  double temperature = 0.2;
  long long max_tokens = 4096;  ///< of the reply
  /// Fixes the choice of tokens at a temperature above 0, where the server takes a seed.
  std::optional<std::uint32_t> seed = {};
  /// GBNF that the text of an unconstrained reply matches, where the server obeys grammars; "":
  /// none.
  std::string_view text_grammar = {};
  /// Texts that end an unconstrained reply; the reply's text ends before them.
  std::span<const std::string> stops = {};
  /// The reply is begun with thinking of at most so many tokens, where the model has such and it is
  /// this program that writes its prompts; 0: with none.
  long long thinking_tokens = 0;
};

enum class StopReason {
  kEnd,    ///< the model ended its turn, or the call was complete
  kLimit,  ///< max_tokens or the window: the reply is cut
  kLoop,   ///< the reply repeated itself, also when it was asked for again: it is cut
};
std::string_view to_string(StopReason reason);

struct Reply {
  std::string text;  ///< all but its thinking, as it is written in the model's format; valid UTF-8
  std::string thinking;         ///< without what stands around it; "" where there is none
  std::vector<CallPart> parts;  ///< calls in it, of whatever tools, and what looks like one
  StopReason stop = StopReason::kEnd;
  Usage usage;
  /// How many prompt tokens the server should have had in its cache, had it forgotten nothing; -1
  /// where that is not known. The gap to usage.cached_tokens is what was evaluated twice.
  long long expected_cached_tokens = -1;
  std::optional<CacheMiss> miss;      ///< where it is this program that writes the prompts
  std::optional<ReplyTokens> tokens;  ///< where it is this program that writes the prompts
  /// Tokens of each reply that repeated itself and was asked for again. They are in `usage` only.
  std::vector<long long> discarded = {};
};

/// What is heard while an inference runs. Every function may be empty.
struct GenerateEvents {
  std::function<void(long long processed, long long total)> on_prefill;  ///< prompt tokens
  /// New text of the reply, and how many tokens came with it.
  std::function<void(std::string_view text, long long tokens)> on_text;
  std::function<void(std::string_view message)> on_notice;  ///< e.g. "logit_bias is left out"
  /// A request failed and is made again, or soon will be; without it on_notice hears of that.
  std::function<void(std::string_view message)> on_retry;
};

/// Where a reply belongs.
enum class Asked { kInConversation, kAside };

/// A model behind a server, or a recording of one. Errors: kModel (server, model, protocol; the
/// message says what to do), kLimit (the prompt does not fit the window), kInterrupted. Belongs to
/// one thread; one instance has one conversation at a time.
class Model {
 public:
  virtual ~Model() = default;

  /// Connects, waits while the model is being loaded, finds out what it can do. Called once, first.
  virtual Result<ModelInfo> open() = 0;

  virtual Result<Reply> generate(const GenerateRequest& request) = 0;

  /// The next request is the first of another conversation.
  virtual void begin_anew() = 0;
  /// Removes the last reply of generate() from the conversation, so that the same request can be
  /// repeated. Requires that nothing followed it.
  virtual void withdraw() {}
  /// A reply beside the conversation: `request.chat` is it with another message of the user's at
  /// its end, and neither that nor the reply is in it afterwards. Error (kModel) where the model
  /// has no such.
  virtual Result<Reply> ask_aside(const GenerateRequest& /*request*/) {
    return Error{ErrorKind::kModel, "this model answers in the conversation only"};
  }

  /// In place of generate() or ask_aside(): the reply that an earlier process got to this request.
  /// The conversation goes on as if it had come now; nobody is asked.
  virtual Status restore(const GenerateRequest& /*request*/, const Reply& /*reply*/,
                         Asked /*where*/) {
    return {};
  }

  /// How many tokens the prompt of a request has, where that can be told without a reply, from the
  /// model's own tokens: what the server will count, or about so many (counts_exactly()). To be
  /// asked before generate() of the same request.
  virtual Result<std::optional<long long>> count_prompt(const GenerateRequest& /*request*/) {
    return std::optional<long long>();
  }

  /// Whether what count_prompt() told last is what the server will count, and no estimate.
  virtual bool counts_exactly() const { return false; }

  /// How many tokens a text has, or about so many. Never asks a server.
  virtual long long count_text(std::string_view text) {
    return static_cast<long long>(text.size()) / kBytesPerToken + 1;
  }

  /// Which message a message was before a compaction: its place, or kChanged.
  static constexpr std::size_t kChanged = static_cast<std::size_t>(-1);

  /// Messages have left the conversation, or have other texts: `chat` is what it is now, `origins`
  /// has for each of its messages what it was (Transcript::compact()). Replies never change. After
  /// an Error the conversation is what it was.
  virtual Status compacted(const ChatRequest& /*chat*/, std::span<const std::size_t> /*origins*/) {
    return {};
  }
};

}  // namespace pedro
