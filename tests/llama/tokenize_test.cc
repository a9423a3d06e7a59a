// tokenize_test VOCAB.gguf [CORPUS]
//
// Compares a vocabulary file in llama.cpp's mode with a real llama-server (PEDROCLI_SERVER_URL)
// whose model uses this vocabulary. Compares the ids of tests/data/tokenizer, of the probe's texts,
// and of texts with the vocabulary's own special tokens. Compares each with special tokens ignored
// and recognized. Also compares the lines of CORPUS, 64 KiB at a time. Prints the number of
// compared texts and the first differences. Exit: 0 all ids are equal, 1 some differ, 2 usage, 77
// this vocabulary cannot be read here.
#include <fmt/format.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "base/text.h"
#include "base/utf8.h"
#include "llm/llama_client.h"
#include "support/read_file.h"
#include "sys/file_system.h"
#include "tokenizer/quoted_token.h"
#include "tokenizer/server_tokenizer.h"
#include "tokenizer/token_probe.h"
#include "tokenizer/vocabulary_store.h"

namespace pedro {
namespace {

using Ids = std::vector<TokenId>;

constexpr std::size_t kPartBytes = 64u << 10;
constexpr std::size_t kShownDifferences = 5;

class Comparison {
 public:
  Comparison(VocabularyTokenizer& ours, ServerTokenizer& server) : ours_(ours), server_(server) {}

  /// Returns false if there was no answer.
  bool compare(const std::string& name, const std::vector<std::string>& texts) {
    return compare(name, texts, Specials::kNone) && compare(name, texts, Specials::kAll);
  }

  std::size_t different() const { return different_; }

 private:
  bool compare(const std::string& name, const std::vector<std::string>& texts, Specials specials) {
    std::vector<Passage> passages;
    std::size_t bytes = 0;
    for (const std::string& text : texts) {
      passages.push_back({text, specials});
      bytes += text.size();
    }
    const auto theirs = server_.encode_each(passages);
    const auto ours = ours_.encode_each(passages);
    if (!theirs || !ours) {
      fmt::print("  {}: {}\n", name, (theirs ? ours : theirs).error().message);
      return false;
    }
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if ((*ours)[i] == (*theirs)[i]) continue;
      if (++wrong <= kShownDifferences) show(texts[i], (*ours)[i], (*theirs)[i]);
    }
    different_ += wrong;
    fmt::print("  {}, specials {}: {} texts, {} bytes, {} different\n", name,
               specials.all() ? "on" : "off", texts.size(), bytes, wrong);
    return true;
  }

  // Prints both sequences from the last equal token on.
  static void show(const std::string& text, const Ids& ours, const Ids& theirs) {
    const auto differ = std::mismatch(ours.begin(), ours.end(), theirs.begin(), theirs.end());
    const std::size_t at = static_cast<std::size_t>(differ.first - ours.begin());
    const auto some = [at](const Ids& ids) {
      const std::size_t begin = at - std::min<std::size_t>(at, 1);
      const std::size_t end = std::min(ids.size(), at + 8);
      return fmt::format("{}{}",
                         fmt::join(ids.begin() + static_cast<std::ptrdiff_t>(begin),
                                   ids.begin() + static_cast<std::ptrdiff_t>(end), " "),
                         end < ids.size() ? " …" : "");
    };
    fmt::print("    {}\n      from token {}: ours {}, the server's {}\n",
               shown_token(std::string_view(text).substr(0, 200)), at, some(ours), some(theirs));
  }

