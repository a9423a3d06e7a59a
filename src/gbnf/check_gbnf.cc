#include "gbnf/check_gbnf.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "base/text.h"
#include "base/utf8.h"
#include "gbnf/left_recursion.h"
#include "gbnf/nullable.h"
#include "gbnf/optional_chain.h"
#include "gbnf/rule_graph.h"
#include "gbnf/source_excerpt.h"

namespace pedro {
namespace {

// An unbounded run of blanks (space, \t, \n, \v, \f, \r). A model without a better continuation
// writes blanks until its token limit.
struct EndlessBlank {
  std::size_t rule = 0;  // index of the rule
  std::size_t at = 0;    // Repetition::at, or 0 if the rule itself is recursive
};

constexpr std::string_view kBlanks = " \t\n\v\f\r";

bool is_blank(const CharRange& range) {
  return (range.first >= '\t' && range.last <= '\r') || (range.first == ' ' && range.last == ' ');
}

// Returns true if the node `expr`, without its parts, matches only blanks.
bool is_blank_itself(const Expr& expr) {
  if (const auto* text = std::get_if<Literal>(&expr.node)) {
    return text->bytes.find_first_not_of(kBlanks) == std::string::npos;
  }
  if (const auto* set = std::get_if<CharClass>(&expr.node)) {
    return !set->negated && std::all_of(set->ranges.begin(), set->ranges.end(), is_blank);
  }
  return !std::holds_alternative<Token>(expr.node);
}

class BlankSearch {
 public:
  explicit BlankSearch(const RuleGraph& graph)
      : graph_(graph), blank_(graph.size(), true), referring_(graph.size()) {
    find_blank_rules();
  }

  std::vector<EndlessBlank> run() {
    const std::vector<bool> reachable = graph_.reachable();
    const std::vector<bool> recursive = recursive_blanks();
    for (rule_ = 0; rule_ < graph_.size(); ++rule_) {
      if (!reachable[rule_]) continue;
      if (recursive[rule_]) out_.push_back(EndlessBlank{rule_, 0});
      search(graph_.grammar().rules[rule_].expr);
    }
    return std::move(out_);
  }

 private:
  // Assumes that all rules are blank; excludes those that match other characters, directly or by
  // reference.
  void find_blank_rules() {
    std::vector<std::size_t> others;
    const auto exclude = [&](std::size_t rule) {
      if (blank_[rule]) others.push_back(rule);
      blank_[rule] = false;
    };
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      for (const std::size_t rule : graph_.references(i)) referring_[rule].push_back(i);
    }
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      if (!is_blank(graph_.grammar().rules[i].expr)) exclude(i);
    }
    while (!others.empty()) {
      const std::size_t rule = others.back();
      others.pop_back();
      for (const std::size_t next : referring_[rule]) exclude(next);
    }
  }

  bool is_blank(const Expr& expr) const {
    if (const auto* ref = std::get_if<RuleRef>(&expr.node)) {
      const std::size_t rule = graph_.find(ref->name);
      return rule != RuleGraph::kNoRule && blank_[rule];
    }
    const auto parts = children(expr);
    return is_blank_itself(expr) &&
           std::all_of(parts.begin(), parts.end(),
                       [this](const Expr& part) { return is_blank(part); });
  }

  // Returns the blank rules on or between cycles of references. Repeatedly removes rules without
  // references from remaining blank rules, then rules without references to any.
  std::vector<bool> recursive_blanks() const {
    std::vector<bool> left = blank_;
    take_away(
        left, [this](std::size_t rule) -> const auto& { return graph_.references(rule); },
        [this](std::size_t rule) -> const auto& { return referring_[rule]; });
    take_away(
        left, [this](std::size_t rule) -> const auto& { return referring_[rule]; },
        [this](std::size_t rule) -> const auto& { return graph_.references(rule); });
    return left;
  }

  template <typename To, typename From>
  void take_away(std::vector<bool>& left, To to, From from) const {
    std::vector<std::size_t> count(graph_.size(), 0);
    std::vector<std::size_t> none;
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      if (!left[i]) continue;
      for (const std::size_t rule : from(i)) count[i] += left[rule] ? 1 : 0;
      if (count[i] == 0) none.push_back(i);
    }
    while (!none.empty()) {
      const std::size_t rule = none.back();
      none.pop_back();
      left[rule] = false;
      for (const std::size_t next : to(rule)) {
        if (left[next] && --count[next] == 0) none.push_back(next);
      }
    }
  }

  void search(const Expr& expr) {
    const auto* repeat = std::get_if<Repetition>(&expr.node);
    if (repeat && !repeat->max && is_blank(repeat->item.front())) {
      out_.push_back(EndlessBlank{rule_, repeat->at});
      return;
    }
    for (const Expr& part : children(expr)) search(part);
  }

  const RuleGraph& graph_;
  std::vector<bool> blank_;
  std::vector<std::vector<std::size_t>> referring_;
  std::vector<EndlessBlank> out_;
  std::size_t rule_ = 0;
};

