// make_vocabulary FILE OUT.gguf PRE
//
// Writes a vocabulary file of any format as a GGUF vocabulary for make_model: a tokenizer.json or a
// SentencePiece file. PRE is llama.cpp's name of the pre-tokenizer ("qwen2"); it is ignored for
// SentencePiece. A tokenizer.json of characters gets scores by token id. Exit: 0 done, 1 the file
// cannot be used, 2 usage.
#include <fmt/format.h>

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "llama/template_rows.h"
#include "support/read_file.h"
#include "tokenizer/gguf_builder.h"
#include "tokenizer/small_vocabulary.h"
#include "tokenizer/vocabulary_file.h"

namespace pedro {
namespace {

std::string text_in_gguf(const SourceToken& token, bool in_bytes, std::size_t id) {
  if (token.bytes.empty()) return fmt::format("[PAD{}]", id);
  const auto first = static_cast<unsigned char>(token.bytes.front());
  if (token.kind == TokenKind::kByte) return fmt::format("<0x{:02X}>", first);
  std::string bytes(token.bytes);
  return in_bytes && token.kind == TokenKind::kNormal ? in_letters(bytes) : bytes;
}

std::string gguf_of(const VocabularySource& source, const std::string& pre) {
  const bool in_bytes = source.symbols == Symbols::kBytes;
  std::vector<std::string> tokens;
  std::vector<std::int32_t> kinds;
  std::vector<float> scores;
  for (const SourceToken& token : source.tokens) {
    tokens.push_back(text_in_gguf(token, in_bytes, tokens.size()));
    kinds.push_back(static_cast<std::int32_t>(token.kind));
    scores.push_back(source.merges.empty() ? token.score : -static_cast<float>(scores.size()));
  }
  std::vector<std::string> merges;
  for (const Merge& merge : source.merges) {
    merges.push_back(tokens[merge.left] + " " + tokens[merge.right]);
  }
  GgufBuilder out;
  out.text("tokenizer.ggml.model", in_bytes ? "gpt2" : "llama");
  if (in_bytes) out.text("tokenizer.ggml.pre", pre).texts("tokenizer.ggml.merges", merges);
  if (!in_bytes) out.reals("tokenizer.ggml.scores", scores);
  if (!in_bytes) out.truth("tokenizer.ggml.add_space_prefix", source.space_prefix);
  out.texts("tokenizer.ggml.tokens", tokens).integers("tokenizer.ggml.token_type", kinds);
  if (source.bos)
    out.number("tokenizer.ggml.bos_token_id", static_cast<std::uint32_t>(*source.bos));
  if (source.eos)
    out.number("tokenizer.ggml.eos_token_id", static_cast<std::uint32_t>(*source.eos));
  if (source.unknown) {
    out.number("tokenizer.ggml.unknown_token_id", static_cast<std::uint32_t>(*source.unknown));
  }
  out.truth("tokenizer.ggml.add_bos_token", source.add_bos);
  return out.bytes();
}

int run(const std::vector<std::string>& args) {
  if (args.size() != 3) {
    fmt::print(stderr, "usage: make_vocabulary FILE OUT.gguf PRE\n");
    return 2;
  }
  const auto source = read_vocabulary(read_file(args[0]), args[0]);
  if (!source || (source->symbols == Symbols::kBytes && source->merges.empty())) {
    fmt::print(stderr, "make_vocabulary: {}\n",
               source ? args[0] + ": there are no merges" : source.error().message);
    return 1;
  }
  std::ofstream out(args[1], std::ios::binary);
  out << gguf_of(*source, args[2]);
  return out.good() ? 0 : 1;
}

}  // namespace
}  // namespace pedro

int main(int argc, char** argv) {
  return pedro::run({argv + 1, argv + argc});
}
