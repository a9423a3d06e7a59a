// The cost of a round in this program itself: LlamaServer::generate() and the check of the call,
// without the time in HTTP exchanges. Uses a real llama-server, a conversation of 20,000 tokens,
// and the tools of the phase with the most tools. The reference is a client that stores messages
// instead of ids. It renders and tokenizes the whole conversation in each round.
//
//   tests/llama/with-server -- build/release/tests/round_bench [ROUNDS]
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <vector>

#include "base/median.h"
#include "bench/timing.h"
#include "chat_format/prompt_encoder.h"
#include "llama/build_phases.h"
#include "llm/llama_server.h"
#include "sys/file_system.h"
#include "tokenizer/vocabulary_readers.h"
#include "tokenizer/vocabulary_tokenizer.h"

namespace pedro {
namespace {

// Measures the time of exchanges, and counts them.
class TimedHttp : public Http {
 public:
  Result<HttpResponse> send(const HttpRequest& request, const BodySink& sink,
                            const CancelToken& cancel) override {
    const auto begin = SteadyClock::now();
    Result<HttpResponse> response = inner_.send(request, sink, cancel);
    waited_ms += ms_since(begin);
    ++exchanges;
    return response;
  }

  double waited_ms = 0;
  int exchanges = 0;

 private:
  CurlHttp inner_;
};

int fail(const Error& error) {
  fmt::print(stderr, "round_bench: {}\n", error.message);
  return 1;
}

// Returns code of about this many tokens.
std::string long_text(std::size_t tokens) {
  std::string text;
  for (std::size_t line = 0; line < tokens / 12; ++line) {
    text += fmt::format("  const auto item_{} = read_item(input, {});\n", line, line % 7);
  }
  return text;
}

double encode_all_ms(const FormatFamily& family, const ChatRequest& chat, Tokenizer& tokenizer) {
  const auto begin = SteadyClock::now();
  PromptEncoder encoder(tokenizer);
  const Result<Prompt> prompt = render_conversation(family, chat);
  if (prompt) (void)encoder.encode(*prompt);
  return ms_since(begin);
}

int run(int rounds) {
  const char* url = std::getenv("PEDROCLI_SERVER_URL");
  const char* model_file = std::getenv("WITH_SERVER_MODEL");
  if (url == nullptr || model_file == nullptr) {
    fmt::print(stderr, "usage: with-server -- round_bench [ROUNDS]\n");
    return 2;
  }
  RealFileSystem files;
  VocabularyStore vocabularies(files, {}, ModelRegistry::builtin());
  auto vocabulary = vocabularies.open(model_file);
  if (!vocabulary) return fail(vocabulary.error());
  auto tokenizer = VocabularyTokenizer::create(*std::move(vocabulary));
  if (!tokenizer) return fail(tokenizer.error());
  const auto build = BuildPhases::load();
  if (!build) return fail(build.error());
  std::size_t phase = 0;
  for (std::size_t i = 0; i < build->phases().size(); ++i) {
    if (build->tools(i).calls().size() > build->tools(phase).calls().size()) phase = i;
  }
  const ToolSet& tools = build->tools(phase);

  for (const Steering steering : {Steering::kSingle, Steering::kStaged}) {
    TimedHttp http;
    const RealClock clock;
    const CancelToken cancel;
    ServerOptions options;
    options.url = url;
    LlamaServer model(http, options, {.format = "hermes", .steering = steering}, vocabularies, {},
                      clock, cancel);
    const Result<ModelInfo> info = model.open();
    if (!info) return fail(info.error());
    ChatRequest chat;
    chat.messages = {text_message(Role::kSystem, long_text(20000)), text_message(Role::kUser, "U")};
    std::vector<double> ours;
    std::vector<double> whole;
    std::vector<double> requests;
    long long prompt_tokens = 0;
    for (int round = 0; round <= rounds; ++round) {
      http.waited_ms = 0;
      http.exchanges = 0;
      const auto begin = SteadyClock::now();
      const Result<Reply> reply = model.generate({.chat = chat,
                                                  .calls = tools.calls(),
                                                  .mode = GenerationMode::kGrammar,
                                                  .temperature = 1,
                                                  .max_tokens = 60});
      if (!reply) return fail(reply.error());
      for (const CallPart& part : reply->parts) {
        const auto* call = std::get_if<ParsedCall>(&part);
        if (call != nullptr) (void)tools.check_call({"", call->tool, call->args});
      }
      const double took_ms = ms_since(begin);
      prompt_tokens = reply->usage.prompt_tokens;
      chat.messages.push_back(text_message(Role::kAssistant, reply->text));
      chat.messages.push_back(text_message(Role::kUser, "U"));
      if (round == 0) continue;  // builds the grammar and tokenizes the conversation
      ours.push_back(took_ms - http.waited_ms);
      requests.push_back(http.exchanges);
      whole.push_back(encode_all_ms(**find_format("hermes"), chat, **tokenizer));
    }
    fmt::print(
        "{}: {} rounds, {} calls in the grammar, {} prompt tokens, {:.0f} requests a round: {:.2f} "
        "ms of our own (slowest {:.2f}); all of it made tokens anew: {:.2f} ms, {:.1f} times as "
        "much\n",
        to_string(steering), rounds, tools.calls().size(), prompt_tokens, median(requests),
        median(ours), *std::max_element(ours.begin(), ours.end()), median(whole),
        median(whole) / median(ours));
  }
  return 0;
}

}  // namespace
}  // namespace pedro

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 30;
  return pedro::run(std::max(1, rounds));
}
