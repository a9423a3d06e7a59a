// Is llama.cpp of our opinion? Runs its own test-gbnf-validator on what we print. The path of the
// program is taken from PEDROCLI_GBNF_VALIDATOR; grammar/with-validator sets it.
#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "grammar/instance_maker.h"
#include "grammar/match.h"
#include "grammar/schema_cases.h"
#include "grammar/small_grammars.h"
#include "grammar/tool_calls.h"

namespace pedro {
namespace {

namespace fs = std::filesystem;

class LlamaValidator {
 public:
  LlamaValidator() {
    const char* path = std::getenv("PEDROCLI_GBNF_VALIDATOR");
    program_ = path ? path : "";
    if (program_.empty()) {
      std::fprintf(stderr,
                   "SKIPPED: llama.cpp's own grammar engine was not asked: set "
                   "PEDROCLI_GBNF_VALIDATOR to its test-gbnf-validator\n");
      return;
    }
    std::string name = (fs::temp_directory_path() / "pedro-gbnf-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    folder_ = name;
  }
  ~LlamaValidator() {
    if (!folder_.empty()) fs::remove_all(folder_);
  }
  LlamaValidator(const LlamaValidator&) = delete;
  LlamaValidator& operator=(const LlamaValidator&) = delete;

  bool there() const { return !program_.empty(); }

  void use(const std::string& grammar) { write("grammar", grammar); }

  // "valid", "invalid", or what it says where the grammar is not one.
  std::string judge(const std::string& text) {
    write("input", text);
    std::string said = run("'" + program_ + "' '" + (folder_ / "grammar").string() + "' '" +
                           (folder_ / "input").string() + "' 2>&1");
    if (said.starts_with("Input string is valid")) return "valid";
    if (said.starts_with("Input string is invalid")) return "invalid";
    return said;
  }

 private:
  void write(const char* name, const std::string& bytes) {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
  }

  static std::string run(const std::string& command) {
    std::FILE* pipe = popen(command.c_str(), "r");
    REQUIRE(pipe != nullptr);
    std::string out;
    char buffer[4096];
    while (const std::size_t got = std::fread(buffer, 1, sizeof buffer, pipe))
      out.append(buffer, got);
    pclose(pipe);
    return out;
  }

  std::string program_;
  fs::path folder_;
};

void check_agreement(LlamaValidator& llama, const Gbnf& grammar,
                     const std::vector<std::string>& texts) {
  llama.use(print(grammar));
  const auto compiled = Matcher::compile(grammar);
  REQUIRE(compiled.ok());
  for (const std::string& text : texts) {
    CAPTURE(text);
    Matcher matcher = *compiled;
    const auto taken = matcher.accept(text);
    REQUIRE(taken.ok());
    const bool fits = *taken == text.size() && matcher.is_complete();
    CHECK(llama.judge(text) == (fits ? "valid" : "invalid"));
  }
}

Schema schema_of(const std::string& text) {
  const auto schema = parse_schema(*parse_json(text), SchemaDialect::kClosed);
  REQUIRE(schema.ok());
  return *schema;
}

}  // namespace

TEST_CASE("llama.cpp agrees with the matcher on the cases of schemas") {
  LlamaValidator llama;
  if (!llama.there()) return;
  InstanceMaker maker(3);
  for (const SchemaCase& one : schema_cases()) {
    CAPTURE(one.name);
    std::vector<Loosened> loosened;
    const Gbnf grammar = grammar_of(one.schema, loosened);
    std::vector<std::string> texts;
    for (const auto& some : {one.accept, one.reject, one.valid, one.loose}) {
      texts.insert(texts.end(), some.begin(), some.end());
    }
    for (int i = 0; i < 3 && !one.accept.empty(); ++i) {
      const auto value = parse_json(maker.derived(grammar));
      REQUIRE(value.ok());
      texts.push_back(maker.written(i % 2 == 0 ? *value : maker.changed(*value)));
      texts.push_back(maker.derived(grammar));
    }
    check_agreement(llama, grammar, texts);
  }
}

TEST_CASE("llama.cpp agrees with the matcher on small grammars of every kind") {
  LlamaValidator llama;
  if (!llama.there()) return;
  for (const NamedGrammar& row : small_grammars()) {
    CAPTURE(row.name);
    check_agreement(llama, row.grammar, all_strings("abc", 2));
  }
}

TEST_CASE("llama.cpp reads every escape as it was meant") {
  LlamaValidator llama;
  if (!llama.there()) return;
  const std::string text = "\"\\/-[]^\n\r\t\x01\x7F' \xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80";
  check_agreement(llama, only(literal(text)), {text, text + "x", text.substr(1)});
  std::vector<CharRange> ranges;
  for (const char32_t at : {'"', '\\', '-', '[', ']', '^', '\n', '\t', '/'}) {
    ranges.push_back(CharRange{at, at});
  }
  ranges.push_back(CharRange{0xE9, 0xEB});
  ranges.push_back(CharRange{0x1F600, 0x1F64F});
  const std::vector<std::string> letters = {"\"",
                                            "\\",
                                            "-",
                                            "[",
                                            "]",
                                            "^",
                                            "\n",
                                            "\t",
                                            "/",
                                            "_",
                                            ".",
                                            "a",
                                            " ",
                                            "\xC3\xA9",
                                            "\xC3\xAC",
                                            "\xF0\x9F\x98\x80",
                                            "\xF0\x9F\x99\x90"};
  check_agreement(llama, only(one_of(ranges)), letters);
  check_agreement(llama, only(none_of(ranges)), letters);
  check_agreement(llama, only(none_of({})), letters);
}

TEST_CASE("llama.cpp takes a call of forty actions") {
  LlamaValidator llama;
  if (!llama.there()) return;
  std::vector<CallBranch> branches;
  for (int i = 0; i < 40; ++i) {
    const std::string action = "do_" + std::to_string(i);
    branches.push_back(CallBranch{
        "tool_" + std::to_string(i % 8), action,
        schema_of(R"({"type": "object", "properties": {"action": {"const": ")" + action +
                  R"("}, "text": {"type": "string", "maxLength": 1999}, "lines": {"type": "array",
                  "items": {"type": "integer", "minimum": 1}, "maxItems": 1500}},
                  "required": ["action"]})")});
  }
  const std::string args = R"("args": {"action": "do_13", "text": "x)" + std::string(1900, 'y');
  check_agreement(llama, tool_call_grammar(branches),
                  {"{\"tool\": \"tool_5\", " + args + "\", \"lines\": [1, 2,3]}}",
                   "{\"tool\": \"tool_4\", " + args + "\"}}",
                   "{\"tool\": \"tool_5\", \"args\": {\"action\":\"do_13\"}}"});
}

}  // namespace pedro
