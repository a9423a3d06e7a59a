// fuzz_replay_NAME [-lines | -cases] [-only ENDING] [-dict FILE] [-runs COUNT] SEEDS...
//
// Runs a fuzzer's function without libFuzzer, with any compiler. Runs every unchanged seed, then
// COUNT (2000) randomly changed ones. A seed is a file, with -lines a line of a file, or
// with -cases a row of a table (case_table.h). A folder
// contributes every file whose name ends with ENDING. A missing file is an error. The random
// numbers have a fixed seed, so equal arguments give equal runs. A failing input is written to the
// file fuzz-failed before the program aborts.
#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/case_table.h"
#include "support/read_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxBytes = 2048;  // limits changed inputs, for short runs

struct Options {
  std::vector<std::string> seeds;
  std::string only;
  std::string dictionary;
  bool lines = false;
  bool cases = false;
  std::size_t runs = 2000;
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    lines.push_back(text.substr(from, end - from));
    from = end + 1;
  }
  return lines;
}

std::vector<std::string> read_seeds(const Options& options) {
  std::vector<fs::path> files;
  for (const std::string& seed : options.seeds) {
    if (!fs::is_directory(seed)) {
      files.emplace_back(seed);
      continue;
    }
    for (const auto& entry : fs::recursive_directory_iterator(seed)) {
      const std::string name = entry.path().filename().string();
      if (entry.is_regular_file() && name.ends_with(options.only)) files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  std::vector<std::string> seeds;
  for (const fs::path& file : files) {
    if (options.cases) {
      for (pedro::TableCase& row : pedro::read_case_table(file)) {
        seeds.push_back(std::move(row.input));
      }
      continue;
    }
    const std::string text = pedro::read_file(file);
    if (!options.lines) {
      seeds.push_back(text);
      continue;
    }
    for (std::string& line : lines_of(text)) seeds.push_back(std::move(line));
  }
  return seeds;
}

int digit(char c) {
  return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
}

// Decodes a line "..." of a dictionary, with the escapes \\, \" and \xHH.
std::string unquoted(std::string_view line) {
  std::string word;
  for (std::size_t i = 1; i + 1 < line.size(); ++i) {
    if (line[i] != '\\') {
      word += line[i];
    } else if (line[i + 1] == 'x') {
      word += static_cast<char>(digit(line[i + 2]) * 16 + digit(line[i + 3]));
      i += 3;
    } else {
      word += line[++i];
    }
  }
  return word;
}

std::vector<std::string> read_dictionary(const std::string& file) {
  std::vector<std::string> words;
  if (file.empty()) return words;
  for (const std::string& line : lines_of(pedro::read_file(file))) {
    if (line.starts_with('"')) words.push_back(unquoted(line));
  }
  return words;
}

/// The current input, written to a file if it fails.
std::string_view g_input;  // NOLINT: a signal handler has no other way to it

void keep_input(int) {
  if (std::FILE* file = std::fopen("fuzz-failed", "wb")) {
    std::fwrite(g_input.data(), 1, g_input.size(), file);
    std::fclose(file);
  }
  std::signal(SIGABRT, SIG_DFL);
}

void run(const std::string& input) {
  g_input = input;
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

class Changer {
 public:
  Changer(const std::vector<std::string>& seeds, const std::vector<std::string>& words)
      : seeds_(seeds), words_(words) {}

  std::string next() {
    std::string text = any(seeds_);
    if (text.size() > kMaxBytes) text = part(text, kMaxBytes);
    for (std::size_t changes = 1 + below(3); changes > 0; --changes) change(text);
    text.resize(std::min(text.size(), kMaxBytes));
    return text;
  }

 private:
  std::size_t below(std::size_t count) { return random_() % count; }
  const std::string& any(const std::vector<std::string>& list) { return list[below(list.size())]; }

  std::string part(const std::string& text, std::size_t most) {
    const std::size_t from = below(text.size() + 1);
    return text.substr(from, 1 + below(most));
  }

  void change(std::string& text) {
    const std::size_t at = below(text.size() + 1);
    switch (below(6)) {
      case 0:
        text.erase(at, 1 + below(8));
        break;
      case 1:
        text.insert(at, 1, static_cast<char>(below(256)));
        break;
      case 2:
        text.insert(at, part(text, 32));
        break;
      case 3:
        text.insert(at, part(any(seeds_), 64));
        break;
      default:
        if (!words_.empty()) text.insert(at, any(words_));
    }
  }

  const std::vector<std::string>& seeds_;
  const std::vector<std::string>& words_;
  std::mt19937 random_{1};  // NOLINT: always the same
};

// Returns nullopt for a flag that is unknown or lacks its value.
std::optional<Options> parse_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string arg = argv[i];
    const bool more = i + 1 < argc;
    if (arg == "-lines") {
      options.lines = true;
    } else if (arg == "-cases") {
      options.cases = true;
    } else if (arg == "-only" && more) {
      options.only = argv[++i];
    } else if (arg == "-dict" && more) {
      options.dictionary = argv[++i];
    } else if (arg == "-runs" && more) {
      options.runs = std::strtoul(argv[++i], nullptr, 10);
    } else if (arg.starts_with('-')) {
      return std::nullopt;
    } else {
      options.seeds.push_back(arg);
    }
  }
  return options;
}

// Returns the first given file that does not exist; "" if all do.
std::string missing_file(const Options& options) {
  std::vector<std::string> files = options.seeds;
  if (!options.dictionary.empty()) files.push_back(options.dictionary);
  const auto missing =
      std::find_if(files.begin(), files.end(), [](const auto& file) { return !fs::exists(file); });
  return missing == files.end() ? "" : *missing;
}

}  // namespace

int main(int argc, char** argv) {
  const std::optional<Options> given = parse_options(argc, argv);
  if (const std::string missing = missing_file(given.value_or(Options())); !missing.empty()) {
    std::fprintf(stderr, "%s: there is no such file\n", missing.c_str());
    return 2;
  }
  const Options options = given.value_or(Options());
  const std::vector<std::string> seeds = read_seeds(options);
  if (seeds.empty()) {
    const std::string name = fs::path(argv[0]).filename();
    std::fprintf(stderr, "usage: %s [-lines] [-only ENDING] [-dict FILE] [-runs COUNT] SEEDS...\n",
                 name.c_str());
    return 2;
  }
  std::signal(SIGABRT, keep_input);
  for (const std::string& seed : seeds) run(seed);
  const std::vector<std::string> words = read_dictionary(options.dictionary);
  Changer changer(seeds, words);
  for (std::size_t i = 0; i < options.runs; ++i) run(changer.next());
  std::printf("%zu seeds and %zu changed ones\n", seeds.size(), options.runs);
  return 0;
}
