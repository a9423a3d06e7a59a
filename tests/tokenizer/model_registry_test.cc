#include "tokenizer/model_registry.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "base/text.h"
#include "sys/file_system.h"

namespace pedro {
namespace {

// Prints "provider window 'vocabulary' family", then the optional fields.
std::string shown(const KnownModel* model) {
  if (model == nullptr) return "unknown";
  std::string text = fmt::format("{} {} '{}' {}", model->provider, model->window, model->vocabulary,
                                 model->family);
  if (model->estimate > 0) text += fmt::format(" \u2248{}", model->estimate);
  if (model->price_in) text += fmt::format(" {}/{}", *model->price_in, *model->price_out);
  return text;
}

std::string error_of(const char* document) {
  const auto registry = ModelRegistry::with(*parse_json(document));
  return registry ? "ok" : registry.error().message;
}

}  // namespace

TEST_CASE("model registry: the first row that fits") {
  struct Row {
    const char* name;
    const char* shown;
  };
  const Row rows[] = {
      {"gpt-4o", "openai 128000 'o200k_base' openai 2.5/10"},
      {"GPT-4o-mini-2024-07-18", "openai 128000 'o200k_base' openai 0.15/0.6"},
      {"gpt-4-0613", "openai 8192 'cl100k_base' openai 30/60"},
      {"openai/gpt-oss-20b", "openai 131072 'o200k_harmony' harmony"},
      {"models/Qwen2.5-Coder-7B-Q4_K_M.gguf", "local 32768 'qwen2.5' hermes"},
      {"Llama-3.1-8B", "local 131072 '' llama3"},
      {"claude-2.1", "anthropic 200000 'claude' anthropic 8/24"},
      {"claude-instant-1.2", "anthropic 100000 'claude' anthropic 0.8/2.4"},
      {"claude-3-5-sonnet-20241022", "anthropic 200000 'claude' anthropic \u22481.1 3/15"},
      {"claude-opus-4-20250514", "anthropic 200000 'claude' anthropic \u22481.1 15/75"},
      {"claude-opus-4-1", "anthropic 200000 'claude' anthropic \u22481.1 15/75"},
      {"claude-opus-4-5-20251101", "anthropic 200000 'claude' anthropic \u22481.1 5/25"},
      {"claude-sonnet-4-6", "anthropic 200000 'claude' anthropic \u22481.1 3/15"},
      {"anthropic/claude-opus-4.5:beta", "anthropic 200000 'claude' anthropic \u22481.1 5/25"},
      {"claude-opus-4.1", "anthropic 200000 'claude' anthropic \u22481.1 15/75"},
      {"claude-sonnet-4.5", "anthropic 200000 'claude' anthropic \u22481.1 3/15"},
      {"claude-haiku-4.5", "anthropic 200000 'claude' anthropic \u22481.1 1/5"},
      {"claude-3.5-sonnet", "anthropic 200000 'claude' anthropic \u22481.1 3/15"},
      {"claude-3.5-haiku", "anthropic 200000 'claude' anthropic \u22481.1 0.8/4"},
      {"claude-opus-4.7", "anthropic 200000 'claude' anthropic \u22481.485"},
      {"claude-opus-4-7", "anthropic 200000 'claude' anthropic \u22481.485"},
      {"claude-sonnet-5", "anthropic 200000 'claude' anthropic \u22481.485"},
      {"my-model", "unknown"},
      {"gpt-4o-2024-08-06", "openai 128000 'o200k_base' openai 2.5/10"},
      {"gpt-4-1106-preview", "openai 128000 'cl100k_base' openai 10/30"},
      {"gpt-35-turbo", "openai 16385 'cl100k_base' openai 0.5/1.5"},
      {"gpt-3.5-turbo-instruct", "openai 4096 'cl100k_base' openai 1.5/2"},
      {"text-davinci-003", "openai 4097 'p50k_base' openai 20/20"},
      {"text-davinci-001", "openai 2049 'r50k_base' openai 20/20"},
      {"ft:gpt-4o-mini-2024-07-18:house::a1", "openai 128000 'o200k_base' openai 0.3/1.2"},
      {"ft:gpt-3.5-turbo:house", "openai 16385 'cl100k_base' openai 3/6"},
      {"ft:o3-mini:house", "openai 200000 'o200k_base' openai 1.1/4.4"},
      {"davinci:ft-house-2023-01-01", "openai 2049 'r50k_base' openai"},
      {"ft:my-model:house", "unknown"},
      {"ft:", "unknown"},
      {"gemini-2.5-flash", "google 1048576 '' openai 0.3/2.5"},
      {"Meta-Llama-3-8B-Instruct-Q4_K_M.gguf", "local 8192 '' llama3"},
      {"gemma3:270m", "local 32768 '' gemma"},
      {"gemma-2-9b-it", "local 8192 '' gemma"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    CHECK(shown(ModelRegistry::builtin().model(row.name)) == row.shown);
  }
}

TEST_CASE("model registry: a model's sampling is the one its authors recommend") {
  const ModelRegistry& known = ModelRegistry::builtin();
  CHECK(to_line(known.model("Qwen3-Coder-30B-A3B-Instruct-Q4_K_M.gguf")->sampling) ==
        R"({"temperature":0.7,"top_p":0.8,"top_k":20,"repeat_penalty":1.05})");
  CHECK(known.model("qwen2.5-coder-1.5b-instruct-q4_k_m.gguf")->sampling.is_null());
}

TEST_CASE("model registry: OpenAI's names of models have the vocabularies of its tokenizer") {
  struct Row {
    const char* vocabulary;
    std::vector<const char*> names;
  };
  const Row rows[] = {
      {"o200k_base",
       {"o1", "o3", "o4-mini", "gpt-5", "gpt-4.5-preview", "gpt-4.1", "gpt-4o", "chatgpt-4o-latest",
        "o1-preview", "ft:gpt-4o:x", "ft:gpt-4.1:x"}},
      {"o200k_harmony", {"gpt-oss-20b", "gpt-oss-120b"}},
      {"cl100k_base",
       {"gpt-4", "gpt-4-0314", "gpt-3.5-turbo", "gpt-3.5", "gpt-35-turbo-16k", "davinci-002",
        "babbage-002", "text-embedding-ada-002", "text-embedding-3-small", "text-embedding-3-large",
        "ft:gpt-4:x", "ft:davinci-002:x", "ft:babbage-002:x"}},
      {"p50k_base",
       {"text-davinci-003", "text-davinci-002", "code-davinci-002", "code-davinci-001",
        "code-cushman-002", "code-cushman-001", "davinci-codex", "cushman-codex"}},
      {"p50k_edit", {"text-davinci-edit-001", "code-davinci-edit-001"}},
      {"r50k_base",
       {"text-davinci-001", "text-curie-001", "text-babbage-001", "text-ada-001", "davinci",
        "curie", "babbage", "ada", "text-similarity-davinci-001", "text-search-curie-doc-001",
        "code-search-babbage-code-001", "gpt2", "gpt-2"}},
  };
  for (const Row& row : rows) {
    for (const char* name : row.names) {
      CAPTURE(name);
      const KnownModel* model = ModelRegistry::builtin().model(name);
      REQUIRE(model != nullptr);
      CHECK(model->vocabulary == row.vocabulary);
      CHECK(model->window > 0);
    }
  }
}

TEST_CASE("model registry: a user's rows come first") {
  const auto registry = ModelRegistry::with(*parse_json(
      R"({"models": [{"pattern": "gpt-4o*", "provider": "mine", "window": 1, "vocabulary": "v",)"
      R"( "estimate": 1.5}], "vocabularies": [{"name": "v", "file": "/v.json"},)"
      R"( {"name": "qwen3", "file": "mine.json"}],)"
      R"( "fallback": {"vocabulary": "v", "estimate": 2}})"));
  REQUIRE(registry.ok());
  CHECK(shown(registry->model("gpt-4o-mini")) == "mine 1 'v'  \u22481.5");
  CHECK(source_of(*registry->model("gpt-4o-mini")) == "the configured row 'gpt-4o*'");
  CHECK(source_of(*registry->model("gpt-4.1")) == "the built-in row 'gpt-4.1*'");
  CHECK(shown(registry->model("gpt-4.1")) == shown(ModelRegistry::builtin().model("gpt-4.1")));
  CHECK(registry->vocabulary("v")->file == "/v.json");
  CHECK(registry->vocabulary("qwen3")->file == "mine.json");
  CHECK(registry->vocabulary("qwen3")->sha256 == "");
  CHECK(registry->vocabulary("cl100k_base")->rules.specials.size() == 5);
  CHECK(registry->fallback().vocabulary == "v");
  CHECK(ModelRegistry::builtin().fallback().vocabulary == "o200k_base");
}

TEST_CASE("model registry: reserved ids get names unless they have one, however many there are") {
  const auto registry = ModelRegistry::with(
      *parse_json(R"({"vocabularies": [{"name": "x", "file": "y", "specials": {"<a>": 7},)"
                  R"( "reserved": {"name": "<N>", "from": 6, "to": 1000000}}]})"));
  REQUIRE(registry.ok());
  const auto& specials = registry->vocabulary("x")->rules.specials;
  REQUIRE(specials.size() == 999'995);
  const auto shown_at = [&](std::size_t i) {
    return fmt::format("{} {}", specials[i].name, specials[i].id);
  };
  CHECK(shown_at(0) == "<a> 7");
  CHECK(shown_at(1) == "<6> 6");
  CHECK(shown_at(2) == "<8> 8");
  CHECK(shown_at(999'994) == "<1000000> 1000000");
}

TEST_CASE(
    "model registry: a size after a colon, as Ollama writes it, selects the row of the size") {
  const ModelRegistry& registry = ModelRegistry::builtin();
  for (const char* name : {"qwen2.5-coder:1.5b", "hf.co/Qwen/Qwen2.5-Coder-GGUF:1.5b-q4"}) {
    CHECK(registry.answers(name) == registry.answers("qwen2.5-coder-1.5b"));
  }
  CHECK(registry.answers("qwen2.5-coder:7b") == registry.answers("qwen2.5-coder-7b"));
  CHECK(registry.answers("qwen2.5-coder:7b") != registry.answers("qwen2.5-coder:1.5b"));
}

TEST_CASE("model registry: a row of answers fits the part of a name after the last '/', too") {
  const auto registry = ModelRegistry::with(
      *parse_json(R"({"answers": [{"pattern": "Qwen*", "tries": 3, "forms": ["edit"]},)"
                  R"( {"pattern": "org/*", "tries": 5, "forms": ["file"]}]})"));
  REQUIRE(registry.ok());
  CHECK(registry->answers("qwen3-4b")->tries == 3);
  CHECK(registry->answers("models/Qwen2.5-Coder-7B.gguf")->tries == 3);
  CHECK(registry->answers("org/other")->tries == 5);
  CHECK(registry->answers("a/org/other")->tries ==
        ModelRegistry::builtin().answers("other")->tries);
}

TEST_CASE("model registry: every vocabulary that a row names is there") {
  const ModelRegistry& registry = ModelRegistry::builtin();
  for (const KnownModel& model : registry.models()) {
    CAPTURE(model.pattern);
    CHECK((model.vocabulary.empty() || registry.vocabulary(model.vocabulary) != nullptr));
  }
  CHECK(registry.vocabulary(registry.fallback().vocabulary) != nullptr);
}

TEST_CASE("model registry: files are those that scripts/fetch-vocab brings") {
  const auto script = RealFileSystem().read(TEST_DATA "/../../scripts/fetch-vocab", 1u << 20);
  REQUIRE(script.ok());
  for (const KnownVocabulary& vocabulary : ModelRegistry::builtin().vocabularies()) {
    CAPTURE(vocabulary.name);
    bool found = false;
    for (const std::string_view line : split_lines(*script)) {
      found = found ||
              (line.starts_with(vocabulary.file + " ") && line.ends_with(" " + vocabulary.sha256));
    }
    CHECK(found);
  }
}

TEST_CASE("model registry: the rows that docs/tokens.md shows") {
  const auto page = RealFileSystem().read(TEST_DATA "/../../docs/tokens.md", 1u << 20);
  REQUIRE(page.ok());
  const std::size_t begin = page->find("```json\n") + 8;
  const auto rows =
      parse_json(std::string_view(*page).substr(begin, page->find("```", begin) - begin));
  REQUIRE(rows.ok());
  const auto registry = ModelRegistry::with(*rows);
  REQUIRE(registry.ok());
  CHECK(shown(registry->model("house-7b")) == "local 65536 'house-model' ");
  CHECK(registry->model("claude-x")->estimate == 1.3);
}

TEST_CASE("model registry: rows that are wrong name their place") {
  struct Row {
    const char* document;
    const char* error;
  };
  const Row rows[] = {
      {"[]", "/: expected an object"},
      {R"({"x": 1})", "/x: unknown key"},
      {R"({"models": 1})", "/models: expected an array"},
      {R"({"models": [1]})", "/models/0: expected an object"},
      {R"({"models": [{"provider": "x"}]})", "/models/0/pattern: expected a string"},
      {R"({"models": [{"pattern": "x", "provider": "y", "estimate": -1}]})",
       "/models/0/estimate: expected a number of at least 0"},
      {R"({"models": [{"pattern": "x", "provider": "y", "windw": 1}]})",
       "/models/0/windw: unknown key"},
      {R"({"models": [{"pattern": "x", "provider": "y", "sampling": 1}]})",
       "/models/0/sampling: expected an object"},
      {R"({"models": [{"pattern": "x", "provider": "y", "sampling": {"topp": 1}}]})",
       "/models/0/sampling/topp: unknown key"},
      {R"({"models": [{"pattern": "x", "provider": "y", "sampling": {"top_p": 2}}]})",
       "/models/0/sampling/top_p: expected a number from 0 to 1"},
      {R"({"vocabularies": [{"name": "x", "file": "y", "estimate": 1}]})",
       "/vocabularies/0/estimate: unknown key"},
      {R"({"vocabularies": [{"name": "x", "file": "y", "specials": {"a": -1}}]})",
       "/vocabularies/0/specials/a: expected a token's id"},
      {R"({"vocabularies": [{"name": "x", "file": "y",)"
       R"( "reserved": {"name": "<N>", "from": 2147483647, "to": 2147483648}}]})",
       "/vocabularies/0/reserved: expected a name with an N, from and to"},
      {R"({"vocabularies": [{"name": "x", "file": "y",)"
       R"( "reserved": {"name": "<N>", "from": 4294967296, "to": 4294967297}}]})",
       "/vocabularies/0/reserved: expected a name with an N, from and to"},
      {R"({"vocabularies": [{"name": "x", "file": "y",)"
       R"( "reserved": {"name": "<N>", "from": 2147483646, "to": 2147483647}}]})",
       "ok"},
      {R"({"fallback": 1})", "/fallback: expected an object"},
      {R"({"fallback": {}})", "/fallback/vocabulary: expected a string"},
      {R"({"fallback": {"vocabulary": "x", "y": 1}})", "/fallback/y: unknown key"},
  };
  for (const Row& row : rows) CHECK(error_of(row.document) == row.error);
}

TEST_CASE("model registry: names that are not known") {
  CHECK(ModelRegistry::builtin().unknown_model("claud").message ==
        "unknown model 'claud' (did you mean 'claude'?); name its vocabulary or a vocabulary file "
        "with -vocab, or use an estimate with -estimate");
  CHECK(ModelRegistry::builtin()
            .unknown_vocabulary("cl100k-base")
            .message.starts_with("unknown vocabulary 'cl100k-base' (did you mean 'cl100k_base'?); "
                                 "there are: cl100k_base, o200k_base, "));
}

}  // namespace pedro
