#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "base/json.h"
#include "base/text.h"
#include "base/utf8.h"
#include "byte_set_text.h"
#include "gbnf/check_gbnf.h"
#include "gbnf/match.h"
#include "gbnf/source_excerpt.h"
#include "grammar_command.h"
#include "grammar_facts.h"
#include "text_input.h"

namespace pedro {
namespace {

constexpr std::size_t kShownLineBytes = 70;

// A row: its key in JSON, its label, its value and the value's text.
struct Explained {
  const char* key;
  const char* label;
  Json value;
  std::string text;
};

std::string shown(std::string_view text) {
  const std::string_view head = truncate_utf8(text, kShownLineBytes);
  return head.size() < text.size() ? std::string(head) + "..." : std::string(text);
}

class Explainer {
 public:
  explicit Explainer(const ParsedGbnf& parsed) : parsed_(parsed), graph_(parsed.grammar) {}

  std::vector<Explained> run() {
    tell_size();
    tell_rules();
    tell_repetition();
    tell_texts();
    return std::move(rows_);
  }

 private:
  void add(const char* key, const char* label, Json value, std::string text) {
    rows_.push_back({key, label, std::move(value), std::move(text)});
  }

  void tell_size() {
    const std::size_t bytes = print(parsed_.grammar).size();
    add("rules", "rules", graph_.size(), std::to_string(graph_.size()));
    add("bytes", "bytes", bytes, fmt::format("{}, without comments and layout", bytes));
    const std::vector<bool> reachable = graph_.reachable();
    std::vector<std::string> unused;
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      if (!reachable[i]) unused.push_back(parsed_.grammar.rules[i].name);
    }
    if (unused.empty()) return;
    add("unreachable", "unused", unused,
        fmt::format("{}: {}", unused.size(), join_within(unused, kShownLineBytes)));
  }

  void add_rule(const char* key, const char* label, const RuleFact& fact, std::string_view what) {
    if (fact.amount == 0) return;
    add(key, label, {{"rule", fact.rule}, {"amount", fact.amount}},
        fmt::format("{}: {} {}", shown(fact.rule), fact.amount, what));
  }

  void tell_rules() {
    add_rule("longest_rule", "longest rule", longest_rule(parsed_.grammar), "bytes");
    add_rule("deepest_rule", "deepest rule", deepest_rule(parsed_.grammar), "deep");
    add_rule("optional_chain", "ambiguous", longest_chain(graph_),
             "equal optional items in a row; each doubles a server's time");
  }

  void tell_repetition() {
    const auto& sites = parsed_.repetitions;
    const auto top = std::max_element(sites.begin(), sites.end(), [](const auto& a, const auto& b) {
      return a.cost() < b.cost();
    });
    if (top == sites.end() || top->cost() <= 1) return;
    const LineColumn place = line_column(parsed_.source, top->offset);
    add("repetition", "repetition",
        {{"symbols", top->cost()}, {"line", place.line}, {"column", place.column}},
        fmt::format("{} symbols of the {} that a server allows, at {}:{}", top->cost(),
                    kMaxRepetitionCost, place.line, place.column));
  }

  // Requires a grammar that can be compiled.
  void tell_texts() {
    const GbnfReport report = check_gbnf(parsed_);
    if (report.has_errors()) {
      add("errors", "errors", true, "a server refuses it or hangs; see `pedrocli grammar check`");
      return;
    }
    const Result<Matcher> matcher = Matcher::compile(parsed_.grammar);
    if (!matcher) {
      add("not_followed", "texts", matcher.error().message, matcher.error().message);
      return;
    }
    tell_recursion();
    const std::vector<std::string> first = describe_bytes(matcher->next_bytes());
    add("first_bytes", "first bytes", matcher->next_bytes().count(),
        fmt::format("{}: {}", matcher->next_bytes().count(), join_within(first, kShownLineBytes)));
    const std::string forced = matcher->forced();
    if (forced.empty()) return;
    add("begins_with", "begins with", forced, shown(to_line(Json(forced))));
  }

  void tell_recursion() {
    const TextFacts facts = text_facts(parsed_.grammar);
    if (!facts.cycle.empty()) {
      std::vector<std::string> path = facts.cycle;
      path.push_back(path.front());
      add("recursion", "recursion", facts.cycle, shown(join(path, " -> ")));
    }
    if (!facts.any) {
      add("longest_text", "texts", -1, "none: nothing matches");
    } else if (facts.longest) {
      add("longest_text", "texts", *facts.longest, fmt::format("{} bytes at most", *facts.longest));
    } else {
      add("longest_text", "texts", nullptr, "of unlimited length");
    }
  }

  const ParsedGbnf& parsed_;
  RuleGraph graph_;
  std::vector<Explained> rows_;
};

int explain_grammar(CommandContext& context, const std::string& file) {
  const Result<TextInput> input = read_input(context, file, kMaxGbnfBytes);
  if (!input) return report_error(input.error(), context.cancel);
  const Result<ParsedGbnf> parsed = parse_gbnf(input->text, input->name);
  if (!parsed) return report_error(parsed.error(), context.cancel);
  const std::vector<Explained> rows = Explainer(*parsed).run();
  if (context.global.json) {
    Json all = Json::object();
    for (const Explained& row : rows) all[row.key] = row.value;
    print(to_line(all) + "\n");
    return kExitDone;
  }
  for (const Explained& row : rows) {
    print(make_printable(fmt::format("{:<13} {}\n", row.label, row.text)));
  }
  return kExitDone;
}

}  // namespace

CommandFunction add_grammar_explain(CLI::App& command) {
  auto file = std::make_shared<std::string>();
  command.add_option("file", *file, "A grammar in GBNF, or -")->required();
  return [file](CommandContext& context) { return explain_grammar(context, *file); };
}

}  // namespace pedro
