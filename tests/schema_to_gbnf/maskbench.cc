// maskbench FOLDER [-n EVERY] [-list KIND] [-grammars OUT] [-judge VALIDATOR]
//
// Runs a folder of files {"schema": ..., "tests": [{"valid": ..., "data": ...}]} through the
// converter and the matcher. The format is that of MaskBench, a collection of real schemas for
// comparing grammar engines. A schema passes if it converts, every valid instance is accepted and
// every invalid one is rejected. The text of an instance is its JSON with a blank after ',' and
// ':'. -n runs only every EVERY-th file; -list prints the files of one kind ("rejects valid");
// -grammars writes each grammar to OUT; -judge also runs llama.cpp's test-gbnf-validator on every
// instance and counts its disagreements with the matcher.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "gbnf/match.h"
#include "json_schema/validate.h"
#include "schema_to_gbnf/schema_to_gbnf.h"
#include "support/read_file.h"

namespace pedro {
namespace {

namespace fs = std::filesystem;

constexpr double kMaxSeconds = 2;  // of processor time, from schema to grammar as texts

struct Options {
  std::string folder;
  std::size_t every = 1;
  std::string list;
  std::string grammars;
  std::string judge;
};

void write(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

struct Verdict {
  std::string kind = "pass";
  std::string detail;
};

class Bench {
 public:
  explicit Bench(Options options) : options_(std::move(options)) {
    std::string name = (fs::temp_directory_path() / "maskbench-XXXXXX").string();
    scratch_ = mkdtemp(name.data());
  }
  ~Bench() { fs::remove_all(scratch_); }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  int run() {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(options_.folder)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (std::size_t i = 0; i < files.size(); i += options_.every) {
      const Verdict verdict = judge(files[i]);
      ++kinds_[verdict.kind];
      ++total_;
      if (verdict.kind == options_.list) {
        fmt::print("{}: {}\n", files[i].filename().string(), verdict.detail);
      }
    }
    report();
    return 0;
  }

 private:
  static double since(std::clock_t start) {
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  }

  Verdict judge(const fs::path& path) {
    const auto file = parse_json(read_file(path));
    if (!file) return {"error", file.error().message};
    const std::clock_t start = std::clock();
    const auto schema = parse_schema(member(*file, "schema"));
    if (!schema) return {"error", schema.error().message};
    std::vector<Loosened> loosened;
    GrammarBuilder builder;
    Result<Expr> root = convert_schema(builder, *schema, "root-value", loosened);
    if (!root) return {"error", root.error().message};
    const Gbnf grammar = builder.finish(*std::move(root));
    const std::string text = print(grammar);
    const double seconds = since(start);
    seconds_ += seconds;
    if (seconds > slowest_) {
      slowest_ = seconds;
      slowest_name_ = path.filename().string();
    }
    if (text.size() > largest_) {
      largest_ = text.size();
      largest_name_ = path.filename().string();
    }
    bytes_ += text.size();
    if (!loosened.empty() || !schema->unchecked.empty()) ++reported_;
    if (!options_.grammars.empty()) {
      write(fs::path(options_.grammars) / (path.stem().string() + ".gbnf"), text);
    }
    if (seconds > kMaxSeconds) return {"slow", fmt::format("{:.1f} s", seconds)};
    const auto compiled = Matcher::compile(grammar);
    if (!compiled) return {"error", compiled.error().message};
    Verdict verdict = judge_instances(member(*file, "tests"), *schema, *compiled, text);
    for (const Loosened& one : loosened) {
      verdict.detail += fmt::format(" [{} {}: {}]", one.pointer, one.keyword, one.instead);
    }
    for (const Unchecked& one : schema->unchecked) {
      verdict.detail += fmt::format(" [{} {}: unchecked: {}]", one.pointer, one.keyword, one.why);
    }
    return verdict;
  }

  Verdict judge_instances(const Json& tests, const Schema& schema, const Matcher& compiled,
                          const std::string& grammar) {
    Verdict rejects;
    Verdict accepts;
    if (!options_.judge.empty()) write(scratch_ / "grammar", grammar);
    for (const Json& test : tests) {
      const Json& data = member(test, "data");
      const bool valid = truth_of(test, "valid");
      const std::string text = to_spaced_line(data);
      const auto violation = validate(schema, data);
      if (violation.has_value() == valid) {
        ++misjudged_;
        if (options_.list == "validator") {
          fmt::print("validator: {} {}\n", valid, violation ? to_string(*violation) : text);
        }
      }
      Matcher matcher = compiled;
      const auto taken = matcher.accept(text);
      if (!taken) return {"error", taken.error().message};
      const bool matches = *taken == text.size() && matcher.is_complete();
      if (!options_.judge.empty()) ask(text, matches);
      if (valid && !matches) {
        rejects = {"rejects valid", fmt::format("at {} of: {}<<>>{}", *taken,
                                                text.substr(0, *taken), text.substr(*taken, 60))};
      }
      if (!valid && matches) accepts = {"accepts invalid", text.substr(0, 300)};
      ++instances_;
    }
    return rejects.detail.empty() ? accepts : rejects;
  }

  // Runs llama.cpp's own engine on the text.
  void ask(const std::string& text, bool matches) {
    write(scratch_ / "input", text);
    const std::string command =
        fmt::format("timeout 60 '{}' '{}' '{}' 2>&1", options_.judge,
                    (scratch_ / "grammar").string(), (scratch_ / "input").string());
    std::FILE* pipe = popen(command.c_str(), "r");
    std::string said(4096, '\0');
    said.resize(std::fread(said.data(), 1, said.size(), pipe));
    pclose(pipe);
    ++judged_;
    const bool valid = said.starts_with("Input string is valid");
    const bool invalid = said.starts_with("Input string is invalid");
    if (valid == matches && (valid || invalid)) return;
    ++disagreed_;
    fmt::print("llama.cpp: '{}' where the matcher says {}: {}\n", said.substr(0, 200), matches,
               text.substr(0, 200));
  }

  void report() const {
    for (const auto& [kind, count] : kinds_) {
      fmt::print("{:16} {:5}  {:5.1f} %\n", kind, count,
                 100.0 * static_cast<double>(count) / static_cast<double>(total_));
    }
    fmt::print("of {} schemas, {} instances; {} with something reported as not expressed\n", total_,
               instances_, reported_);
    fmt::print("the validator is wrong about {} instances\n", misjudged_);
    if (judged_ > 0) {
      fmt::print("llama.cpp was asked about {}, and disagrees on {}\n", judged_, disagreed_);
    }
    fmt::print("{:.1f} CPU-s in all for schema to grammar, {:.1f} MB of GBNF\n", seconds_,
               static_cast<double>(bytes_) / 1e6);
    fmt::print("slowest: {:.3f} CPU-s, {}\n", slowest_, slowest_name_);
    fmt::print("largest: {:.1f} MB, {}\n", static_cast<double>(largest_) / 1e6, largest_name_);
  }

  Options options_;
  fs::path scratch_;
  std::map<std::string, std::size_t> kinds_;
  std::size_t total_ = 0;
  std::size_t instances_ = 0;
  std::size_t reported_ = 0;
  std::size_t misjudged_ = 0;
  std::size_t judged_ = 0;
  std::size_t disagreed_ = 0;
  std::size_t bytes_ = 0;
  double seconds_ = 0;
  double slowest_ = 0;
  std::string slowest_name_;
  std::size_t largest_ = 0;
  std::string largest_name_;
};

}  // namespace
}  // namespace pedro

int main(int argc, char** argv) {
  pedro::Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string arg = argv[i];
    const bool more = i + 1 < argc;
    if (arg == "-n" && more) {
      options.every = std::max<std::size_t>(1, std::strtoul(argv[++i], nullptr, 10));
    } else if (arg == "-list" && more) {
      options.list = argv[++i];
    } else if (arg == "-grammars" && more) {
      options.grammars = argv[++i];
    } else if (arg == "-judge" && more) {
      options.judge = argv[++i];
    } else {
      options.folder = arg;
    }
  }
  if (options.folder.empty() || !std::filesystem::is_directory(options.folder)) {
    fmt::print(stderr,
               "usage: maskbench FOLDER [-n EVERY] [-list KIND] [-grammars OUT] [-judge "
               "VALIDATOR]\n");
    return 2;
  }
  return pedro::Bench(std::move(options)).run();
}
