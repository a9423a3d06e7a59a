// grammar_soak [-outputs COUNT] [-threads COUNT] [-tokens LIMIT] [-seconds LIMIT]
//              [FOLDER [-n EVERY] [-from FIRST]]
//
// Runs by hand. Generates many outputs of a real llama-server (PEDROCLI_SERVER_URL) under the
// grammars of all phases of a build. With FOLDER, uses every EVERY-th schema of its files
// {"schema": ..., "tests": [...]}. Each output must be JSON, be valid and end by itself.
//
//   export PEDROCLI_MAKE_MODEL=build/release/tests/make_model
//   tests/llama/with-server -np 4 -t 2 -- build/release/tests/grammar_soak -threads 4 FOLDER -n 9
//
// The bias towards the end of an output (OutputRequest::lean_to_end) cycles through 5, 8 and 11. An
// output that reaches the token limit is generated again with the same seed and a bias of 14. Only
// an output that is still too long counts as cut. Then the program searches for the shortest text
// that ends it. If one exists and makes the output valid, no rule is endless: the noise missed a
// required text, say a version number. Outputs may violate a schema that reports a part as not
// expressed or not checked; they are counted separately. The time limit applies to all schemas
// together; the program reports the skipped ones.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/median.h"
#include "gbnf/grammar_place.h"
#include "gbnf/parse_gbnf.h"
#include "gbnf/shortest_text.h"
#include "json_schema/validate.h"
#include "llama/build_phases.h"
#include "llama/output_source.h"
#include "schema_to_gbnf/lost_in_parsing.h"
#include "schema_to_gbnf/schema_to_gbnf.h"
#include "support/read_file.h"

namespace pedro {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

struct Options {
  std::string folder;
  std::size_t every = 1;
  std::size_t from = 0;
  unsigned outputs = 20;
  unsigned threads = 1;
  int max_tokens = 400;
  double max_seconds = 3600;
};

/// A grammar, and a function that returns the error in one of its texts, or "".
struct Subject {
  std::string name;
  std::string grammar;
  bool exact = true;  ///< no part is reported as not expressed or not checked
  std::function<std::string(const std::string& text)> check;
};

struct Counts {
  std::size_t subjects = 0;
  std::size_t outputs = 0;
  std::size_t ended = 0;    ///< at the first attempt
  std::size_t leaned = 0;   ///< only with a stronger bias to the end
  std::size_t cut = 0;      ///< not even then
  std::size_t endless = 0;  ///< cut outputs that no text ends, or that are then invalid
  std::size_t invalid = 0;
  std::size_t loose = 0;    ///< invalid as reported
  std::size_t refused = 0;  ///< grammars that the server refused
  std::size_t tokens = 0;
  std::vector<double> ms_per_token;
};

class Soak {
 public:
  Soak(const Options& options, std::string url) : options_(options), url_(std::move(url)) {}

  /// Returns false if the server stopped answering.
  bool run(const std::vector<Subject>& subjects, const char* title) {
    counts_ = {};
    next_ = 0;
    const auto start = Clock::now();
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < options_.threads; ++i) {
      threads.emplace_back([&] { work(subjects, start); });
    }
    for (std::thread& thread : threads) thread.join();
    report(title, subjects.size());
    return !dead_;
  }

 private:
  void work(const std::vector<Subject>& subjects, Clock::time_point start) {
    OutputSource source(url_);
    if (const Status opened = source.open(); !opened) return die("open", opened.error());
    for (std::size_t i = next_++; i < subjects.size() && !dead_; i = next_++) {
      if (std::chrono::duration<double>(Clock::now() - start).count() > options_.max_seconds)
        return;
      run_one(source, subjects[i]);
    }
  }

  void run_one(OutputSource& source, const Subject& subject) {
    for (unsigned i = 0; i < options_.outputs && !dead_; ++i) {
      OutputRequest request{.constraint = subject.grammar,
                            .seed = i + 1,
                            .max_tokens = options_.max_tokens,
                            .lean_to_end = 5.0 + 3 * (i % 3)};
      auto output = source.next(request);
      if (!output) return die(subject.name, output.error());
      const bool whole = output->ended;
      if (output->status == 200 && !whole) {
        request.lean_to_end = 14;
        output = source.next(request);
        if (!output) return die(subject.name, output.error());
      }
      if (!take(subject, *output, whole)) break;
    }
    const std::lock_guard lock(mutex_);
    ++counts_.subjects;
  }

  // Returns false if further outputs of this grammar are useless.
  bool take(const Subject& subject, const Output& output, bool at_first) {
    const std::string wrong =
        output.status == 200 && output.ended ? subject.check(output.text) : std::string();
    const std::lock_guard lock(mutex_);
    if (output.status != 200) {
      ++counts_.refused;
      say("refused", subject, fmt::format("{}: {}", output.status, output.text));
      return false;
    }
    ++counts_.outputs;
    counts_.tokens += static_cast<std::size_t>(output.tokens);
    counts_.ms_per_token.push_back(output.ms_per_token);
    if (!output.ended) {
      ++counts_.cut;
      const std::string why = end_of(subject, output.text);
      if (!why.starts_with("ends")) ++counts_.endless;
      say("cut", subject, why + ": " + output.text);
      return true;
    }
    ++(at_first ? counts_.ended : counts_.leaned);
    if (wrong.empty()) return true;
    if (!subject.exact) {
      ++counts_.loose;
      return true;
    }
    ++counts_.invalid;
    say("invalid", subject, wrong + ": " + output.text);
    return true;
  }

