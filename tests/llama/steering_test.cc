// Tests calls in stages and in one request on a real llama-server whose model writes noise.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "base/median.h"
#include "bench/timing.h"
#include "call_parser/call_syntax.h"
#include "chat_format/format_family.h"
#include "llama/opened_model.h"
#include "llama/short_calls.h"
#include "llm/staged_call.h"
#include "tokenizer/server_tokenizer.h"

namespace pedro {
namespace {

// Calls of the model of with-server. Starts a new conversation from time to time, to stay inside
// the window.
struct Talk : OpenedModel {
  explicit Talk(Steering steering) : OpenedModel({.steering = steering}) {
    REQUIRE(info.can.grammar);
  }

  // Returns the tool of the only call, which must be valid.
  std::string tool(const ShortCalls& calls, std::span<const ToolBias> bias = {}) {
    constexpr std::size_t kCallsInOne = 50;
    if (!ms.empty() && ms.size() % kCallsInOne == 0) begin_anew();
    const auto begin = SteadyClock::now();
    const Reply reply = reply_to({.chat = chat,
                                  .calls = calls.branches,
                                  .mode = GenerationMode::kGrammar,
                                  .tool_biases = bias,
                                  .temperature = 1});
    ms.push_back(ms_since(begin));
    tokens.push_back(static_cast<double>(reply.usage.generated_tokens));
    CAPTURE(reply.text);
    CHECK(reply.stop == StopReason::kEnd);
    REQUIRE(reply.parts.size() == 1);
    const auto* call = std::get_if<ParsedCall>(&reply.parts[0]);
    // Noise that ends inside a character may lose the following text in a stream. The call is then
    // repeated.
    const bool is_noise = reply.text.find("\xEF\xBF\xBD") != std::string::npos;
    if (call == nullptr && is_noise && ++lost <= kMaxLost) return tool(calls, bias);
    REQUIRE(call != nullptr);
    CHECK(calls.check(*call) == "");
    return call->tool;
  }

