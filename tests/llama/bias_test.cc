// Tests biases of texts on a real llama-server whose model writes noise. The bias must raise the
// logit of an allowed token by its value. A token that is not allowed must not appear.
#include <doctest/doctest.h>

#include <cmath>

#include "base/utf8.h"
#include "llama/session.h"
#include "llm/llama_client.h"
#include "llm/token_bias.h"

namespace pedro {
namespace {

struct Server {
  Server() {
    const char* url = std::getenv("PEDROCLI_SERVER_URL");
    REQUIRE(url != nullptr);
    ServerOptions options;
    options.url = url;
    client.emplace(http, options, cancel);
    tokenizer.emplace(client->poster());
  }

  // The next token after a prompt, with the likeliest alternatives.
  Json next(const Json& biases, double temperature, const char* grammar = "") {
    const auto answer = client->post("/completion", {{"prompt", "The next word is"},
                                                     {"n_predict", 1},
                                                     {"temperature", temperature},
                                                     {"top_k", 0},
                                                     {"top_p", 1},
                                                     {"min_p", 0},
                                                     {"seed", 1},
                                                     {"n_probs", 5},
                                                     {"post_sampling_probs", true},
                                                     {"return_tokens", true},
                                                     {"grammar", grammar},
                                                     {"logit_bias", biases}});
    REQUIRE_MESSAGE(answer.ok(), answer.error().message);
    return *answer;
  }

  TokenId token_of(std::string_view text) {
    return tokenizer->encode(text, Specials::kNone)->front();
  }

  CancelToken cancel;
  CurlHttp http;
  std::optional<LlamaClient> client;
  std::optional<ServerTokenizer> tokenizer;
};

Json rows_of(std::string_view text, double bias, Tokenizer& tokenizer) {
  const BiasedText biased{std::string(text), bias};
  const auto found = find_biases({&biased, 1}, tokenizer);
  REQUIRE(found.ok());
  return *parse_json("[" + to_json_rows(token_biases(*found)) + "]");
}

// Returns 0 if the token is not among the likeliest.
double probability(const Json& answer, TokenId token) {
  const Json& places = member(answer, "completion_probabilities");
  REQUIRE(places.size() == 1);
  for (const Json& one : member(places[0], "top_probs")) {
    if (number_of(one, "id") == token) return real_of(one, "prob");
  }
  return 0;
}

}  // namespace

TEST_CASE("llama: a biased text becomes likelier by its bias") {
  Server server;
  const Json plain = server.next(Json::array(), 1);
  const Json& likeliest = member(member(plain, "completion_probabilities")[0], "top_probs");
  const TokenId first = static_cast<TokenId>(number_of(likeliest[0], "id"));
  int tried = 0;
  for (const Json& one : likeliest) {
    const TokenId token = static_cast<TokenId>(number_of(one, "id"));
    const std::string text(trim(text_of(one, "token")));
    if (token == first || text.empty() || !is_valid_utf8(text)) continue;
    const double before = real_of(one, "prob") / probability(plain, first);
    const Json biased = server.next(rows_of(text, 2, *server.tokenizer), 1);
    const double after = probability(biased, token) / probability(biased, first);
    MESSAGE(text, ": ", after / before, " times as likely beside the likeliest");
    CHECK(after / before == doctest::Approx(std::exp(2.0)).epsilon(0.02));
    ++tried;
  }
  CHECK(tried > 0);
}

TEST_CASE("llama: a bias works at temperature 0, and never beats a grammar") {
  Server server;
  const TokenId action = server.token_of("action");
  const Json rows = rows_of("action", 100, *server.tokenizer);
  const Json greedy = server.next(rows, 0);
  const TokenId chosen = member(greedy, "tokens")[0].get<TokenId>();
  CHECK((chosen == action || chosen == server.token_of(" action")));
  CHECK(text_of(server.next(rows, 0, "root ::= \"x\""), "content") == "x");
}

TEST_CASE("llama: a build looks its biases up and goes on") {
  Session session;
  session.folder.write("project/.pedrocli.json",
                       R"({"model": {"logit_bias": {"action": 5, "model*": {"path": 2}}}})");
  const ProcessResult result = session.pedrocli(
      {"build", "-issue", "7", "-allow-dirty", "-max-rounds", "2", "-debug=tokens"});
  CAPTURE(result.err);
  CHECK(result.exit_code == 6);
  CHECK(result.err.find("debug tokens: bias action 5: \"action\" ") != std::string::npos);
  CHECK(result.err.find("debug tokens: bias path 2: \"path\" ") != std::string::npos);
}

TEST_CASE("llama: a bias that is too large is refused before anything is done") {
  Session session;
  session.folder.write("project/.pedrocli.json", R"({"model": {"logit_bias": {"action": 15}}})");
  const ProcessResult result = session.pedrocli({"build", "-issue", "7", "-allow-dirty"});
  CHECK(result.exit_code == 3);
  CHECK(result.err.find(".pedrocli.json:1: model: logit_bias: 'action': 15 is further from 0 than "
                        "10: a model then repeats the text") != std::string::npos);
}

}  // namespace pedro