  // Returns "ends with N bytes", or the error.
  static std::string end_of(const Subject& subject, const std::string& cut) {
    auto grammar = parse_gbnf(subject.grammar, subject.name);
    if (!grammar) return "its grammar cannot be read";
    auto place = GrammarPlace::begin(std::make_shared<Gbnf>(std::move(grammar->grammar)));
    if (!place) return place.error().message;
    const auto taken = place->accept(cut);
    if (!taken) return taken.error().message;
    // The limit may also have cut the last character.
    if (cut.size() - *taken > 3) return fmt::format("does not fit from byte {} on", *taken);
    const auto end = shortest_text(place->rest());
    if (!end) return "nothing ends it";
    const std::string wrong = subject.check(cut.substr(0, *taken) + *end);
    if (!wrong.empty()) return fmt::format("not valid with «{}»: {}", *end, wrong);
    return fmt::format("ends with {} bytes «{}»", end->size(), end->substr(0, 80));
  }

  static void say(const char* kind, const Subject& subject, const std::string& text) {
    fmt::print("{}: {}: {}\n", kind, subject.name, text.substr(0, 300));
    std::fflush(stdout);
  }

  void die(const std::string& where, const Error& error) {
    dead_ = true;
    fmt::print("the server is gone at {}: {}\n", where, error.message);
  }

  void report(const char* title, std::size_t of) {
    const std::vector<double>& times = counts_.ms_per_token;
    const double slowest = times.empty() ? 0 : *std::max_element(times.begin(), times.end());
    fmt::print(
        "{}: {} of {} grammars, {} refused; {} outputs of {} tokens: {} ended, {} ended when leant "
        "on, {} cut, of these {} that nothing ends; {} invalid, {} invalid as reported; {:.1f} ms "
        "per token, the slowest {:.1f}\n",
        title, counts_.subjects, of, counts_.refused, counts_.outputs, counts_.tokens,
        counts_.ended, counts_.leaned, counts_.cut, counts_.endless, counts_.invalid, counts_.loose,
        median(times), slowest);
  }

  Options options_;
  std::string url_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> dead_ = false;
  std::mutex mutex_;  // guards counts_ and stdout
  Counts counts_;
};

std::vector<Subject> phase_subjects(const BuildPhases& build) {
  std::vector<Subject> subjects;
  for (std::size_t i = 0; i < build.phases().size(); ++i) {
    subjects.push_back(
        Subject{build.phases()[i].name, build.grammar(i), true,
                [&build, i](const std::string& text) { return build.check_reply(i, text); }});
  }
  return subjects;
}

std::string check_value(const Schema& schema, const std::string& text) {
  const auto value = parse_json(text);
  if (!value) return "not JSON: " + value.error().message;
  if (lost_in_parsing(text)) return "";
  const auto violation = validate(schema, *value);
  return violation ? to_string(*violation) : "";
}

// Returns nothing if the file has no readable schema, or if no text fits the schema.
std::optional<Subject> schema_subject(const fs::path& path) {
  const auto file = parse_json(read_file(path));
  if (!file) return std::nullopt;
  const auto schema = parse_schema(member(*file, "schema"));
  if (!schema) return std::nullopt;
  std::vector<Loosened> loosened;
  GrammarBuilder builder;
  Expr root = add_schema(builder, *schema, "args", loosened);
  if (root == one_of({})) return std::nullopt;
  return Subject{path.filename().string(), print(builder.finish(std::move(root))),
                 loosened.empty() && schema->unchecked.empty(),
                 [schema = *schema](const std::string& text) { return check_value(schema, text); }};
}

std::vector<Subject> schema_subjects(const Options& options) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(options.folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<Subject> subjects;
  for (std::size_t i = options.from; i < files.size(); i += options.every) {
    if (auto subject = schema_subject(files[i])) subjects.push_back(*std::move(subject));
  }
  return subjects;
}

Options parse_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string arg = argv[i];
    const auto number = [&] { return i + 1 < argc ? std::strtoul(argv[++i], nullptr, 10) : 0; };
    if (arg == "-outputs") {
      options.outputs = static_cast<unsigned>(number());
    } else if (arg == "-threads") {
      options.threads = static_cast<unsigned>(number());
    } else if (arg == "-tokens") {
      options.max_tokens = static_cast<int>(number());
    } else if (arg == "-seconds") {
      options.max_seconds = static_cast<double>(number());
    } else if (arg == "-n") {
      options.every = std::max<std::size_t>(1, number());
    } else if (arg == "-from") {
      options.from = number();
    } else {
      options.folder = arg;
    }
  }
  return options;
}

int soak(const Options& options, const std::string& url) {
  Soak soak(options, url);
  if (options.folder.empty()) {
    const auto build = BuildPhases::load();
    if (!build) {
      fmt::print(stderr, "grammar_soak: {}\n", build.error().message);
      return 1;
    }
    return soak.run(phase_subjects(*build), "phases") ? 0 : 1;
  }
  return soak.run(schema_subjects(options), "schemas") ? 0 : 1;
}

}  // namespace
}  // namespace pedro

int main(int argc, char** argv) {
  const char* url = std::getenv("PEDROCLI_SERVER_URL");
  if (url == nullptr) {
    std::fputs("grammar_soak: run it by tests/llama/with-server\n", stderr);
    return 2;
  }
  return pedro::soak(pedro::parse_options(argc, argv), url);
}
