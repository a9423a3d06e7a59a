// Tests our grammars on a real llama-server whose model writes noise. Each output must end by
// itself, be JSON and be valid. For longer runs by hand see grammar_soak.cc.
#include <doctest/doctest.h>

#include <cstdlib>

#include "call_parser/call_syntax.h"
#include "chat_format/format_family.h"
#include "json_schema/validate.h"
#include "llama/build_phases.h"
#include "llama/output_source.h"
#include "llama/short_calls.h"
#include "llm/llama_client.h"
#include "llm/served_format.h"
#include "schema_to_gbnf/schema_cases.h"
#include "tokenizer/server_tokenizer.h"

namespace pedro {
namespace {

OutputSource open_source() {
  const char* url = std::getenv("PEDROCLI_SERVER_URL");
  REQUIRE(url != nullptr);
  return OutputSource(url);
}

}  // namespace

TEST_CASE("llama: calls of families, in JSON followed by texts, and in tags") {
  const auto build = BuildPhases::load();
  REQUIRE(build.ok());
  OutputSource source = open_source();
  REQUIRE(source.open().ok());
  CurlHttp http;
  CancelToken cancel;
  ServerOptions options;
  options.url = std::getenv("PEDROCLI_SERVER_URL");
  LlamaClient client(http, options, cancel);
  ServerTokenizer tokenizer(client.poster());
  int with_texts = 0;
  for (const char* name : {"hermes", "qwen3-coder", "generic"}) {
    CAPTURE(name);
    ChosenFormat chosen;
    chosen.family = **find_format(name);
    chosen.syntax = call_syntax_of(name);
    auto format = ServedFormat::open(chosen, tokenizer, nullptr, "", "<|endoftext|>");
    REQUIRE(format.ok());
    for (unsigned seed = 1; seed <= 10; ++seed) {
      const std::size_t phase = seed % build->phases().size();
      CAPTURE(build->phases()[phase].name);
      CAPTURE(seed);
      ShortCalls calls(*build, phase, Bodies::kRaw);
      if (seed > 5) calls.keep_those_with_texts();
      const auto output =
          source.next({.constraint = format->grammar(calls.branches).text, .seed = seed});
      REQUIRE(output.ok());
      CAPTURE(output->text);
      REQUIRE(output->status == 200);
      CHECK(output->ended);
      const std::string reply = format->whole_call(format->lead(), output->text, StopReason::kEnd);
      const auto parts = format->read(reply, calls.branches);
      REQUIRE(parts.size() == 1);
      const auto* call = std::get_if<ParsedCall>(&parts[0]);
      REQUIRE(call != nullptr);
      CHECK(calls.check(*call) == "");
      with_texts += format->end_of_call(output->text) == ReplyEnd::kByModel;
    }
  }
  MESSAGE(with_texts, " of 20 calls in JSON had texts behind them");
  CHECK(with_texts > 0);
}

TEST_CASE("llama: in every phase of a build, whatever is written is a valid call") {
  const auto build = BuildPhases::load();
  REQUIRE_MESSAGE(build.ok(), (build.ok() ? "" : build.error().message));
  OutputSource source = open_source();
  REQUIRE(source.open().ok());
  for (std::size_t phase = 0; phase < build->phases().size(); ++phase) {
    CAPTURE(build->phases()[phase].name);
    for (const unsigned seed : {1U, 2U}) {
      CAPTURE(seed);
      const auto output = source.next({.constraint = build->grammar(phase), .seed = seed});
      REQUIRE(output.ok());
      CAPTURE(output->text);
      REQUIRE(output->status == 200);
      CHECK(output->ended);
      CHECK(build->check_reply(phase, output->text).empty());
    }
  }
}

TEST_CASE("llama: whatever is written under the grammar of a schema is valid") {
  OutputSource source = open_source();
  REQUIRE(source.open().ok());
  int cut = 0;  // random weights may add undeclared members until the limit
  for (const SchemaCase& one : schema_cases()) {
    if (one.name.substr(0, 3).back() != '3' || !one.loose.empty() || one.accept.empty()) continue;
    CAPTURE(one.name);
    std::vector<Loosened> loosened;
    const std::string grammar = print(grammar_of(one.schema, loosened));
    const auto output = source.next({.constraint = grammar, .seed = 3});
    REQUIRE(output.ok());
    CAPTURE(output->text);
    REQUIRE(output->status == 200);
    if (!output->ended) {
      ++cut;
      continue;
    }
    const auto value = parse_json(output->text);
    REQUIRE(value.ok());
    CHECK_FALSE(validate(one.schema, *value));
  }
  CHECK(cut <= 2);
}

}  // namespace pedro
