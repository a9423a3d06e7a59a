// tokenizer_bench VOCABULARY-FILE CORPUS
//
// The speed of a vocabulary on one core, in MB of text per second of processor time (medians).
// Measures the corpus as a whole, in pieces of 4 KB, counted only, and with two threads. Also
// measures hard texts (200 KB in one or nearly one piece), and opening the compiled vocabulary.
// `tests/bench/tokenizers` compares it with the vocabulary's original tokenizer.
#include <fmt/format.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "base/median.h"
#include "support/read_file.h"
#include "sys/file_system.h"
#include "sys/mapped_file.h"
#include "tokenizer/model_registry.h"
#include "tokenizer/vocabulary_store.h"
#include "tokenizer/vocabulary_tokenizer.h"

namespace pedro {
namespace {

constexpr std::size_t kPieceBytes = 4096;
constexpr std::size_t kHardBytes = 200'000;

double clock_seconds(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

double median_seconds(int runs, const std::function<void()>& work,
                      clockid_t clock = CLOCK_THREAD_CPUTIME_ID) {
  std::vector<double> times;
  for (int i = 0; i < runs; ++i) {
    const double before = clock_seconds(clock);
    work();
    times.push_back(clock_seconds(clock) - before);
  }
  return median(std::move(times));
}

// Cuts after line ends, so that every character stays complete.
std::vector<std::string_view> pieces_of(std::string_view text) {
  std::vector<std::string_view> pieces;
  while (!text.empty()) {
    const std::size_t line = text.find('\n', std::min(kPieceBytes, text.size()) - 1);
    const std::size_t size = line == std::string_view::npos ? text.size() : line + 1;
    pieces.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return pieces;
}

struct HardText {
  const char* name;
  std::string text;
};

std::vector<HardText> hard_texts() {
  std::mt19937 random(1);
  std::vector<HardText> texts = {{"one letter", std::string(kHardBytes, 'a')},
                                 {"blanks", std::string(kHardBytes, ' ')},
                                 {"newlines", std::string(kHardBytes, '\n')},
                                 {"random letters", ""},
                                 {"base64", ""},
                                 {"Chinese", ""},
                                 {"marks", "e"}};
  static constexpr std::string_view kBase64 =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  while (texts[3].text.size() < kHardBytes) texts[3].text += static_cast<char>('a' + random() % 26);
  while (texts[4].text.size() < kHardBytes) texts[4].text += kBase64[random() % 64];
  while (texts[5].text.size() < kHardBytes) {
    const unsigned c = 0x4E00 + static_cast<unsigned>(random() % 0x5000);
    texts[5].text += static_cast<char>(0xE0 | c >> 12);
    texts[5].text += static_cast<char>(0x80 | (c >> 6 & 0x3F));
    texts[5].text += static_cast<char>(0x80 | (c & 0x3F));
  }
  while (texts[6].text.size() < kHardBytes) texts[6].text += random() % 2 ? "\u0301" : "\u0323";
  return texts;
}

void print_rate(const char* what, std::size_t bytes, double seconds) {
  fmt::print("{:<16}{:>9.1f} MB/s\n", what, static_cast<double>(bytes) / seconds / 1e6);
  std::fflush(stdout);
}

// Measures wall time. Compares two threads with two independent processes, the limit of the
// machine.
void print_scaling(const std::function<void()>& work) {
  const auto two_threads = [&] {
    std::thread other(work);
    work();
    other.join();
  };
  const auto two_processes = [&] {
    const pid_t other = ::fork();
    work();
    if (other == 0) ::_exit(0);
    ::waitpid(other, nullptr, 0);
  };
  two_threads();
  const double alone = median_seconds(5, work, CLOCK_MONOTONIC);
  const double threads = median_seconds(5, two_threads, CLOCK_MONOTONIC);
  const double processes = median_seconds(5, two_processes, CLOCK_MONOTONIC);
  fmt::print("{:<16}{:>9.2f} x one by the clock on the wall; two processes {:.2f} x\n",
             "two threads", 2 * alone / threads, 2 * alone / processes);
}

void bench(VocabularyTokenizer& tokenizer, const std::string& corpus) {
  const auto encode = [&](std::string_view text) { (void)tokenizer.encode(text, Specials::kNone); };
  encode(corpus);
  print_rate("whole", corpus.size(), median_seconds(7, [&] { encode(corpus); }));
  print_rate("counted", corpus.size(),
             median_seconds(7, [&] { (void)tokenizer.count(corpus, Specials::kNone); }));
  const std::vector<std::string_view> pieces = pieces_of(corpus);
  const auto all_pieces = [&] {
    for (const std::string_view piece : pieces) encode(piece);
  };
  print_rate("4 KB", corpus.size(), median_seconds(7, all_pieces));
  print_scaling(all_pieces);
  for (const HardText& hard : hard_texts()) {
    print_rate(hard.name, hard.text.size(), median_seconds(3, [&] { encode(hard.text); }));
  }
}

int run(const char* vocabulary_path, const char* corpus_path) {
  const std::string corpus = read_file(corpus_path);
  RealFileSystem files;
  char folder[] = "/tmp/tokenizer_bench.XXXXXX";
  if (corpus.empty() || ::mkdtemp(folder) == nullptr) {
    fmt::print(stderr, "tokenizer_bench: {}: nothing to read\n", corpus_path);
    return 1;
  }
  const std::string path = vocabulary_path;
  const std::string name = path.substr(path.rfind('/') + 1);
  const KnownVocabulary* known = nullptr;
  for (const KnownVocabulary& one : ModelRegistry::builtin().vocabularies()) {
    if (one.file == name && known == nullptr) known = &one;
  }
  VocabularyStore store(files, {folder, {path.substr(0, path.rfind('/'))}},
                        ModelRegistry::builtin());
  const std::string opened = known == nullptr ? path : known->name;
  const double cold_before = clock_seconds(CLOCK_MONOTONIC);
  Result<Vocabulary> vocabulary = store.open(opened);
  const double cold = clock_seconds(CLOCK_MONOTONIC) - cold_before;
  if (!vocabulary) {
    fmt::print(stderr, "tokenizer_bench: {}\n", vocabulary.error().message);
    return 1;
  }
  const double warm = median_seconds(
      11, [&] { (void)store.open(opened); }, CLOCK_MONOTONIC);
  fmt::print("{:<16}{:>9.2f} ms compiled, {:.0f} ms from the file; {:.1f} MB\n", "opened",
             warm * 1e3, cold * 1e3, static_cast<double>(vocabulary->bytes().size()) / 1e6);
  auto tokenizer = VocabularyTokenizer::create(*std::move(vocabulary));
  if (tokenizer) bench(**tokenizer, corpus);
  const auto left = files.list(folder);
  for (std::size_t i = 0; left && i < left->size(); ++i) {
    const FolderEntry& entry = (*left)[i];
    (void)files.remove(std::string(folder) + "/" + entry.name);
  }
  ::rmdir(folder);
  return tokenizer ? 0 : 1;
}

}  // namespace
}  // namespace pedro

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: tokenizer_bench VOCABULARY-FILE CORPUS\n");
    return 2;
  }
  return pedro::run(argv[1], argv[2]);
}
