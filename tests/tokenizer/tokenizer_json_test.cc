#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <string_view>

#include "tokenizer/source_text.h"
#include "tokenizer/vocabulary_readers.h"

namespace pedro {
namespace {

constexpr std::string_view kByteLevel =
    R"({"type": "ByteLevel", "add_prefix_space": false, "use_regex": false})";

/// The parts of a file as JSON texts; empty ones are omitted.
struct File {
  std::string model;
  std::string pre_tokenizer = std::string(kByteLevel);
  std::string normalizer = {};
  std::string added_tokens = {};
  std::string decoder = {};
  std::string post_processor = {};
};

std::string read_json(const File& file) {
  std::string json = "{\"version\": \"1.0\"";
  const auto add = [&json](std::string_view name, const std::string& value) {
    if (!value.empty()) json += fmt::format(",\n\"{}\": {}", name, value);
  };
  add("model", file.model);
  add("pre_tokenizer", file.pre_tokenizer);
  add("normalizer", file.normalizer);
  add("added_tokens", file.added_tokens);
  add("decoder", file.decoder);
  add("post_processor", file.post_processor);
  return to_text(read_tokenizer_json(json + "\n}"));
}

// A model with the tokens a, b and ab, and more members.
std::string small_model(std::string_view more = "") {
  return fmt::format(
      R"({{"type": "BPE", "vocab": {{"a": 0, "b": 1, "ab": 2}}, "merges": ["a b"]{}}})", more);
}

constexpr std::string_view kSmall = "0 normal 'a'\n1 normal 'b'\n2 normal 'ab'\n0 + 1 = 2\n";

// Returns the first line of the result for a file with this pre-tokenizer.
std::string cut_by(const std::string& pre_tokenizer) {
  const std::string text = read_json(
      {.model = small_model(R"(, "byte_fallback": true)"), .pre_tokenizer = pre_tokenizer});
  return text.substr(0, text.find('\n'));
}

}  // namespace

TEST_CASE("tokenizer.json: bytes") {
  CHECK(
      read_json({.model = R"({"type": "BPE", "dropout": null, "unk_token": null, "fuse_unk": false,
                "continuing_subword_prefix": "", "end_of_word_suffix": null, "ignore_merges": true,
                "merges": ["Ġ a", ["a", "b"], "Ġa b"],
                "vocab": {"ab": 3, "a": 0, "Ġ": 1, "b": 2, "\u0120a": 4, "Ġab": 5, "x\u2581": 6}})",
                 .normalizer = R"({"type": "NFC"})",
                 .added_tokens = R"([{"id": 7, "content": "<s>", "special": true, "lstrip": true},
                {"id": 8, "content": "Ġ x", "special": false, "normalized": true},
                {"id": 2, "content": "b", "special": false}])",
                 .decoder = R"({"type": "ByteLevel"})"}) ==
      "bytes reference by none ignore_merges nfc\n"
      "0 normal 'a'\n1 normal ' '\n2 user 'b'\n3 normal 'ab'\n4 normal ' a'\n5 normal ' ab'\n"
      "6 normal 'x\u2581'\n7 control '<s>'\n8 user 'Ġ x'\n"
      "1 + 0 = 4\n0 + 2 = 3\n4 + 2 = 5\n");
}

TEST_CASE("tokenizer.json: characters, as of Llama 2 and Gemma") {
  CHECK(read_json({.model = R"({"type": "BPE", "byte_fallback": true, "unk_token": "<unk>",
                "vocab": {"<unk>": 0, "<s>": 1, "<0x0A>": 2, "▁": 3, "a": 4, "▁a": 5},
                "merges": ["▁ a"]})",
                   .pre_tokenizer = "null",
                   .normalizer = R"({"type": "Sequence", "normalizers": [
                {"type": "Prepend", "prepend": "▁"},
                {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]})",
                   .added_tokens = R"([{"id": 1, "content": "<s>", "special": true}])",
                   .decoder = R"({"type": "Sequence", "decoders": [{"type": "Fuse"}]})",
                   .post_processor = R"({"type": "TemplateProcessing",
                "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}},
                           {"Sequence": {"id": "A", "type_id": 0}}]})"}) ==
        "characters reference by none space_prefix escape_spaces bos=1+ unknown=0\n"
        "0 unknown '<unk>'\n1 control '<s>'\n2 byte '\\x0a'\n3 normal '▁'\n4 normal 'a'\n"
        "5 normal '▁a'\n3 + 4 = 5\n");
}

