#include "tokenizer/vocabulary_store.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "support/temp_folder.h"
#include "tokenizer/estimate_tokenizer.h"
#include "tokenizer/vocabulary_tokenizer.h"

namespace pedro {
namespace {

// A vocabulary of all bytes in GPT-2's notation, from '!' on, and then `token`.
std::string tokenizer_json(const std::string& token) {
  std::string vocab;
  std::vector<int> late;
  int id = 0;
  const auto add = [&](const std::string& text) {
    vocab += (id == 0 ? "\"" : ",\"") + text + "\":" + std::to_string(id);
    ++id;
  };
  for (int byte = 0; byte < 256; ++byte) {
    const bool early = (byte > 0x20 && byte < 0x7F) || (byte > 0xA0 && byte != 0xAD);
    std::string text;
    const int code = early ? byte : 0x100 + static_cast<int>(late.size());
    if (!early) late.push_back(byte);
    if (code < 0x80) {
      if (code == '"' || code == '\\') text += '\\';
      text += static_cast<char>(code);
    } else {
      text += static_cast<char>(0xC0 | code >> 6);
      text += static_cast<char>(0x80 | (code & 0x3F));
    }
    add(text);
  }
  add(token);
  return "{\"pre_tokenizer\": {\"type\": \"ByteLevel\", \"add_prefix_space\": false}, \"model\": "
         "{\"vocab\": {" +
         vocab + "}, \"merges\": [\"" + token.substr(0, 1) + " " + token.substr(1) + "\"]}}";
}

/// A store with an empty cache, a folder for added vocabularies, and one with files.
struct World {
  TempFolder folder;
  RealFileSystem files;
  ModelRegistry registry = ModelRegistry::builtin();