// Finds the unbounded blanks that are reachable from root. These are repetitions of blanks, like
// `[ \t\n]*`, and recursive rules of blanks, like `ws ::= ([ \n] ws)?`.
std::vector<EndlessBlank> endless_blanks(const RuleGraph& graph) {
  return BlankSearch(graph).run();
}

constexpr std::size_t kMaxShownName = 64;
constexpr std::size_t kMaxSuggestions = 20;   // each compares at most
constexpr std::size_t kMaxCandidates = 1000;  // this many names

std::string shown(std::string_view name) {
  const std::string_view head = truncate_utf8(name, kMaxShownName);
  return fmt::format("'{}{}'", make_printable(head), head.size() < name.size() ? "..." : "");
}

class Checker {
 public:
  explicit Checker(const ParsedGbnf& parsed)
      : parsed_(parsed), graph_(parsed.grammar), nullable_(graph_) {
    for (const NameSite& site : parsed.definitions) last_[site.name] = site.offset;
  }

  GbnfReport run() {
    check_root();
    check_definitions();
    check_references();
    for (const RepetitionSite& site : parsed_.repetitions) check_repetition(site);
    for (const Oddity& oddity : parsed_.oddities) check_oddity(oddity);
    check_recursion();
    check_reachable();
    check_costs();
    return std::move(report_);
  }

 private:
  void error(std::size_t offset, std::string message) {
    report_.findings.push_back(Finding{Severity::kError, offset, std::move(message)});
  }
  void warn(std::size_t offset, std::string message) {
    report_.findings.push_back(Finding{Severity::kWarning, offset, std::move(message)});
  }

  // Returns the offset of the rule's last definition, which is the effective one.
  std::size_t place_of(std::size_t rule) const {
    return last_.at(parsed_.grammar.rules[rule].name);
  }

  std::size_t place_of(std::size_t rule, std::size_t at) const {
    return at == 0 ? place_of(rule) : at;
  }

  std::string suggestion(std::string_view name) {
    if (++suggestions_ > kMaxSuggestions) return "";
    std::vector<std::string> names;
    for (const Rule& rule : parsed_.grammar.rules) {
      if (names.size() == kMaxCandidates) break;
      names.push_back(rule.name);
    }
    return did_you_mean(name, names);
  }

  void check_root() {
    if (last_.contains("root")) return;
    const std::size_t at = parsed_.definitions.empty() ? 0 : parsed_.definitions.front().offset;
    error(at, fmt::format("there is no rule 'root', where matching begins{}: give the rule for the "
                          "whole text this name",
                          suggestion("root")));
  }

  void check_definitions() {
    std::unordered_map<std::string_view, std::size_t> first;
    for (const NameSite& site : parsed_.definitions) {
      const auto [it, is_new] = first.emplace(site.name, site.offset);
      if (is_new) {
        check_name(site);
        continue;
      }
      warn(site.offset,
           fmt::format(
               "rule {} is defined again (first on line {}); only the last definition counts",
               shown(site.name), line_column(parsed_.source, it->second).line));
    }
  }

  void check_name(const NameSite& site) {
    const bool bad = std::any_of(site.name.begin(), site.name.end(), [](char c) {
      return c == '_' || static_cast<unsigned char>(c) >= 0x80;
    });
    if (!bad) return;
    const std::string plain = rule_name(site.name);
    std::string free = plain;
    for (int i = 2; i < 100 && last_.contains(free); ++i) free = fmt::format("{}-{}", plain, i);
    error(site.offset, fmt::format("only letters, digits and '-' are allowed in a rule's name, {} "
                                   "is refused: write '{}'",
                                   shown(site.name), free));
  }

  void check_references() {
    std::unordered_set<std::string_view> seen;
    for (const NameSite& site : parsed_.references) {
      if (last_.contains(site.name) || !seen.insert(site.name).second) continue;
      error(site.offset, fmt::format("rule {} is not defined{}: write it, or correct the name",
                                     shown(site.name), suggestion(site.name)));
    }
  }