TEST_CASE("tokenizer.json: of merges of the same tokens the last counts") {
  CHECK(read_json({.model = R"({"type": "BPE", "vocab": {"a": 0, "aa": 1, "aaa": 2},
                "merges": ["a a", "aa a", "a a"]})"}) ==
        "bytes reference by none\n0 normal 'a'\n1 normal 'aa'\n2 normal 'aaa'\n"
        "1 + 0 = 2\n0 + 0 = 1\n");
}

TEST_CASE("tokenizer.json: how text is cut") {
  struct Row {
    const char* pre_tokenizer;
    std::string settings;
  };
  const Row rows[] = {
      {"null", "characters reference by none"},
      {R"({"type": "ByteLevel", "add_prefix_space": false})", "bytes reference by gpt2"},
      {R"({"type": "ByteLevel", "add_prefix_space": false, "use_regex": false})",
       "bytes reference by none"},
      {R"({"type": "Sequence", "pretokenizers": [{"type": "Digits", "individual_digits": true},
           {"type": "ByteLevel", "add_prefix_space": false, "use_regex": true}]})",
       "bytes reference by starcoder"},
      {R"({"type": "Sequence", "pretokenizers": [{"type": "Digits"},
           {"type": "Punctuation"}, {"type": "Punctuation", "behavior": "Contiguous"},
           {"type": "Split", "pattern": {"String": "a.b"}, "behavior": "Isolated"},
           {"type": "Split", "pattern": {"Regex": "x+"}, "behavior": "Isolated", "invert": true},
           {"type": "ByteLevel", "add_prefix_space": false, "use_regex": false}]})",
       R"(bytes reference /\p{N}+/ /[\p{P}!-/:-@\[-`{-~]/ /[\p{P}!-/:-@\[-`{-~]+/ /a\.b/ /x+/)"},
      {R"({"type": "Split", "behavior": "Removed", "invert": true, "pattern": {"Regex":
           "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+"}})",
       "characters reference by gpt2"},
      {R"({"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first", "split": false})",
       "characters reference by none space_prefix escape_spaces"},
      {R"({"type": "Metaspace", "prepend_scheme": "never"})",
       "characters reference /[ ▁][^ ▁]*|[^ ▁]+/ escape_spaces"},
      {R"({"type": "Metaspace", "add_prefix_space": false, "split": false})",
       "characters reference by none escape_spaces"},
      {R"({"type": "Metaspace", "add_prefix_space": true, "split": false})",
       "characters reference by none space_prefix escape_spaces"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.pre_tokenizer);
    CHECK(cut_by(row.pre_tokenizer) == row.settings);
  }
  // The normalizer has already replaced the spaces, so the pre-tokenizer finds none.
  CHECK(read_json(
            {.model = small_model(R"(, "byte_fallback": true)"),
             .pre_tokenizer = R"({"type": "Split", "pattern": {"String": " "},
                "behavior": "MergedWithPrevious", "invert": false})",
             .normalizer = R"({"type": "Replace", "pattern": {"String": " "}, "content": "▁"})"}) ==
        "characters reference by none escape_spaces\n" + std::string(kSmall));
}

TEST_CASE("tokenizer.json: the tokens around a prompt") {
  const auto framed = [](const std::string& post_processor) {
    const std::string text = read_json({.model = small_model(), .post_processor = post_processor});
    return text.substr(0, text.find('\n'));
  };
  CHECK(framed("null") == "bytes reference by none");
  CHECK(framed(R"({"type": "ByteLevel"})") == "bytes reference by none");
  CHECK(framed(R"({"type": "RobertaProcessing", "sep": ["b", 1], "cls": ["a", 0]})") ==
        "bytes reference by none bos=0+ eos=1+");
  CHECK(framed(R"({"type": "Sequence", "processors": [{"type": "ByteLevel"},
    {"type": "TemplateProcessing", "single": [{"Sequence": {"id": "A"}},
      {"SpecialToken": {"id": "ab"}}]}]})") == "bytes reference by none eos=2+");
  CHECK(framed(R"({"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "x"}}]})") ==
        "/post_processor: 'x' is not in the vocabulary");
  CHECK(framed(R"({"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "a"}},
    {"SpecialToken": {"id": "b"}}]})") ==
        "/post_processor/single: more than one token on a side of the text");
  CHECK(framed(R"({"type": "Sequence", "processors": [{"type": "New"}]})") ==
        "/post_processor/processors/0/type: 'New' is not supported");
}