  VocabularyStore store() {
    return {files, {folder.at("cache"), {folder.at("added"), folder.at("files")}}, registry};
  }
  // Returns the ids of the text, separated by blanks, or the error.
  std::string ids(const std::string& name, const std::string& text) {
    auto vocabulary = store().open(name);
    if (!vocabulary) return vocabulary.error().message;
    auto tokenizer = VocabularyTokenizer::create(*std::move(vocabulary));
    REQUIRE(tokenizer.ok());
    std::string out;
    const auto ids = (*tokenizer)->encode(text, Specials::kNone);
    REQUIRE(ids.ok());
    for (const TokenId id : *ids) {
      out += (out.empty() ? "" : " ") + std::to_string(id);
    }
    return out;
  }
  std::size_t cached() {
    const auto entries = files.list(folder.at("cache"));
    return entries ? entries->size() : 0;
  }
};

std::string message_of(const Status& status) {
  return status ? "ok" : status.error().message;
}

void overwrite(const std::string& path, std::uintmax_t at, char byte) {
  std::FILE* file = std::fopen(path.c_str(), "r+b");
  REQUIRE(file != nullptr);
  REQUIRE(std::fseek(file, static_cast<long>(at), SEEK_SET) == 0);
  std::fputc(byte, file);
  std::fclose(file);
}

}  // namespace

TEST_CASE("vocabulary store: a file by its path, compiled once") {
  World world;
  world.folder.write("x.json", tokenizer_json("ab"));
  const std::string path = world.folder.at("x.json");
  CHECK(world.ids(path, "ab") == "256");
  CHECK(world.cached() == 1);
  CHECK(world.ids(path, "ab") == "256");
  CHECK(world.cached() == 1);
  world.folder.write("x.json", tokenizer_json("ba") + " ");
  CHECK(world.ids(path, "ba") == "256");
}

TEST_CASE("vocabulary store: an added vocabulary is found by name, before the registry's files") {
  World world;
  world.folder.write("x.json", tokenizer_json("ab"));
  world.folder.write("files/qwen3.json", tokenizer_json("ba"));
  CHECK(world.ids("qwen3", "ba") == "256");
  CHECK(world.ids("mine", "ab").starts_with("unknown vocabulary 'mine'"));
  VocabularyStore store = world.store();
  REQUIRE(store.add(world.folder.at("x.json"), "mine", world.folder.at("added")).ok());
  REQUIRE(store.add(world.folder.at("x.json"), "qwen3", world.folder.at("added")).ok());
  std::filesystem::remove(world.folder.at("x.json"));
  CHECK(world.ids("mine", "ab") == "256");
  CHECK(world.ids("qwen3", "ab") == "256");
  CHECK(store.find("mine")->path == world.folder.at("added/mine.pvoc"));
  CHECK(store.find("mine")->compiled);
  const auto all = store.list();
  CHECK(all.size() == world.registry.vocabularies().size() + 1);
  CHECK(all.front().name == "cl100k_base");
  CHECK(all.front().path == "");
  CHECK(all.back().name == "mine");
  CHECK(store.compiled(all.back())->size() == 257);
  CHECK_FALSE(store.compiled(all.front()).has_value());
}

TEST_CASE("vocabulary store: a row with a path comes before added vocabularies") {
  World world;
  world.folder.write("x.json", tokenizer_json("ab"));
  world.folder.write("y.json", tokenizer_json("ba"));
  REQUIRE(world.store().add(world.folder.at("x.json"), "mine", world.folder.at("added")).ok());
  const Json row = {{"name", "mine"}, {"file", world.folder.at("y.json")}};
  world.registry = *ModelRegistry::with({{"vocabularies", Json::array({row})}});
  CHECK(world.ids("mine", "ba") == "256");
  std::filesystem::remove(world.folder.at("y.json"));
  CHECK(world.ids("mine", "ba") ==
        "the vocabulary 'mine' is not installed: there is no " + world.folder.at("y.json"));
}

TEST_CASE("vocabulary store: fidelity is asked for, whatever was compiled") {
  World world;
  world.folder.write("x.json", tokenizer_json("ab"));
  REQUIRE(world.store().add(world.folder.at("x.json"), "mine", world.folder.at("added")).ok());
  CHECK(world.store().open("mine")->facts().fidelity == Fidelity::kReference);
  CHECK(world.store().open("mine", Fidelity::kLlamaCpp)->facts().fidelity == Fidelity::kLlamaCpp);
}

TEST_CASE("vocabulary store: invalid names and invalid files") {
  World world;
  world.folder.write("x.json", tokenizer_json("ab"));
  world.folder.write("bad.json", "{}");
  VocabularyStore store = world.store();
  for (const char* name : {"", "a b", "../x", ".x", "-x", "a/b"}) {
    CAPTURE(name);
    CHECK_FALSE(is_vocabulary_name(name));
    const auto added = store.add(world.folder.at("x.json"), name, world.folder.at("added"));
    REQUIRE_FALSE(added.ok());
    CHECK(
        added.error().message.starts_with("'" + std::string(name) + "' is not a vocabulary name"));
  }
  CHECK_FALSE(is_vocabulary_name(std::string(65, 'a')));
  CHECK(is_vocabulary_name("Qwen2.5_7-b"));
  const auto bad = store.add(world.folder.at("bad.json"), "bad", world.folder.at("added"));
  REQUIRE_FALSE(bad.ok());
  CHECK(bad.error().message.starts_with(world.folder.at("bad.json") + ": JSON, but neither"));
  CHECK_FALSE(store.find("bad").has_value());
}

TEST_CASE("vocabulary store: verify finds damaged and replaced files") {
  World world;
  world.folder.write("x.json", tokenizer_json("ab"));
  world.folder.write("files/qwen3.json", tokenizer_json("ab"));
  VocabularyStore store = world.store();
  REQUIRE(store.add(world.folder.at("x.json"), "mine", world.folder.at("added")).ok());
  CHECK(message_of(store.verify(*store.find("mine"))) == "ok");
  CHECK(message_of(store.verify({"nothing", "", false})) == "it does not exist");
  CHECK(message_of(store.verify(*store.find("qwen3"))) ==
        world.folder.at("files/qwen3.json") + " is not the published file: its SHA-256 differs");

  const std::string block = world.folder.at("added/mine.pvoc");
  overwrite(block, std::filesystem::file_size(block) / 2, '\x55');
  CHECK(message_of(store.verify(*store.find("mine"))) == block + " is damaged");
  CHECK(world.ids("mine", "ab") ==
        block + " is damaged; `pedrocli vocab add FILE -name mine` rebuilds it");
}

TEST_CASE("vocabulary store: verify compares the cache with the file") {
  World world;
  world.folder.write("x.json", tokenizer_json("ab"));
  const Json row = {{"name", "mine"}, {"file", world.folder.at("x.json")}};
  world.registry = *ModelRegistry::with({{"vocabularies", Json::array({row})}});
  VocabularyStore store = world.store();
  const StoredVocabulary mine = *store.find("mine");
  REQUIRE(store.open("mine").ok());
  CHECK(message_of(store.verify(mine)) == "ok");
  CHECK(store.sweep_cache().empty());

  // Changes the vocabulary but keeps its identity: the file's time stamp does not show the change.
  const auto times = std::filesystem::last_write_time(world.folder.at("x.json"));
  world.folder.write("x.json", tokenizer_json("He"));
  std::filesystem::last_write_time(world.folder.at("x.json"), times);
  const std::string why = message_of(store.verify(mine));
  CHECK(why.find(" gives different ids than its source " + world.folder.at("x.json")) !=
        std::string::npos);

  const auto cached = world.files.list(world.folder.at("cache"));
  const std::string block = world.folder.at("cache/" + cached->front().name);
  std::filesystem::resize_file(block, 100);
  CHECK(store.sweep_cache() ==
        std::vector<std::string>{block + " is too short for a compiled vocabulary"});
  CHECK(world.files.info(block).kind == FileKind::kMissing);
}

TEST_CASE("estimate tokenizer: another vocabulary's counts, times a factor") {
  World world;
  world.folder.write("x.json", tokenizer_json("ab"));
  auto tokenizer = VocabularyTokenizer::create(*world.store().open(world.folder.at("x.json")));
  REQUIRE(tokenizer.ok());
  EstimateTokenizer estimate(*std::move(tokenizer), 1.1);
  CHECK_FALSE(estimate.is_exact());
  CHECK(estimate.provider_name() == "x \u00D7 1.1");
  CHECK(*estimate.count("", Specials::kNone) == 0);
  CHECK(*estimate.count("cccccccccc", Specials::kNone) == 11);
  CHECK(estimate.estimate_of(1000) == 1100);
  CHECK(*estimate.encode("ab", Specials::kNone) == std::vector<TokenId>{256});
  CHECK(*estimate.decode({256}) == "ab");
}

}  // namespace pedro
