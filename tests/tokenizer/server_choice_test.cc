#include "tokenizer/server_choice.h"

#include <doctest/doctest.h>

#include "support/fake_tokenize.h"
#include "support/temp_folder.h"
#include "tokenizer/small_vocabulary.h"
#include "tokenizer/token_probe.h"
#include "tokenizer/vocabulary_readers.h"

namespace pedro {
namespace {

VocabularySource source_of(const std::string& gguf) {
  auto source = read_gguf_vocabulary(*GgufFile::open(gguf));
  REQUIRE(source.ok());
  return *source;
}

// A server with one vocabulary, and folders that may contain others.
struct Bench {
  explicit Bench(const std::string& served) : fake(source_of(served)) {}

  Result<ServerChoice> choose(const ServedModel& model) {
    const Json rows = {{"vocabularies",
                        {{{"name", "small"}, {"file", "small.gguf"}},
                         {{"name", "guess"}, {"file", "small.gguf"}}}},
                       {"models",
                        {{{"pattern", "tiny-*"}, {"provider", "local"}, {"vocabulary", "small"}},
                         {{"pattern", "odd-*"},
                          {"provider", "local"},
                          {"vocabulary", "guess"},
                          {"estimate", 1.1}}}}};
    const auto registry = ModelRegistry::with(rows);
    REQUIRE(registry.ok());
    VocabularyStore store(files, {"", {folder.at("installed")}}, *registry);
    return choose_tokenizer(model, store,
                            std::make_unique<ServerTokenizer>(
                                [this](auto& path, auto& body) { return fake(path, body); }));
  }

  // "NAME: why", without the path of the temporary folder.
  std::string chosen(const ServedModel& model) {
    const auto choice = choose(model);
    if (!choice) return choice.error().message;
    CHECK((choice->local == nullptr) == (choice->tokenizer->provider_name() == "server"));
    std::string why = choice->why;
    for (std::size_t at; (at = why.find(folder.path())) != std::string::npos;) {
      why.erase(at, folder.path().size());
    }
    return choice->tokenizer->provider_name() + (choice->mismatch ? "!" : "") + ": " + why;
  }

