#include "llm/message_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "base/text.h"
#include "chat/message.h"
#include "llm/length_refusal.h"
#include "llm/loop_detector.h"
#include "llm/loose_calls.h"
#include "llm/meant_reply.h"
#include "llm/merged_schema.h"
#include "llm/reply_recovery.h"
#include "llm/vision.h"
#include "schema_to_gbnf/call_schema.h"
#include "sys/file_system.h"
#include "sys/url.h"

namespace pedro {
namespace {

// Tracks the new text of a streamed reply.
class WrittenText {
 public:
  // Returns the new text of the message and its calls since the last call.
  std::string take_new(const ChatMessage& message) {
    std::string fresh;
    std::size_t bytes = 0;
    for (const ContentChunk& chunk : message.content) add(fresh, bytes, chunk.text, content_);
    content_ = std::max(content_, bytes);
    bytes = 0;
    for (const RequestedCall& call : message.calls) add(fresh, bytes, call.arguments, calls_);
    calls_ = std::max(calls_, bytes);
    return fresh;
  }

 private:
  // Adds the part of `text` after `seen`. `bytes` is the size of everything before `text`.
  static void add(std::string& fresh, std::size_t& bytes, const std::string& text,
                  std::size_t seen) {
    if (bytes + text.size() > seen) fresh += text.substr(seen > bytes ? seen - bytes : 0);
    bytes += text.size();
  }