  void check_repetition(const RepetitionSite& site) {
    const std::uint64_t most = std::max(site.min, site.max.value_or(0));
    if (most > kMaxRepeats) {
      error(site.offset,
            fmt::format("{} repetitions are too many, {} is the most: a server refuses more or "
                        "reads it as any number; repeat a rule that repeats",
                        most, kMaxRepeats));
    } else if (site.max && site.min > *site.max) {
      error(site.offset,
            fmt::format("at least {} and at most {} is impossible, a server refuses it or "
                        "hangs: write {{{},{}}}",
                        site.min, *site.max, *site.max, site.min));
    } else if (site.cost() > kMaxRepetitionCost) {
      error(site.offset,
            fmt::format("{}; it refuses more than {}: move the repeated part into its own rule",
                        cost_text(site), kMaxRepetitionCost));
    } else if (site.cost() == kMaxRepetitionCost) {
      warn(site.offset,
           cost_text(site) + "; older ones refuse that: move the repeated part into its own rule");
    }
  }

  static std::string cost_text(const RepetitionSite& site) {
    return fmt::format("a server expands the repeated part to {} symbols, {} in all", site.symbols,
                       site.cost());
  }

  void check_oddity(const Oddity& oddity) {
    switch (oddity.kind) {
      case Oddity::Kind::kDashEscape:
        warn(oddity.offset, R"(older servers refuse '\-': write '\x2D')");
        break;
      case Oddity::Kind::kEmptyClass:
        warn(oddity.offset,
             "a server reads an empty class as the empty text: remove it, or write '.' for any "
             "character");
        break;
      case Oddity::Kind::kReversedRange:
        warn(oddity.offset, "this range runs backwards and is empty: swap its ends");
        break;
    }
  }

  void check_recursion() {
    for (const LeftCycle& cycle : left_recursions(graph_, nullable_, kMaxFindings)) {
      error(place_of(graph_.find(cycle.front())),
            fmt::format("left recursion: {}: the cycle consumes no character, a server refuses it "
                        "or hangs; begin with a required item",
                        text_of(cycle)));
    }
    for (const EndlessNothing& found : endless_nothings(parsed_.grammar, nullable_)) {
      error(place_of(found.rule, found.repetition->at),
            "an item that may be empty is repeated without limit, a server refuses it or hangs: "
            "repeat only items that consume a character");
    }
  }

  static std::string text_of(LeftCycle cycle) {
    for (std::string_view& name : cycle) name = truncate_utf8(name, kMaxShownName);
    return make_printable(to_text(cycle));
  }

  void check_reachable() {
    if (!last_.contains("root")) return;
    const std::vector<bool> reachable = graph_.reachable();
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      if (reachable[i]) continue;
      warn(place_of(i), fmt::format("root does not reach rule {}: refer to it, or remove it",
                                    shown(parsed_.grammar.rules[i].name)));
    }
  }

  void check_costs() {
    for (const OptionalChain& chain : optional_chains(graph_, nullable_)) {
      warn(place_of(chain.rule, chain.at),
           fmt::format(
               "{} optional items in a row are alike, each doubles the time for a token: write "
               "one with a count, like x{{0,{}}}",
               chain.length, chain.length));
    }
    for (const EndlessBlank& blank : endless_blanks(graph_)) {
      warn(place_of(blank.rule, blank.at),
           "blanks without limit, a model may write them forever: set a limit, like [ \\n]{0,20}");
    }
  }

  const ParsedGbnf& parsed_;
  RuleGraph graph_;
  Nullable nullable_;
  std::unordered_map<std::string_view, std::size_t> last_;
  GbnfReport report_;
  std::size_t suggestions_ = 0;
};

void shorten(GbnfReport& report) {
  auto& all = report.findings;
  if (all.size() <= kMaxFindings) return;
  std::stable_partition(all.begin(), all.end(), [](const Finding& finding) {
    return finding.severity == Severity::kError;
  });
  report.left_out = all.size() - kMaxFindings;
  all.resize(kMaxFindings);
}

}  // namespace

bool GbnfReport::has_errors() const {
  return std::any_of(findings.begin(), findings.end(),
                     [](const Finding& finding) { return finding.severity == Severity::kError; });
}

GbnfReport check_gbnf(const ParsedGbnf& parsed) {
  GbnfReport report = Checker(parsed).run();
  const auto earlier = [](const Finding& a, const Finding& b) { return a.offset < b.offset; };
  std::stable_sort(report.findings.begin(), report.findings.end(), earlier);
  shorten(report);
  std::stable_sort(report.findings.begin(), report.findings.end(), earlier);
  return report;
}

std::string to_text(const GbnfReport& report, const ParsedGbnf& parsed) {
  std::string out;
  for (const Finding& finding : report.findings) {
    const bool is_error = finding.severity == Severity::kError;
    out += located(parsed.name, parsed.source, finding.offset,
                   (is_error ? "error: " : "warning: ") + finding.message);
    out += '\n';
  }
  if (report.left_out > 0) {
    out += fmt::format("{}: {} more findings are not shown\n", parsed.name, report.left_out);
  }
  return out;
}

}  // namespace pedro