  VocabularyTokenizer& ours_;
  ServerTokenizer& server_;
  std::size_t different_ = 0;
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  for (const std::string_view line : split_lines(text)) out.push_back(std::string(line) + "\n");
  return out;
}

std::vector<std::string> tricky_texts() {
  std::vector<std::string> out;
  const std::string file = read_file(TEST_DATA "/tokenizer/tricky.jsonl");
  for (const std::string_view line : split_lines(file)) {
    out.push_back(parse_json(line)->get<std::string>());
  }
  return out;
}

// Places every special token between letters and blanks and next to itself. Spells every text that
// could merge into one letter by letter.
std::vector<std::string> special_texts(const Vocabulary& vocabulary) {
  std::vector<std::string> out;
  for (const TokenId id : vocabulary.specials()) {
    const std::string text(vocabulary.piece(id));
    out.insert(out.end(),
               {text, "x" + text + "y", " " + text + " y", text + text, "\n" + text + " \t\n z",
                std::string(truncate_utf8(text, text.size() / 2)) + " " + text, "▁" + text + "▁"});
    if (out.size() > 20'000) break;
  }
  return out;
}

std::vector<std::string> blank_texts() {
  std::vector<std::string> out;
  for (const char* blank : {"\n", " ", "\t", "\r\n", "\r", "▁", " \n", "\n "}) {
    std::string run;
    for (int i = 1; i <= 70; ++i) {
      run += blank;
      out.insert(out.end(), {run, "a" + run, run + "b", "a" + run + "b", run + " b"});
    }
  }
  return out;
}

std::vector<std::string> parts_of(const std::string& corpus) {
  std::vector<std::string> out;
  std::string part;
  for (const std::string_view line : split_lines(corpus)) {
    part += line;
    part += '\n';
    if (part.size() < kPartBytes) continue;
    out.push_back(std::move(part));
    part.clear();
  }
  out.push_back(std::move(part));
  return out;
}

int run(const std::string& path, const std::string& corpus) {
  const char* url = std::getenv("PEDROCLI_SERVER_URL");
  if (url == nullptr) {
    fmt::print(stderr, "tokenize_test: PEDROCLI_SERVER_URL is not set; see with-server\n");
    return 2;
  }
  RealFileSystem files;
  VocabularyStore store(files, {}, ModelRegistry::builtin());
  Result<Vocabulary> vocabulary = store.open(path);
  if (!vocabulary) {
    fmt::print("left out: {}\n", vocabulary.error().message);
    return 77;
  }
  const auto ours = VocabularyTokenizer::create(*std::move(vocabulary));
  if (!ours) {
    fmt::print("left out: {}\n", ours.error().message);
    return 77;
  }
  CurlHttp http;
  const CancelToken cancel;
  ServerOptions options;
  options.url = url;
  options.answer_timeout_s = 300;
  LlamaClient client(http, options, cancel);
  ServerTokenizer server(client.poster());
  fmt::print("{}: {} tokens\n", base_name(path), (*ours)->vocabulary().size());
  Comparison comparison(**ours, server);
  const std::string multilingual = read_file(TEST_DATA "/tokenizer/multilingual.txt");
  bool answered = comparison.compare("tricky texts", tricky_texts()) &&
                  comparison.compare("many languages", lines_of(multilingual)) &&
                  comparison.compare("many languages, whole", {multilingual}) &&
                  comparison.compare("special tokens", special_texts((*ours)->vocabulary())) &&
                  comparison.compare("blanks", blank_texts());
  if (answered && !corpus.empty()) {
    answered = comparison.compare("corpus", parts_of(read_file(corpus)));
  }
  const auto probe = probe_vocabulary(**ours, server, "");
  if (!probe) {
    fmt::print("  {}\n", probe.error().message);
    return 1;
  }
  fmt::print("  the probe: {}\n",
             probe->mismatch ? probe->mismatch->to_text("the file") : "nothing different");
  const bool same = answered && comparison.different() == 0 && !probe->mismatch;
  return same ? 0 : 1;
}

}  // namespace
}  // namespace pedro

int main(int argc, char** argv) {
  if (argc < 2 || argc > 3) {
    fmt::print(stderr, "usage: tokenize_test VOCAB.gguf [CORPUS]\n");
    return 2;
  }
  return pedro::run(argv[1], argc > 2 ? argv[2] : "");
}
