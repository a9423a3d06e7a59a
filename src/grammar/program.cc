#include "grammar/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "grammar/left_recursion.h"
#include "grammar/utf8_ranges.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxInsts = 1'000'000;
constexpr std::size_t kMaxTables = 20'000;  // 1 KiB each

using RuleIndex = std::unordered_map<std::string_view, std::uint32_t>;

Error grammar_error(std::string text) {
  return Error{ErrorKind::kConfig, std::move(text)};
}

const std::vector<Expr>& parts_of(const Expr& expr) {
  static const std::vector<Expr> none;
  if (const auto* list = std::get_if<Sequence>(&expr.node)) return list->items;
  if (const auto* list = std::get_if<Alternation>(&expr.node)) return list->options;
  if (const auto* repeat = std::get_if<Repetition>(&expr.node)) return repeat->item;
  return none;
}

Status check_expr(const Rule& rule, const Expr& expr, const RuleIndex& rules, int depth) {
  if (depth > kMaxExprDepth) {
    return grammar_error(
        fmt::format("rule '{}' nests more than {} deep", rule.name, kMaxExprDepth));
  }
  if (const auto* ref = std::get_if<RuleRef>(&expr.node); ref && !rules.contains(ref->name)) {
    return grammar_error(
        fmt::format("rule '{}' refers to '{}', which is not defined", rule.name, ref->name));
  }
  if (const auto* repeat = std::get_if<Repetition>(&expr.node)) {
    const int max = repeat->max.value_or(repeat->min);
    if (repeat->min < 0 || max < repeat->min || max > kMaxRepeats) {
      return grammar_error(fmt::format("rule '{}' repeats {} to {} times; at most {} is possible",
                                       rule.name, repeat->min, max, kMaxRepeats));
    }
  }
  if (const auto* token = std::get_if<Token>(&expr.node); token && (token->id || token->negated)) {
    return grammar_error(fmt::format("rule '{}' asks for {}: bytes cannot say what a token is",
                                     rule.name, print(expr)));
  }
  for (const Expr& part : parts_of(expr)) {
    Status status = check_expr(rule, part, rules, depth + 1);
    if (!status.ok()) return status;
  }
  return {};
}

Result<RuleIndex> check_grammar(const Gbnf& grammar) {
  RuleIndex rules;
  for (const Rule& rule : grammar.rules) {
    const auto index = static_cast<std::uint32_t>(rules.size());
    if (!rules.emplace(rule.name, index).second) {
      return grammar_error(fmt::format("rule '{}' is defined twice", rule.name));
    }
  }
  if (!rules.contains("root")) return grammar_error("there is no rule 'root'");
  for (const Rule& rule : grammar.rules) {
    const Status status = check_expr(rule, rule.expr, rules, 1);
    if (!status.ok()) return status.error();
  }
  const Status status = check_left_recursion(grammar);
  if (!status.ok()) return status.error();
  return rules;
}

// Writes code from the end to the beginning: each expression is told where to go on.
class Compiler {
 public:
  explicit Compiler(RuleIndex rules) : rules_(std::move(rules)) {
    add(Inst{Op::kFail});
    return_ = add(Inst{Op::kReturn});
  }

  Result<Program> compile(const Gbnf& grammar) {
    for (const Rule& rule : grammar.rules) {
      program_.rules.push_back(emit(rule.expr, return_));
      if (program_.insts.size() > kMaxInsts || program_.tables.size() > kMaxTables) {
        return grammar_error(
            fmt::format("the grammar is too large: more than {} instructions", kMaxInsts));
      }
    }
    program_.root = program_.rules[rules_.at("root")];
    return std::move(program_);
  }

 private:
  Pc add(Inst inst) {
    program_.insts.push_back(inst);
    return static_cast<Pc>(program_.insts.size() - 1);
  }

  Pc emit(const Expr& expr, Pc next) {
    return std::visit([&](const auto& node) { return emit_node(node, next); }, expr.node);
  }

