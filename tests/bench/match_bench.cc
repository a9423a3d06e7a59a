// The speed of compiling and matching a grammar. Prints MB/s on a JSON document under a grammar of
// all of JSON. The reference is nlohmann::json::accept on the same text in the same run. Prints the
// cost of a grammar of 4 MB. With llama.cpp's test-gbnf-validator, also prints the ratio of whole
// processes.
//
//   match_bench [TEST-GBNF-VALIDATOR [VALIDATOR-KB]]
//   match_bench --once FILE      checks only if FILE is JSON: the measured process
#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "gbnf/gbnf.h"
#include "gbnf/match.h"
#include "support/read_file.h"

namespace {

using pedro::alternation;
using pedro::Expr;
using pedro::Gbnf;
using pedro::literal;
using pedro::maybe;
using pedro::none_of;
using pedro::one_of;
using pedro::repetition;
using pedro::Rule;
using pedro::rule_ref;
using pedro::sequence;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Expr many(Expr item) {
  return repetition(std::move(item), 0, std::nullopt);
}

Expr list_of(const char* open, const Expr& item, const char* close) {
  const Expr space = rule_ref("space");
  const Expr more = many(sequence({literal(","), space, item}));
  return sequence({literal(open), space, maybe(sequence({item, more})), literal(close), space});
}

Gbnf json_grammar() {
  const Expr digits = repetition(one_of({{'0', '9'}}), 1, std::nullopt);
  const Expr hex = one_of({{'0', '9'}, {'A', 'F'}, {'a', 'f'}});
  const Expr plain = none_of({{0, 0x1F}, {'"', '"'}, {'\\', '\\'}});
  const Expr escaped = alternation({one_of({{'"', '"'},
                                            {'/', '/'},
                                            {'\\', '\\'},
                                            {'b', 'b'},
                                            {'f', 'f'},
                                            {'n', 'n'},
                                            {'r', 'r'},
                                            {'t', 't'}}),
                                    sequence({literal("u"), repetition(hex, 4, 4)})});
  const Expr sign = maybe(one_of({{'+', '+'}, {'-', '-'}}));
  const Expr space = rule_ref("space");
  const Expr member = sequence({rule_ref("string"), literal(":"), space, rule_ref("value")});
  return Gbnf{{
      Rule{"root", sequence({space, rule_ref("value")})},
      Rule{"value",
           alternation({rule_ref("object"), rule_ref("array"), rule_ref("string"),
                        rule_ref("number"), sequence({literal("true"), space}),
                        sequence({literal("false"), space}), sequence({literal("null"), space})})},
      Rule{"object", list_of("{", member, "}")},
      Rule{"array", list_of("[", rule_ref("value"), "]")},
      Rule{"string",
           sequence({literal("\""), many(alternation({plain, sequence({literal("\\"), escaped})})),
                     literal("\""), space})},
      Rule{"number",
           sequence({maybe(literal("-")),
                     alternation({literal("0"),
                                  sequence({one_of({{'1', '9'}}), many(one_of({{'0', '9'}}))})}),
                     maybe(sequence({literal("."), digits})),
                     maybe(sequence({one_of({{'E', 'E'}, {'e', 'e'}}), sign, digits})), space})},
      Rule{"space", repetition(one_of({{'\t', '\n'}, {' ', ' '}}), 0, 20)},
  }};
}

// Builds typical records: text with escapes and non-ASCII letters, numbers, nesting.
nlohmann::json record(std::minstd_rand& random) {
  static const char* const kWords[] = {"grammar",      "the",    "said \"so\"", "na\u00EFve",
                                       "C:\\path",     "line\n", "caf\u00E9",   "and then",
                                       "\u65E5\u672C", "matcher"};
  const auto text = [&](std::size_t words) {
    std::string out;
    for (std::size_t i = 0; i < words; ++i) out += std::string(kWords[random() % 10]) + " ";
    return out;
  };
  nlohmann::json out = {
      {"id", random() % 1'000'000},  {"title", text(4)},
      {"text", text(random() % 60)}, {"score", static_cast<double>(random() % 10'000) / 64},
      {"open", random() % 2 == 0},   {"parent", nullptr}};
  for (auto i = random() % 8; i > 0; --i) out["tags"].push_back(text(1));
  for (auto i = random() % 6; i > 0; --i) {
    out["at"].push_back({{"x", random() % 999}, {"y", {1, 2, -0.5e-3, nlohmann::json::array()}}});
  }
  return out;
}

std::string json_document(std::size_t bytes) {
  std::minstd_rand random(1);
  std::string out = "[\n  " + record(random).dump();
  for (bool indented = true; out.size() < bytes; indented = !indented) {
    out += ",\n  " + record(random).dump(indented ? 2 : -1);
  }
  return out + "\n]\n";
}

bool is_json(const pedro::Matcher& begin, const std::string& text) {
  pedro::Matcher matcher = begin;
  const auto taken = matcher.accept(text);
  return taken.ok() && *taken == text.size() && matcher.is_complete();
}

template <typename Function>
double best_of(int runs, Function&& function) {
  double best = 1e9;
  for (int run = 0; run < runs; ++run) {
    const auto start = std::chrono::steady_clock::now();
    if (!function()) {
      std::fputs("match_bench: a document that is JSON was refused\n", stderr);
      std::exit(1);
    }
    best = std::min(best, seconds_since(start));
  }
  return best;
}

void measure_text() {
  const std::string text = json_document(10'000'000);
  const double megabytes = static_cast<double>(text.size()) * 1e-6;
  const auto begin = pedro::Matcher::compile(json_grammar());
  if (!begin.ok()) std::exit(1);
  const double ours = best_of(5, [&] { return is_json(*begin, text); });
  const double theirs = best_of(5, [&] { return nlohmann::json::accept(text); });
  fmt::print("JSON of {:.1f} MB, whole: {:.0f} MB/s; nlohmann::json::accept: {:.0f} MB/s\n",
             megabytes, megabytes / ours, megabytes / theirs);
  const double pieces = best_of(3, [&] {
    pedro::Matcher matcher = *begin;
    bool fits = true;
    for (std::size_t at = 0; fits && at < text.size(); at += 4) {
      const std::string_view piece = std::string_view(text).substr(at, 4);
      fits = *matcher.accept(piece) == piece.size();
    }
    return fits && matcher.is_complete();
  });
  const double fresh = best_of(3, [&] {
    const auto matcher = pedro::Matcher::compile(json_grammar());
    return matcher.ok() && is_json(*matcher, "[0]");
  });
  fmt::print(
      "in pieces of 4 bytes: {:.0f} MB/s; compiling the grammar and a first text: {:.0f} us\n",
      megabytes / pieces, fresh * 1e6);
}

long peak_kb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

// Builds about 4 MB of text: 40,000 rules in the form of a schema converter.
Gbnf large_grammar() {
  Gbnf out = json_grammar();
  const Expr character = none_of({{0, 0x1F}, {'"', '"'}, {'\\', '\\'}, {0x7F, 0x7F}});
  for (int i = 0; i < 40'000; ++i) {
    const std::string number = std::to_string(i);
    const Expr text = sequence({literal("\""), repetition(character, 0, 20), literal("\"")});
    const Expr next = rule_ref("rule-" + std::to_string((i + 1) % 40'000));
    out.rules.push_back(Rule{
        "rule-" + number,
        sequence({literal("{\"name-" + number + "\": "), alternation({text, rule_ref("value")}),
                  maybe(sequence({literal(", "), next})), literal("}")})});
  }
  out.rules[0].expr = rule_ref("rule-0");
  return out;
}

void measure_compiling() {
  const Gbnf grammar = large_grammar();
  const std::size_t bytes = print(grammar).size();
  const long before_kb = peak_kb();
  const auto start = std::chrono::steady_clock::now();
  const bool fits = pedro::Matcher::compile(grammar).ok();
  fmt::print("grammar of {:.1f} MB, {} rules: {} in {:.3f} s, {:.0f} MB more memory\n",
             static_cast<double>(bytes) * 1e-6, grammar.rules.size(), fits ? "compiled" : "REFUSED",
             seconds_since(start), static_cast<double>(peak_kb() - before_kb) / 1024);
}

void write(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

double run(const std::vector<std::string>& args) {
  const auto start = std::chrono::steady_clock::now();
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    std::vector<char*> argv;
    for (const std::string& arg : args) argv.push_back(const_cast<char*>(arg.c_str()));
    argv.push_back(nullptr);
    if (freopen("/dev/null", "w", stdout) == nullptr) _exit(127);
    execv(argv[0], argv.data());
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    fmt::print(stderr, "match_bench: {} failed\n", args[0]);
    std::exit(1);
  }
  return seconds_since(start);
}

void measure_processes(const std::string& validator, std::size_t bytes) {
  std::string folder = std::filesystem::temp_directory_path() / "pedro-bench-XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) return;
  const std::string grammar = folder + "/json.gbnf";
  const std::string text = folder + "/text.json";
  const std::string small = folder + "/small.json";
  write(grammar, print(json_grammar()));
  write(text, json_document(bytes));
  write(small, "0");
  const std::string self = std::filesystem::canonical("/proc/self/exe");
  const auto best = [](int runs, const std::vector<std::string>& args) {
    double least = 1e9;
    for (int i = 0; i < runs; ++i) least = std::min(least, run(args));
    return least;
  };
  const double our_start = best(9, {self, "--once", small});
  const double our_s = best(9, {self, "--once", text});
  const double their_start = best(3, {validator, grammar, small});
  const double their_s = best(1, {validator, grammar, text});
  fmt::print(
      "whole processes on {:.0f} KB: {:.1f} ms (start {:.1f} ms); test-gbnf-validator: "
      "{:.0f} ms (start {:.0f} ms); without the starts it takes {:.0f} times as long\n",
      static_cast<double>(bytes) * 1e-3, our_s * 1e3, our_start * 1e3, their_s * 1e3,
      their_start * 1e3, (their_s - their_start) / std::max(our_s - our_start, 1e-5));
  std::filesystem::remove_all(folder);
}

int once(const std::string& path) {
  const std::string text = pedro::read_file(path);
  const auto begin = pedro::Matcher::compile(json_grammar());
  return begin.ok() && is_json(*begin, text) ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::strcmp(argv[1], "--once") == 0) return once(argv[2]);
  measure_compiling();
  measure_text();
  if (argc < 2) return 0;
  const int kilobytes = argc > 2 ? std::max(1, std::atoi(argv[2])) : 500;
  measure_processes(argv[1], static_cast<std::size_t>(kilobytes) * 1000);
  return 0;
}