  TempFolder folder;
  RealFileSystem files;
  FakeTokenize fake;
};

const std::string kTemplate = "<s>{{ message }}<|im_end|>";

}  // namespace

TEST_CASE("server choice: the model's own file, checked in three requests") {
  const std::string gguf = small_gguf({"ab", "abc"});
  Bench bench(gguf);
  const std::string path = bench.folder.write("models/model.gguf", gguf);
  CHECK(bench.chosen({path, "any", kTemplate}) ==
        "model: the model's file /models/model.gguf, checked: the server has the same ids for 50 "
        "texts");
  CHECK(bench.fake.requests.size() == 3);
  CHECK(bench.fake.requests[0].find(R"(-1,"<s>{{ message }}<|im_end|>"],"parse_special":false)") !=
        std::string::npos);
}

TEST_CASE("server choice: a long chat template ends with a whole character") {
  const std::string gguf = small_gguf({"ab"});
  Bench bench(gguf);
  const std::string path = bench.folder.write("model.gguf", gguf);
  std::string sent = "x";
  for (int i = 0; i < 131'071; ++i) sent += "\u00E9";  // one byte less than the limit
  CHECK(bench.chosen({path, "any", sent + "\u00E9\u00E9"}).starts_with("model: "));
  REQUIRE_FALSE(bench.fake.requests.empty());
  CHECK(bench.fake.requests[0].find("-1,\"" + sent + "\"],\"parse_special\":false") !=
        std::string::npos);
}

TEST_CASE("server choice: another vocabulary at the same path is found out") {
  Bench bench(small_gguf({"th", "the"}));
  const std::string path = bench.folder.write("model.gguf", small_gguf({"th", "thi"}));
  CHECK(bench.chosen({path, "any", kTemplate}) ==
        "server!: the server itself: the model's file /model.gguf has different ids: in the probe "
        "text 'letters', special tokens off, at byte 31, \"the\": the server has 257:\"the\", it "
        "has 256:\"th\" 101:\"e\"");
}

TEST_CASE("server choice: one token's text, one control token, the start of prompts") {
  const std::string served = small_gguf({"th", "the"});
  // Copies the file with one replacement.
  const auto with = [&served](std::string_view old, std::string_view fresh) {
    std::string file = served;
    const std::size_t at = file.find(old);
    REQUIRE(at != std::string::npos);
    return file.replace(at, old.size(), fresh);
  };
  struct Row {
    const char* name;
    std::string file;
    const char* expected;
  };
  for (const Row& row : {
           Row{"a control token of another name", with("<|im_end|>", "<|im_fin|>"),
               "in the probe text 'control tokens', special tokens on, at byte 147, "
               "\"<|im_end|>\": the server has 260:\"<|im_end|>\", it has "},
           Row{"no token at the start", with("add_bos_token", "xdd_bos_token"),
               "in the probe text 'the start of a prompt', special tokens on, at byte 0, \"<s>\": "
               "the server has 259:\"<s>\", it has nothing"},
       }) {
    CAPTURE(row.name);
    Bench bench(served);
    const std::string path = bench.folder.write("model.gguf", row.file);
    const std::string chosen = bench.chosen({path, "any", ""});
    CAPTURE(chosen);
    CHECK(chosen.starts_with("server!: the server itself: "));
    CHECK(chosen.find(row.expected) != std::string::npos);
  }
}

TEST_CASE("server choice: an installed vocabulary, by the model's name or its file's") {
  const std::string gguf = small_gguf({"ab"});
  Bench bench(gguf);
  const std::string checked =
      "small: the vocabulary 'small' of models like 'tiny-*', checked: the server has the same ids "
      "for 50 texts";
  CHECK(
      bench.chosen({"/far/away.gguf", "tiny-7b", ""}) ==
      "server: the server itself: there is no file /far/away.gguf here; the vocabulary 'small' is "
      "not installed: there is no small.gguf in /installed");
  bench.folder.write("installed/small.gguf", gguf);
  CHECK(bench.chosen({"/far/away.gguf", "tiny-7b", ""}) == checked);
  CHECK(bench.chosen({"/far/TINY-7b.gguf", "unheard-of", ""}) == checked);
  CHECK(bench.chosen({"", "tiny-7b", ""}) == checked);
}

TEST_CASE("server choice: the server itself, if nothing else is known") {
  const std::string gguf = small_gguf({"ab"});
  Bench bench(gguf);
  bench.folder.write("installed/small.gguf", gguf);
  CHECK(bench.chosen({"/far/model.gguf", "unheard-of", ""}) ==
        "server: the server itself: there is no file /far/model.gguf here; no vocabulary is known "
        "for a model 'unheard-of'");
  // A name of a vocabulary is not accepted as a path. Estimates do not count.
  CHECK(bench.chosen({"small", "odd-1", ""}) ==
        "server: the server itself: there is no file small here; no vocabulary is known for a "
        "model 'odd-1'");
  const std::string broken = bench.folder.write("broken.gguf", "GGUF");
  const std::string chosen = bench.chosen({broken, "", ""});
  CHECK(chosen.starts_with("server: the server itself: /broken.gguf: "));
  CHECK(bench.fake.requests.empty());
}

TEST_CASE("server choice: a server that does not answer is an error") {
  Bench bench(small_gguf({"ab"}));
  const std::string path = bench.folder.write("model.gguf", small_gguf({"ab"}));
  VocabularyStore store(bench.files, {}, ModelRegistry::builtin());
  const auto choice = choose_tokenizer(
      {path, "", ""}, store,
      std::make_unique<ServerTokenizer>([](const std::string&, const Json&) -> Result<Json> {
        return Error{ErrorKind::kModel, "no"};
      }));
  REQUIRE_FALSE(choice.ok());
  CHECK(choice.error().message == "no");
}

TEST_CASE("token probe: a token that no text of the probe has") {
  const std::string served = small_gguf({"ab", "abq", "abqz"});
  Bench bench(served);
  const auto probe = [&](const std::string& gguf) {
    auto vocabulary = Vocabulary::compile(source_of(gguf));
    REQUIRE(vocabulary.ok());
    const auto ours = VocabularyTokenizer::create(*std::move(vocabulary));
    ServerTokenizer server([&](auto& path, auto& body) { return bench.fake(path, body); });
    const auto result = probe_tokens(**ours, server);
    REQUIRE(result.ok());
    CHECK(probe_vocabulary(**ours, server, "")->mismatch.has_value() == false);
    return result->mismatch ? result->mismatch->to_text("it") : std::to_string(result->texts);
  };
  CHECK(probe(served) == "131");  // without 128 single bytes, which are not UTF-8
  CHECK(
      probe(small_gguf({"ab", "abq", "abqx"})) ==
      "in the probe text 'a token of its own', special tokens off, at byte 0, \"abqx\": the server "
      "has 257:\"abq\" 120:\"x\", it has 258:\"abqx\"");
}

}  // namespace pedro
