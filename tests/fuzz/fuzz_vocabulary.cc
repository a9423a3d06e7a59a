// Reads any bytes as a vocabulary file in the format that they resemble. Every readable vocabulary
// must be consistent. Memory must be bounded by a multiple of the file's size.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/utf8.h"
#include "fuzz/require.h"
#include "support/heap_peak.h"
#include "tokenizer/vocabulary_file.h"
#include "tokenizer/vocabulary_limits.h"

namespace {

using namespace pedro;

// Memory that small files may use beyond twice their size: gaps in the token ids, names of special
// tokens, pattern tables, messages.
constexpr std::size_t kFreeBytes = 1U << 20U;
constexpr std::size_t kMaxErrorBytes = 1000;

bool is_token(const VocabularySource& source, TokenId id) {
  return id >= 0 && static_cast<std::size_t>(id) < source.tokens.size();
}

bool is_token(const VocabularySource& source, std::optional<TokenId> id) {
  return !id || is_token(source, *id);
}

void check(const VocabularySource& source, std::string_view file) {
  require(!source.tokens.empty(), "there are no tokens", file);
  for (const SourceToken& token : source.tokens) {
    require(token.bytes.size() <= kMaxTokenBytes, "a long token", file);
    require(token.kind != TokenKind::kByte || token.bytes.size() == 1, "a byte is not one", file);
  }
  for (const Merge& merge : source.merges) {
    require(is_token(source, merge.left) && is_token(source, merge.right) &&
                is_token(source, merge.result),
            "a merge of what is no token", file);
    require(merge.left != merge.result && merge.right != merge.result, "a merge goes in circles",
            file);
  }
  require(is_token(source, source.bos) && is_token(source, source.eos) &&
              is_token(source, source.unknown),
          "a special token is none", file);
  require(source.pre_tokenizer.scanner.empty() || source.pre_tokenizer.patterns.empty(),
          "both a scanner and patterns", file);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view file(reinterpret_cast<const char*>(data), size);
  start_heap_peak();
  const auto source = read_vocabulary(file, "cl100k_base.fuzz");
  require(heap_peak() <= 2 * size + kFreeBytes, "it takes too much memory", file);
  if (source.ok()) {
    check(*source, file);
  } else {
    const std::string& message = source.error().message;
    require(is_valid_utf8(message), "an error is not UTF-8", message);
    require(message.size() < kMaxErrorBytes, "an error is long", message);
  }
  return 0;
}
