#include "tokenizer/vocabulary_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/base64.h"
#include "base/json_cursor.h"
#include "base/utf8.h"
#include "tokenizer/gguf_file.h"
#include "tokenizer/pre_tokenizer_table.h"
#include "tokenizer/quoted_token.h"
#include "tokenizer/vocabulary_limits.h"
#include "tokenizer/vocabulary_readers.h"

namespace pedro {
namespace {

constexpr char kFirstFieldIsMessage = '\x0A';  // protobuf tag: field 1, bytes
constexpr std::string_view kBlanks = " \t\r\n";

bool looks_like_json(std::string_view bytes) {
  bytes = without_byte_order_mark(bytes);
  const std::size_t first = bytes.find_first_not_of(kBlanks);
  return first != std::string_view::npos && bytes[first] == '{';
}

// Returns true if the first line is base64, a space and a digit.
bool looks_like_ranks(std::string_view bytes) {
  const std::string_view line = bytes.substr(0, std::min(bytes.find('\n'), 2 * kMaxTokenBytes));
  const std::size_t space = line.find(' ');
  if (space == std::string_view::npos || space == 0 || space + 1 >= line.size()) return false;
  std::string token;
  return line[space + 1] >= '0' && line[space + 1] <= '9' &&
         append_base64(token, line.substr(0, space));
}

Result<VocabularyFormat> json_format(std::string_view bytes) {
  constexpr std::size_t kMaxNamesShown = 4;
  JsonCursor json(bytes);
  std::string names;
  std::size_t count = 0;
  json.enter_object();
  while (const auto name = json.next_member()) {
    if (*name == "model" || *name == "added_tokens" || *name == "pre_tokenizer") {
      return VocabularyFormat::kTokenizerJson;
    }
    if (*name == "config" || *name == "vocab") return VocabularyFormat::kTekken;
    if (*name == "pat_str") return VocabularyFormat::kTiktokenJson;
    if (count++ < kMaxNamesShown) names += (names.empty() ? "" : ", ") + quoted_token(*name);
    json.skip();
  }
  if (json.failed()) return json.error();
  return config_error(fmt::format(
      "JSON, but neither a tokenizer.json (it has no 'model'), a "
      "tekken.json (it has no 'config') nor tiktoken's (it has no 'pat_str'): there are "
      "{}{}",
      names.empty() ? "no members" : names, count > kMaxNamesShown ? ", ..." : ""));
}

Result<VocabularySource> read_gguf(std::string_view bytes) {
  PEDRO_TRY(const auto file, GgufFile::open(bytes));
  return read_gguf_vocabulary(file);
}

Result<VocabularySource> read_ranks(std::string_view bytes, std::string_view stem,
                                    RankFileRules rules) {
  PreTokenizer& pre = rules.pre_tokenizer;
  if (pre.scanner.empty() && pre.patterns.empty()) pre.scanner = scanner_of_ranks(stem);
  if (!pre.scanner.empty() || !pre.patterns.empty()) return read_tiktoken(bytes, rules);
  return config_error("a file of ranks does not define how text is split, and " +
                      quoted_token(stem) +
                      " is not the name of a known one, such as 'cl100k_base'");
}

Result<VocabularySource> read_as(VocabularyFormat format, std::string_view bytes,
                                 std::string_view stem, const RankFileRules& rules) {
  switch (format) {
    case VocabularyFormat::kGguf:
      return read_gguf(bytes);
    case VocabularyFormat::kTokenizerJson:
      return read_tokenizer_json(bytes);
    case VocabularyFormat::kTekken:
      return read_tekken(bytes);
    case VocabularyFormat::kTiktokenJson:
      return read_tiktoken_json(bytes);
    case VocabularyFormat::kTiktoken:
      return read_ranks(bytes, stem, rules);
    default:
      return read_sentencepiece(bytes);
  }
}

std::string_view stem_of(std::string_view file_name) {
  file_name.remove_prefix(file_name.rfind('/') + 1);  // npos + 1 == 0
  const std::size_t dot = file_name.rfind('.');
  return dot == std::string_view::npos || dot == 0 ? file_name : file_name.substr(0, dot);
}

}  // namespace

std::string_view name_of(VocabularyFormat format) {
  constexpr std::string_view kNames[] = {"GGUF",     "tokenizer.json", "tekken.json",
                                         "tiktoken", "tiktoken JSON",  "SentencePiece"};
  return kNames[static_cast<int>(format)];
}

Result<VocabularyFormat> vocabulary_format(std::string_view bytes) {
  if (bytes.empty()) return config_error("the file is empty");
  if (bytes.starts_with(kGgufMagic)) return VocabularyFormat::kGguf;
  if (bytes.size() > kMaxVocabularyFileBytes) {
    return config_error(fmt::format("{} bytes, more than the limit of {} for files other than GGUF",
                                    bytes.size(), kMaxVocabularyFileBytes));
  }
  if (looks_like_json(bytes)) return json_format(bytes);
  if (bytes[0] == kFirstFieldIsMessage) return VocabularyFormat::kSentencePiece;
  if (looks_like_ranks(bytes)) return VocabularyFormat::kTiktoken;
  return config_error(
      "not a vocabulary: neither GGUF, tokenizer.json, tekken.json, lines of base64 and rank, nor "
      "a SentencePiece model");
}

Result<VocabularySource> read_vocabulary(std::string_view bytes, std::string_view file_name,
                                         const RankFileRules& rules) {
  const auto format = vocabulary_format(bytes);
  if (!format) return format.error().at(file_name);
  const std::string_view stem = stem_of(file_name);
  auto source = read_as(*format, bytes, stem, rules);
  if (!source) return source.error().at(file_name);
  source->name = std::string(stem);
  return source;
}

}  // namespace pedro
