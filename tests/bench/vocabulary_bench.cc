// vocabulary_bench FILES...: reads vocabulary files. Prints the format of each, and the time to
// read it (processor time, the fastest of five). Prints the peak memory in bytes and relative to
// the file's size.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <string>

#include "support/heap_peak.h"
#include "support/read_file.h"
#include "tokenizer/vocabulary_file.h"

namespace {

using namespace pedro;

constexpr int kRuns = 5;

std::string kinds_of(const TokenList& tokens) {
  std::array<std::size_t, 7> counts{};
  std::size_t holes = 0;
  for (const SourceToken& token : tokens) {
    ++counts[static_cast<std::size_t>(token.kind)];
    if (token.bytes.empty()) ++holes;
  }
  return fmt::format("normal {} unknown {} control {} user {} unused {} byte {} holes {}",
                     counts[1] - holes, counts[2], counts[3], counts[4], counts[5], counts[6],
                     holes);
}

std::string id_text(std::optional<TokenId> id) {
  return id ? fmt::format("{}", *id) : "-";
}

void print(const std::string& path, const VocabularySource& source) {
  fmt::print("{}\n  {} tokens ({}), {} merges; {} {}; cut by {}{}\n", path, source.tokens.size(),
             kinds_of(source.tokens), source.merges.size(),
             source.symbols == Symbols::kBytes ? "bytes" : "characters",
             source.fidelity == Fidelity::kLlamaCpp ? "llama.cpp" : "reference",
             source.pre_tokenizer.scanner,
             source.pre_tokenizer.patterns.empty()
                 ? ""
                 : fmt::format("{} patterns", source.pre_tokenizer.patterns.size()));
  fmt::print(
      "  ignore_merges {} form {} space_prefix {} escape_spaces {} bos {}{} eos {}{} unk {}\n",
      source.ignore_merges, static_cast<int>(source.form), source.space_prefix,
      source.escape_spaces, id_text(source.bos), source.add_bos ? "+" : "", id_text(source.eos),
      source.add_eos ? "+" : "", id_text(source.unknown));
}

void measure(const char* path) {
  const std::string bytes = read_file(path);
  double best_ms = 1e9;
  std::size_t peak = 0;
  for (int run = 0; run < kRuns; ++run) {
    start_heap_peak();
    const std::clock_t start = std::clock();
    const auto source = read_vocabulary(bytes, path);
    best_ms = std::min(best_ms, static_cast<double>(std::clock() - start) * 1000 / CLOCKS_PER_SEC);
    peak = heap_peak();
    if (!source) {
      fmt::print("{}\n  {}\n", path, source.error().message);
      break;
    }
    if (run == 0) print(path, *source);
  }
  fmt::print(
      "  {} bytes, {:.1f} ms, peak {} bytes, {:.2f} of the file\n", bytes.size(), best_ms, peak,
      static_cast<double>(peak) / static_cast<double>(std::max<std::size_t>(bytes.size(), 1)));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("usage: vocabulary_bench FILES...\n", stderr);
    return 2;
  }
  for (int i = 1; i < argc; ++i) measure(argv[i]);
  return 0;
}