TEST_CASE("tokenizer.json: rules that cannot be followed are named") {
  struct Row {
    File file;
    std::string error;
  };
  const auto cut = [](const char* pre) {
    return File{.model = small_model(), .pre_tokenizer = pre};
  };
  const auto normalized = [](const char* normalizer) {
    return File{.model = small_model(), .normalizer = normalizer};
  };
  const Row rows[] = {
      {cut(R"({"type": "Whitespace"})"), "/pre_tokenizer/type: 'Whitespace' is not supported"},
      {cut(R"({"type": "Sequence", "pretokenizers": [{"type": "Digits"}, 5]})"),
       "/pre_tokenizer/pretokenizers/1/type: '' is not supported"},
      {cut(R"({"type": "Sequence", "pretokenizers": {"a": {}}})"),
       "/pre_tokenizer/pretokenizers: expected an array"},
      {cut(R"({"type": "Split", "behavior": "Isolated"})"),
       R"(/pre_tokenizer/pattern: expected {"Regex": ...} or {"String": ...})"},
      {cut(R"({"type": "Split", "pattern": {"String": " "}, "behavior": "MergedWithPrevious"})"),
       "/pre_tokenizer/behavior: 'MergedWithPrevious' is not supported, only 'Isolated'"},
      {cut(R"({"type": "Split", "pattern": {"Regex": "a"}, "behavior": "Removed", "invert": true})"),
       "/pre_tokenizer/behavior: 'Removed' with 'invert' is not supported, only 'Isolated'"},
      {cut(R"({"type": "Punctuation", "behavior": "Removed"})"),
       "/pre_tokenizer/behavior: 'Removed' is not supported, only 'Isolated' or 'Contiguous'"},
      {cut(R"({"type": "ByteLevel"})"), "/pre_tokenizer/add_prefix_space: this is not supported"},
      {cut(R"({"type": "Sequence", "pretokenizers": [{"type": "ByteLevel", "add_prefix_space": false},
           {"type": "Digits"}]})"),
       "/pre_tokenizer/pretokenizers/1: nothing may follow ByteLevel"},
      {cut(R"({"type": "Metaspace", "replacement": "_"})"),
       "/pre_tokenizer/replacement: only '▁' can stand for a space"},
      {cut(R"({"type": "Metaspace", "prepend_scheme": "last"})"),
       "/pre_tokenizer/prepend_scheme: 'last' is unknown"},
      {normalized(R"({"type": "NFKC"})"), "/normalizer/type: 'NFKC' is not supported"},
      {normalized(
           R"({"type": "Sequence", "normalizers": [{"type": "NFC"}, {"type": "Lowercase"}]})"),
       "/normalizer/normalizers/1/type: 'Lowercase' is not supported"},
      {normalized(R"({"type": "Prepend", "prepend": "_"})"),
       "/normalizer/prepend: only '▁' can be prepended"},
      {normalized(R"({"type": "Replace", "pattern": {"String": "x"}, "content": "y"})"),
       "/normalizer: only ' ' can be replaced, by '▁'"},
      {normalized(R"({"type": "Replace", "pattern": {"String": " "}, "content": "▁"})"),
       "/normalizer: spaces are replaced, but tokens are bytes"},
      {{.model = small_model(), .pre_tokenizer = "null", .decoder = R"({"type": "ByteLevel"})"},
       "/pre_tokenizer: it has no ByteLevel, but the decoder has one"},
      {{.model = small_model(), .pre_tokenizer = "null"},
       "/model: its tokens are neither bytes (ByteLevel) nor fall back to them"},
      {{.model = small_model(),
        .normalizer = "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]"},
       "/normalizer: 1:33: JSON nested more than 32 deep"},
      {{.model = small_model(), .decoder = "\"" + std::string(262'144, 'x') + "\""},
       "/decoder: 1:1: 262146 bytes of JSON, more than the limit of 262144"},
  };
  for (const Row& row : rows) CHECK(read_json(row.file) == row.error);
}