  Pc emit_node(const Sequence& list, Pc next) {
    for (std::size_t i = list.items.size(); i-- > 0;) next = emit(list.items[i], next);
    return next;
  }

  Pc emit_node(const Literal& text, Pc next) { return emit_bytes(text.bytes, next); }

  Pc emit_node(const Token& token, Pc next) { return emit_bytes(token.text, next); }

  Pc emit_bytes(std::string_view bytes, Pc next) {
    for (std::size_t i = bytes.size(); i-- > 0;) {
      next = add(Inst{Op::kByte, static_cast<std::uint8_t>(bytes[i]), 0, next});
    }
    return next;
  }

  Pc emit_node(const RuleRef& ref, Pc next) {
    return add(Inst{Op::kCall, rules_.at(ref.name), 0, next});
  }

  Pc emit_node(const Alternation& list, Pc next) {
    std::vector<Pc> targets;
    for (const Expr& option : list.options) targets.push_back(emit(option, next));
    return split(targets);
  }

  Pc split(const std::vector<Pc>& targets) {
    const auto begin = static_cast<std::uint32_t>(program_.targets.size());
    program_.targets.insert(program_.targets.end(), targets.begin(), targets.end());
    return add(Inst{Op::kSplit, begin, static_cast<std::uint32_t>(targets.size())});
  }

  Pc emit_node(const Repetition& repeat, Pc next) {
    const Expr& item = repeat.item.front();
    if (repeat.max == 0) return next;
    if (repeat.max == 1) {
      const Pc once = emit(item, next);
      return repeat.min == 0 ? split({once, next}) : once;
    }
    if (!repeat.max && repeat.min <= 1) return loop(item, repeat.min == 1, next);
    const Pc code = emit(item, return_);
    const auto index = static_cast<std::uint32_t>(program_.repeats.size());
    program_.repeats.push_back(Repeat{code, static_cast<std::uint32_t>(repeat.min),
                                      static_cast<std::uint32_t>(repeat.max.value_or(0))});
    return add(Inst{Op::kRepeat, index, 0, next});
  }

  // Any number needs no counting: the item goes on at the place where it is decided again.
  Pc loop(const Expr& item, bool at_least_once, Pc next) {
    const Pc again = split({0, next});
    const Pc body = emit(item, again);
    program_.targets[program_.insts[again].a] = body;
    return at_least_once ? body : again;
  }

  Pc emit_node(const CharClass& set, Pc next) {
    const std::vector<Utf8Range> ranges = utf8_ranges(set);
    return trie(ranges.data(), ranges.data() + ranges.size(), 0, next);
  }

  // A table for byte number `depth` of the sequences in [begin, end), which agree before it.
  Pc trie(const Utf8Range* begin, const Utf8Range* end, std::size_t depth, Pc next) {
    if (begin == end || program_.tables.size() > kMaxTables) return 0;
    std::array<Pc, 256> table{};
    while (begin != end) {
      const ByteRange lead = begin->bytes[depth];
      const Utf8Range* rest = std::find_if(begin, end, [&](const Utf8Range& range) {
        return range.bytes[depth].first != lead.first;
      });
      const Pc target = begin->length == depth + 1 ? next : trie(begin, rest, depth + 1, next);
      std::fill(table.begin() + lead.first, table.begin() + lead.last + 1, target);
      begin = rest;
    }
    program_.tables.push_back(table);
    return add(Inst{Op::kTable, static_cast<std::uint32_t>(program_.tables.size() - 1)});
  }

  RuleIndex rules_;
  Program program_;
  Pc return_ = 0;
};

}  // namespace

Result<Program> compile_program(const Gbnf& grammar) {
  auto rules = check_grammar(grammar);
  if (!rules.ok()) return rules.error();
  return Compiler(std::move(*rules)).compile(grammar);
}

}  // namespace pedro