  static constexpr int kMaxLost = 5;
  int lost = 0;
  std::vector<double> ms;
  std::vector<double> tokens;
};

// The chi-square statistic of a share. A value of 10.8 or more occurs by chance at most once in
// 1000 tests.
double chi_square(int chosen, int calls, double expected_share) {
  const double expected = calls * expected_share;
  const double off = chosen - expected;
  return off * off / expected + off * off / (calls - expected);
}

// A model that writes `text` in the server's tokens, from any position.
Result<Completion> continue_with(const std::string& text, Tokenizer& tokenizer,
                                 const StageRequest& request) {
  const auto begun = tokenizer.pieces(request.begun);
  if (!begun) return begun.error();
  std::size_t at = 0;
  for (const std::string& piece : *begun) at += piece.size();
  auto ids = tokenizer.encode(text.substr(at), Specials::kNone);
  if (!ids) return ids.error();
  Completion out;
  for (const TokenId id : *ids) {
    out.tokens.push_back(id);
    out.text += *tokenizer.piece(id);
    out.end = CompletionEnd::kWord;
    if (!request.stop.empty() && out.text.find(request.stop) != std::string::npos) return out;
    out.end = CompletionEnd::kLimit;
    if (static_cast<long long>(out.tokens.size()) == request.max_tokens) return out;
  }
  out.tokens.push_back(0);
  out.end = CompletionEnd::kToken;
  return out;
}

}  // namespace

TEST_CASE("steering: in stages a call costs fewer tokens and less time, and is as valid") {
  const auto build = BuildPhases::load();
  REQUIRE(build.ok());
  const char* wanted = std::getenv("PEDROCLI_CALLS");
  const int count = wanted == nullptr ? 2 : std::atoi(wanted);
  Talk single(Steering::kSingle);
  Talk staged(Steering::kStaged);
  std::vector<double> ratios;
  for (std::size_t phase = 0; phase < build->phases().size(); ++phase) {
    const ShortCalls calls(*build, phase, Bodies::kJson);
    // One after the other: the server has one slot, which caches only the current conversation.
    for (Talk* talk : {&single, &staged}) {
      talk->begin_anew();
      for (int i = 0; i < count; ++i) talk->tool(calls);
    }
    for (std::size_t i = single.ms.size() - count; i < single.ms.size(); ++i) {
      ratios.push_back(staged.ms[i] / single.ms[i]);
    }
  }
  CHECK(single.evaluated_twice == 0);
  CHECK(staged.evaluated_twice == 0);
  MESSAGE(
      fmt::format("{} calls each, medians: {} tokens, {:.0f} ms in one request; {} tokens, {:.0f} "
                  "ms in stages; pairwise {:.2f} of the time",
                  ratios.size(), median(single.tokens), median(single.ms), median(staged.tokens),
                  median(staged.ms), median(ratios)));
  CHECK(median(staged.tokens) < 0.8 * median(single.tokens));
}

// The noise's logits differ widely, so the bias is large.
TEST_CASE("steering: a bias changes a tool's share, and a blocked tool is never called") {
  const auto build = BuildPhases::load();
  REQUIRE(build.ok());
  const ShortCalls all(*build, 0, Bodies::kJson);
  ShortCalls calls(*build, 0, Bodies::kJson);
  std::erase_if(calls.branches, [](const CallBranch& call) { return call.tool == "search"; });
  Talk talk(Steering::kStaged);
  const char* wanted = std::getenv("PEDROCLI_CALLS");
  const int count = wanted == nullptr ? 12 : std::atoi(wanted);
  const auto share = [&](std::vector<ToolBias> bias) {
    std::map<std::string, int> chosen;
    for (int i = 0; i < count; ++i) ++chosen[talk.tool(calls, bias)];
    CHECK(chosen["search"] == 0);
    return chosen["file"];
  };
  const int plain = share({});
  const int encouraged = share({{"file", 20}});
  const int discouraged = share({{"file", -20}});
  const double usual = std::clamp(static_cast<double>(plain) / count, 0.5 / count, 1 - 0.5 / count);
  MESSAGE(
      fmt::format("'file' in {} calls: {} times; with a bias of 20 {} (chi-square {:.1f}); with "
                  "-20 {} (chi-square {:.1f})",
                  count, plain, encouraged, chi_square(encouraged, count, usual), discouraged,
                  chi_square(discouraged, count, usual)));
  CHECK(encouraged > plain);
  CHECK(discouraged <= plain);
  CHECK(chi_square(encouraged, count, usual) > 10.8);
}

// Simulates a model that follows its vocabulary. Inserted texts must not change the tokens. The
// only exception is a token for the quote before a value together with the start of the value.
TEST_CASE("steering: the ids of a finished call are those of its text") {
  const auto build = BuildPhases::load();
  REQUIRE(build.ok());
  CurlHttp http;
  CancelToken cancel;
  ServerOptions options;
  options.url = std::getenv("PEDROCLI_SERVER_URL");
  LlamaClient client(http, options, cancel);
  ServerTokenizer tokenizer(client.poster());
  ChosenFormat chosen;
  chosen.family = **find_format("hermes");
  chosen.syntax = call_syntax_of("hermes");
  auto format = ServedFormat::open(chosen, tokenizer, nullptr, "", "<|endoftext|>");
  REQUIRE(format.ok());
  int same = 0;
  std::vector<std::string> others;
  for (std::size_t phase = 0; phase < 4; ++phase) {
    const std::span<const CallBranch> calls = build->tools(phase).calls();
    const std::vector<NamedTool> tools = format->tools(calls);
    for (const CallBranch& call : calls) {
      const Manifest* tool = build->registry().find(call.tool);
      if (tool == nullptr) continue;
      for (const Json& example : tool->find(call.action)->examples) {
        const std::string text = call.tool + "\", \"arguments\": " + to_spaced_line(example);
        CAPTURE(text);
        auto place = GrammarPlace::begin(format->grammar(calls).grammar);
        REQUIRE(place.ok());
        PromptEncoder encoder(tokenizer);
        const AskStage ask = [&](const StageRequest& request) {
          return continue_with(text, tokenizer, request);
        };
        const CallManner manner{.value_end = format->value_end()};
        const auto written =
            StagedCall(*std::move(place), tools, manner, encoder, tokenizer, ask).write();
        REQUIRE(written.ok());
        REQUIRE(written->end == WrittenReply::End::kWhole);
        CHECK(written->text == text);
        const auto whole = tokenizer.encode(text, Specials::kNone);
        REQUIRE(whole.ok());
        if (written->ids == *whole) {
          ++same;
          continue;
        }
        // Our ids have a separate token for the quote before a value; the whole text has a longer
        // token.
        const auto differs =
            std::mismatch(whole->begin(), whole->end(), written->ids.begin(), written->ids.end());
        const std::string ours = *tokenizer.piece(*differs.second);
        others.push_back(*tokenizer.piece(*differs.first));
        CHECK_MESSAGE(ours == " \"", text, others.back());
      }
    }
  }
  std::string listed;
  for (const std::string& other : others) listed += " «" + other + "»";
  MESSAGE(fmt::format("{} calls have the ids of their texts; {} have others, from{}", same,
                      others.size(), listed));
  CHECK(same > 3 * static_cast<int>(others.size()));
}

}  // namespace pedro