TEST_CASE("tokenizer.json: models that are wrong") {
  const auto of_vocab = [](std::string_view vocab) {
    return fmt::format("{{\"vocab\": {},\n\"merges\": [\"a b\"]}}", vocab);
  };
  const auto of_merges = [](std::string_view merges) {
    return fmt::format("{{\"vocab\": {{\"a\": 0, \"b\": 1, \"ab\": 2}},\n\"merges\": {}}}", merges);
  };
  struct Row {
    std::string model;
    std::string error;
  };
  const Row rows[] = {
      {"", "/model: it is missing"},
      {"null", "2:10: expected an object, got null"},
      {"{}", "/model/vocab: it is missing"},
      {R"({"type": "Unigram", "vocab": [["a", 1]]})",
       "/model/type: 'Unigram' cannot be read, only 'BPE'"},
      {R"({"type": 5})", "2:19: expected a string, got a number"},
      {R"({"vocab": {}})", "/model/merges: it is missing"},
      {R"({"vocab": {}, "vocab": {}})", "2:24: it appears twice"},
      {R"({"vocab": {}, "merges": []})", "/model/vocab: there are no tokens"},
      {small_model(R"(, "end_of_word_suffix": "</w>")"),
       "2:103: end_of_word_suffix is not supported"},
      {small_model(R"(, "continuing_subword_prefix": "##")"),
       "2:110: continuing_subword_prefix is not supported"},
      {small_model(R"(, "dropout": 0.1)"), "2:92: dropout is not supported"},
      {small_model(R"(, "unk_token": "<unk>")"),
       "/model/unk_token: '<unk>' is not in the vocabulary"},
      {small_model(R"(, "ignore_merges": 1)"), "2:98: expected true or false, got a number"},
      {of_vocab("[[\"a\", 0]]"), "2:20: expected an object, got an array"},
      {of_vocab("{\"a\": \"0\"}"), "2:26: expected a whole number, got a string"},
      {of_vocab("{\"a\": 0.5}"), "2:26: expected a whole number of at most 63 bits"},
      {of_vocab("{\"a\": -1}"), "2:26: token id -1 is too high for this file"},
      {of_vocab("{\"a\": 4200}"), "2:26: token id 4200 is too high for this file"},
      {of_vocab("{\"a\": 99999999999}"), "2:26: token id 99999999999 is too high for this file"},
      {of_vocab("{\"a\": 0, \"b\": 0}"), "2:34: token id 0 appears twice"},
      {of_vocab("{\"a\": 0, \"a\": 1}"), "/model/vocab: token 1 'a' is token 0 again"},
      {of_vocab("{\"" + std::string(65'537, 'a') + "\": 0}"),
       "2:21: a string of 65537 bytes, more than the limit of 65536"},
      {of_vocab("{\"a\xFF\": 0}"), "2:21: a string that is not UTF-8"},
      {of_merges("[]"), "/model/merges: there are none"},
      {of_merges("{}"), "3:11: expected an array, got an object"},
      {of_merges("[5]"), "3:12: expected an array, got a number"},
      {of_merges("[\"ab\"]"), "3:12: merge 0: 'ab' is not two tokens separated by a blank"},
      {of_merges("[\"a b c\"]"), "3:12: merge 0: 'a b c' is not two tokens separated by a blank"},
      {of_merges("[\"a b\", \"a c\"]"), "3:19: merge 1: 'c' is not in the vocabulary"},
      {of_merges("[[\"b\", \"a\"]]"), "3:18: merge 0: 'ba' is not in the vocabulary"},
      {of_merges("[[\"a\"]]"), "3:13: merge 0: expected a merge of two tokens"},
      {of_merges("[[]]"), "3:12: merge 0: expected a merge of two tokens"},
      {of_merges("[[\"a\", 1]]"), "3:18: expected a string, got a number"},
      {of_merges("[[\"a\", \"b\", \"c\"]]"), "3:18: merge 0: expected a merge of two tokens"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.model.substr(0, 80));
    CHECK(read_json({.model = row.model}) == row.error);
  }
}

TEST_CASE("tokenizer.json: added tokens that are wrong") {
  struct Row {
    const char* added_tokens;
    std::string error;
  };
  const Row rows[] = {
      {"5", "4:17: expected an array, got a number"},
      {"[5]", "4:18: expected an object, got a number"},
      {"[{}]", "4:18: an added token without id or content"},
      {R"([{"id": 3}])", "4:25: an added token without id or content"},
      {R"([{"content": "x"}])", "4:30: an added token without id or content"},
      {R"([{"id": "3", "content": "x"}])", "4:25: expected a whole number, got a string"},
      {R"([{"id": 99999, "content": "x"}])", "4:43: id 99999 of 'x' is too high for this file"},
      {R"([{"id": 0, "content": "x"}])", "4:39: 'x' has id 0, as has 'a'"},
      {R"([{"id": 3, "content": "a"}])", "/model/vocab: token 3 'a' is token 0 again"},
      {R"([{"id": 3, "content": "x", "rstrip": true}])",
       "4:54: 'x' takes white space beside it (lstrip, rstrip or single_word)"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.added_tokens);
    CHECK(read_json({.model = small_model(), .added_tokens = row.added_tokens}) == row.error);
  }
}

}  // namespace pedro