  std::size_t content_ = 0;
  std::size_t calls_ = 0;
};

bool has_tool(const ChatRequest& chat, const std::string& name) {
  return std::any_of(chat.tools.begin(), chat.tools.end(),
                     [&](const DeclaredTool& tool) { return tool.name == name; });
}

bool is_broken(const Error& error) {
  return error.message.find(kConnectionBroke) != std::string::npos;
}

// Returns true for OpenAI's own API: other servers refuse or ignore a choice of several tools.
bool takes_allowed_tools(const ListedModel& model) {
  return model.owner == "openai" || model.owner == "system" || model.owner == "openai-internal";
}

}  // namespace

MessageModel::MessageModel(Http& http, ServerOptions options, Api api, Settings settings,
                           GenerateEvents events, const CancelToken& cancel)
    : api_(std::move(api)),
      client_(http, for_messages(std::move(options)), api_.manners, cancel),
      settings_(std::move(settings)),
      events_(std::move(events)),
      message_tokens_(
          api_.message_tokens([this](std::string_view text) { return count_text(text); })),
      estimate_(*message_tokens_),
      form_(api_.takes_options) {}

Result<Json> MessageModel::find_logit_bias(std::span<const BiasedText> /*texts*/) {
  return Error{ErrorKind::kUsage, "this API does not support it"};
}

// If the lookup fails, the job continues without biases.
void MessageModel::look_up_biases(std::span<const BiasedText> texts) {
  if (std::equal(texts.begin(), texts.end(), biased_.begin(), biased_.end())) return;
  biased_.assign(texts.begin(), texts.end());
  logit_bias_ = nullptr;
  if (texts.empty()) return;
  Result<Json> found = find_logit_bias(texts);
  if (found) {
    logit_bias_ = *std::move(found);
  } else if (events_.on_notice) {
    events_.on_notice("logit_bias is ignored: " + found.error().message);
  }
  const Trace& trace = client_.options().trace;
  if (found || !trace.wants(TraceTopic::kTokens)) return;
  for (const BiasedText& one : texts) {
    trace.sink(TraceTopic::kTokens,
               fmt::format("bias {} {}: not sent, {}", one.text, one.bias, found.error().message));
  }
}

bool MessageModel::adapt_to(const ServerRefusal& /*refusal*/) {
  return false;
}

Result<ModelInfo> MessageModel::open() {
  PEDRO_TRY(ListedModel listed, choose_model(client_, api_.models_path));
  names_allowed_ = api_.format == MessageFormat::kOpenAi && takes_allowed_tools(listed);
  is_llama_server_ = listed.owner == "llamacpp";
  model_id_ = listed.id;
  if (settings_.find_counter) {
    auto counter = settings_.find_counter(model_id_);
    if (counter) counter_ = *std::move(counter);
  }
  ModelInfo info;
  info.backend = api_.backend;
  info.format = message_formats()[static_cast<std::size_t>(api_.format)].name;
  info.name = model_id_.starts_with('/') ? base_name(model_id_) : model_id_;
  PEDRO_RETURN_IF_ERROR(probe(info));
  has_tools_ = info.has_tools;
  can_ = info.can;
  PEDRO_TRY(ContextWindow window, find_window(listed));
  settings_.context_tokens = window.tokens;
  info.context_tokens = window.tokens;
  info.context_source = std::move(window.source);
  if (settings_.images != nullptr) {
    PEDRO_TRY(info.takes_images, takes_images(client_, api_.format, listed));
    // An unknown server gets the user's images, but none that tools add later.
    const bool adds = info.takes_images.value_or(!settings_.images->empty());
    if (!adds) settings_.images = nullptr;
  }
  is_open_ = true;
  return info;
}

Result<std::string> MessageModel::served_model() {
  if (!is_loopback_url(client_.options().url)) return std::string();  // chosen by its name
  PEDRO_TRY(const std::vector<ListedModel> listed, list_models(client_, api_.models_path));
  for (const ListedModel& one : listed) {
    if (one.id == model_id_) return fmt::format("{} {}", one.id, one.context_tokens);
  }
  return std::string();
}

// Returns the token limit of a reply. Servers refuse a request for more than the free context, or
// silently drop the start of the conversation.
Result<long long> MessageModel::room(const GenerateRequest& request) {
  const long long used = estimate_->of(request.chat);
  const long long left = settings_.context_tokens - 1 - used;
  if (left < kShortestReply) {
    return Error{ErrorKind::kLimit,
                 fmt::format("the conversation has about {} tokens and fills the context of {}; "
                             "start the server with a larger one, or shorten the task",
                             used, settings_.context_tokens),
                 Overflow{used, settings_.context_tokens}};
  }
  return std::min(request.max_tokens, left);
}

Result<MessageModel::Received> MessageModel::receive(std::string& body,
                                                     const GenerateEvents& events) {
  ReplyStream reply(api_.format);
  WrittenText written;
  TextLoopDetector loop;
  Received out;
  long long pieces = 0;  // about one token each
  bool was_said = false;
  bool ends_well = false;  // the server gave a reason, and no text after it
  const long long asked_us = now_us();
  long long first_us = asked_us;
  const Status sent = client_.stream(api_.path, body, [&](std::string_view data) {
    Status fed = reply.feed(data, client_.event_name());
    if (!fed) return fed;
    if (pieces == 0) first_us = now_us();
    ++pieces;
    const std::string text = written.take_new(reply.so_far().message);
    const bool is_said = reply.so_far().stop != StopCause::kNotSaid;
    ends_well = is_said && (!was_said || (ends_well && text.empty()));
    was_said = is_said;
    if (events.on_text) events.on_text(text, 1);
    out.is_loop = loop.add(text);
    return out.is_loop ? Status(Error{ErrorKind::kModel, "hung up"}) : fed;
  });
  const ChatMessage& message = reply.so_far().message;
  said_nothing_ = client_.is_spoiled() && message.content.empty() && message.calls.empty();
  const bool is_malformed = !sent && is_malformed_output(sent.error());
  const bool is_only_end_cut = !sent && ends_well && is_broken(sent.error());
  if (!sent && !out.is_loop && !is_malformed && !is_only_end_cut) return sent.error();
  if (out.is_loop || is_malformed) {
    out.reply = reply.so_far();
    out.reply.usage.generated_tokens = pieces;
  }
  if (is_malformed) {
    out.reply.message.calls.clear();
    out.reply.stop = StopCause::kEnd;
    tell_once("the server cannot read what the model wrote; it counts as text");
  } else if (!out.is_loop) {
    Result<ModelReply> whole = reply.finish();
    if (!whole) return whole.error().at(public_url(client_.options().url + api_.path));
    out.reply = *std::move(whole);
  }
  Usage& usage = out.reply.usage;
  if (usage.generated_tokens <= 0) {
    usage.generated_tokens = message_tokens_->of_message(out.reply.message);
  }
  if (usage.prompt_ms <= 0 && usage.generate_ms <= 0) {
    usage.prompt_ms = static_cast<double>(first_us - asked_us) / 1000;
    usage.generate_ms = static_cast<double>(now_us() - first_us) / 1000;
  }
  return out;
}

Result<MessageModel::Received> MessageModel::ask(const ChatRequest& chat, Sampling sampling,
                                                 const GenerateEvents& events) {
  const std::optional<std::uint32_t> seed = sampling.seed;
  std::vector<long long> discarded;
  Usage cut;
  for (;;) {
    PEDRO_TRY(Received received, ask_once(chat, sampling, events));
    Usage& usage = received.reply.usage;
    const long long tokens = usage.generated_tokens;
    usage = sum_of_tries(cut, usage);
    const bool is_last = sampling.ends_at_loop || discarded.size() >= kMaxResamples;
    if (!received.is_loop || is_last) {
      received.discarded = std::move(discarded);
      return received;
    }
    cut = usage;
    discarded.push_back(tokens);
    if (events.on_notice) events.on_notice(resample_notice(tokens));
    sampling.seed = other_seed(seed, discarded.size());
    sampling.temperature = std::max(sampling.temperature, kResampleTemperature);
    sampling.penalizes_repetition = true;
  }
}

// Returns the refusal of the last exchange, as its status or in its stream.
const ServerRefusal& MessageModel::last_refusal() const {
  const ServerRefusal& refusal = client_.refusal();
  return refusal.status != 0 ? refusal : client_.refusal_in_stream();
}

// Returns true for a refusal of the first prompt that gives no known reason.
bool MessageModel::may_guess(const ServerRefusal& refusal) const {
  const bool is_refusal = refusal.status == 400 || refusal.status == 422 || refusal.status == 500;
  return is_refusal && is_open_ && accepted_tokens_ == 0 && refusal.parameter.empty() &&
         !read_length_refusal(refusal);
}

// Adds the images to the messages that have their marks.
Result<std::string> MessageModel::body_of(const ChatRequest& chat, const Sampling& sampling) {
  if (settings_.images == nullptr || settings_.images->empty()) return write_body(chat, sampling);
  ChatRequest with_images = chat;
  PEDRO_RETURN_IF_ERROR(add_images(with_images, *settings_.images));
  return write_body(with_images, sampling);
}

Result<MessageModel::Received> MessageModel::ask_once(ChatRequest chat, const Sampling& sampling,
                                                      const GenerateEvents& events) {
  ReplyRecovery recovery(client_);
  AcceptedForm known = form_;  // without guesses
  for (;;) {
    PEDRO_TRY(std::string body, body_of(chat, sampling));
    Result<Received> reply = receive(body, events);
    client_.limit_attempts(0);
    if (reply) return reply;
    const ServerRefusal refusal = last_refusal();
    const bool may_be_form = refusal.status != 0 && !is_passing(refusal);
    if (may_be_form && (adapt_to(refusal) || form_.learn(chat, refusal))) {
      known = form_;
      continue;
    }
    if (may_guess(refusal) && form_.guess(chat)) {
      client_.limit_attempts(1);
      continue;
    }
    const auto step = recovery.next(reply.error(), false);
    if (step != ReplyRecovery::Step::kGiveUp) continue;
    form_ = std::move(known);
    return reply;
  }
}

// Reports each missing feature once.
ReplyHold MessageModel::hold_of(const GenerateRequest& request) {
  const HoldChoice choice = choose_hold(request.mode, can_, has_tools_);
  if (!choice.notice.empty()) tell_once(choice.notice);
  return choice.hold;
}

// Discards the counts of the conversation before the compaction.
Status MessageModel::compacted(const ChatRequest& /*chat*/,
                               std::span<const std::size_t> /*origins*/) {
  estimate_->begin_anew();
  return {};
}

long long MessageModel::count_text(std::string_view text) {
  if (!counter_) return Model::count_text(text);
  const Result<std::size_t> count = counter_->count(text);
  return count ? static_cast<long long>(*count) : Model::count_text(text);
}

Result<std::optional<long long>> MessageModel::count_at_server(const GenerateRequest& request) {
  counts_ = counts_ && is_loopback_url(client_.options().url);
  if (!counts_) return std::optional<long long>();
  PEDRO_TRY(const std::string body,
            body_of(as_sent(request, choose_hold(request.mode, can_, has_tools_).hold),
                    {.max_tokens = kShortestReply}));
  PEDRO_TRY(const Json json, parse_json(body));
  client_.limit_attempts(1);
  const Result<Json> answer = client_.post(api_.count_path, json);
  client_.limit_attempts(0);
  if (!answer && answer.error().kind == ErrorKind::kInterrupted) return answer.error();
  const bool is_there = !client_.is_not_there() && !client_.is_spoiled();
  if (!answer && is_there) tell_once("tokens are estimated: " + answer.error().message);
  const long long tokens = answer ? number_of(*answer, "input_tokens") : 0;
  counts_ = tokens > 0;
  return counts_ ? std::optional(tokens) : std::nullopt;
}

Result<std::optional<long long>> MessageModel::count_prompt(const GenerateRequest& request) {
  const long long tokens = estimate_->of(request.chat);
  counted_by_server_ = false;
  if (!estimate_->is_counted()) {
    Result<std::optional<long long>> counted = count_at_server(request);
    counted_by_server_ = counted && counted->has_value();
    if (!counted || counted_by_server_) return counted;
  }
  if (!counter_) return std::optional<long long>();
  return std::optional(tokens);
}

Result<Reply> MessageModel::ask_aside(const GenerateRequest& request) {
  PromptEstimate conversation = *estimate_;
  Result<Reply> reply = generate(request);
  estimate_ = std::move(conversation);
  return reply;
}

Status MessageModel::restore(const GenerateRequest& request, const Reply& reply, Asked where) {
  if (where == Asked::kAside) return {};
  (void)estimate_->of(request.chat);
  count(request, reply);
  return {};
}

// Adds a reply to the estimate, without its discarded samples.
void MessageModel::count(const GenerateRequest& request, const Reply& reply) {
  long long kept_tokens = reply.usage.generated_tokens;
  for (const long long tokens : reply.discarded) kept_tokens -= tokens;
  estimate_->counted(request.chat, reply.usage.prompt_tokens, kept_tokens);
}

ChatRequest MessageModel::as_sent(const GenerateRequest& request, ReplyHold hold) const {
  ChatRequest chat = with_native_call_ids(api_.format, request.chat);
  if (!has_tools_) chat.tools.clear();
  replace_refused_parts(chat.messages);
  if (api_.format == MessageFormat::kOpenAi) join_users_to_results(chat.messages);
  chat.tool_choice.kind =
      hold == ReplyHold::kTools ? ToolChoice::Kind::kAny : ToolChoice::Kind::kNotSaid;
  if (hold == ReplyHold::kNothing && request.calls.empty()) {
    chat.tool_choice.kind = ToolChoice::Kind::kNone;
  }
  for (const CallBranch& call : request.calls) {
    if (names_allowed_ && has_tool(chat, call.tool)) add_once(chat.tool_choice.allowed, call.tool);
  }
  form_.apply(chat);
  for (DeclaredTool& tool : chat.tools) tool.parameters = with_array_items(tool.parameters);
  return chat;
}

void MessageModel::tell_once(const std::string& notice) {
  if (told_.insert(notice).second && events_.on_notice) events_.on_notice(notice);
}

// Reads calls from `tool_calls`, else from the text, else from the thinking.
std::vector<CallPart> MessageModel::parts_of(const ChatMessage& message,
                                             const GenerateRequest& request) {
  if (!message.calls.empty()) {
    const std::vector<RequestedCall> calls = with_names(message.calls, request.calls);
    return check_calls(calls, KnownTools(request.calls, CallChecks::kNothing));
  }
  if (!has_tools_ && request.calls.empty()) return parse_calls(text_of(message), CallSyntax::kJson);
  std::vector<CallPart> parts = calls_in_content(message, request.calls);
  const bool any_call = std::any_of(parts.begin(), parts.end(), [](const CallPart& part) {
    return std::holds_alternative<ParsedCall>(part);
  });
  if (has_tools_ && any_call) tell_once("the server returned a call as text; it is parsed");
  return parts;
}

// Completes the sizes of a prompt that is too long, and remembers the window. An unknown refusal of
// the first longer prompt counts as one, since servers word it in many ways. So does an empty
// answer. It keeps its kind.
Error MessageModel::length_error(Error error, long long prompt_tokens) {
  if (error.overflow) {
    Overflow& sizes = *error.overflow;
    if (sizes.window <= 0) sizes.window = std::min(prompt_tokens, settings_.context_tokens);
    if (sizes.tokens <= 0) sizes.tokens = std::max(prompt_tokens, sizes.window);
    settings_.context_tokens = std::min(settings_.context_tokens, sizes.window);
    return error;
  }
  const bool grew = accepted_tokens_ > 0 && prompt_tokens > accepted_tokens_;
  const ServerRefusal& refusal = last_refusal();
  const bool may_be = may_be_length(refusal) || said_nothing_;
  if (!grew || !may_be || std::exchange(suspected_, true)) return error;
  error.overflow = Overflow{prompt_tokens, 0};
  tell_once("the server refused a longer prompt without a known reason; it is shortened once: " +
            (refusal.status != 0 ? refusal.message : error.message));
  return error;
}

// Returns the Error of a reply that refuses the prompt's length: in words, or by its emptiness. An
// empty reply without such a reason counts from the second one on.
std::optional<Error> MessageModel::refusal_in(const ModelReply& reply,
                                              const GenerateRequest& request,
                                              long long max_tokens) {
  const long long prompt_tokens = estimate_->of(request.chat);
  const Error error{ErrorKind::kLimit, "the prompt is too long for the server"};
  if (reply.stop_reason == kWindowIsFull || length_refusal_in(reply)) {
    Error refused = error;
    refused.overflow = length_refusal_in(reply).value_or(Overflow{});
    return length_error(std::move(refused), prompt_tokens);
  }
  empty_replies_ = is_blank(reply.message) ? empty_replies_ + 1 : 0;
  const bool was_cut =
      reply.stop == StopCause::kLength && reply.usage.generated_tokens < max_tokens / 2;
  said_nothing_ = empty_replies_ > 0 && (was_cut || empty_replies_ > 1);
  if (!said_nothing_) return std::nullopt;
  Error refused = length_error({ErrorKind::kLimit, "the server's reply is empty"}, prompt_tokens);
  return refused.overflow ? std::optional(std::move(refused)) : std::nullopt;
}

Result<Reply> MessageModel::generate(const GenerateRequest& request) {
  PEDRO_TRY(const long long max_tokens, room(request));
  const ReplyHold hold = hold_of(request);
  const ChatRequest chat = as_sent(request, hold);
  Sampling sampling{.temperature = request.temperature,
                    .max_tokens = max_tokens,
                    .seed = request.seed,
                    .stops = request.stops,
                    .ends_at_loop = request.ends_at_loop};
  look_up_biases(request.biases);
  trace_tool_biases(client_.options().trace, request.tool_biases,
                    "no effect, the server chooses the tool");
  sampling.logit_bias = logit_bias_;
  if (hold == ReplyHold::kSchema) sampling.schema = call_schema(request.calls);
  Result<Received> received = ask(chat, sampling, events_);
  if (!received) return length_error(received.error(), estimate_->of(request.chat));
  ModelReply& answer = received->reply;
  if (std::optional<Error> refusal = refusal_in(answer, request, max_tokens)) return *refusal;
  if (has_whole_calls(answer, max_tokens)) answer.stop = StopCause::kCalls;
  if (answer.stop != StopCause::kLength) repair_arguments(answer.message.calls);
  Reply reply;
  reply.text = text_of(answer.message);
  reply.stop = received->is_loop                   ? StopReason::kLoop
               : answer.stop == StopCause::kLength ? StopReason::kLimit
                                                   : StopReason::kEnd;
  if (reply.stop == StopReason::kEnd) reply.parts = parts_of(answer.message, request);
  if (reply.stop != StopReason::kLoop) {
    reply.text += unused_calls_as_text(answer.message.calls, reply.stop == StopReason::kEnd);
  }
  reply.usage = answer.usage;
  reply.discarded = received->discarded;
  const long long prompt_tokens = estimate_->of(request.chat);
  if (empty_replies_ == 0) accepted_tokens_ = prompt_tokens;
  if (reply.usage.prompt_tokens <= 0) {
    reply.usage.prompt_tokens = reply.usage.estimated_tokens = prompt_tokens;
    tell_once("the server reports no usage; tokens are estimated");
  }
  if (empty_replies_ == 0) suspected_ = false;
  count(request, reply);
  return reply;
}

}  // namespace pedro
