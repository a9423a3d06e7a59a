#include "gbnf/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "gbnf/left_recursion.h"
#include "gbnf/rule_graph.h"

namespace pedro {
namespace {

// The byte tables of all classes of a grammar. Equal classes share their lists, and equal tables
// are stored once.
class TablePool {
 public:
  // A result of class_tables(), as indices in tables_.
  struct List {
    std::uint32_t id = 0;  // unique
    std::vector<std::uint32_t> tables;
  };

  // Returns the lists of a class, valid until the next call. Above `max_tables` tables, new
  // classes have no lists, so the caller must check size().
  const std::vector<List>& lists_of(const CharClass& set, std::size_t max_tables);

  std::size_t size() const { return tables_.size(); }
  std::vector<ByteTable> take() && { return std::move(tables_); }

 private:
  std::uint32_t place_of(const ByteTable& table);

  std::vector<ByteTable> tables_;
  std::unordered_multimap<std::size_t, std::uint32_t> by_hash_;  // hash of a table to its index
  std::unordered_map<std::string, std::vector<List>> classes_;
  std::uint32_t lists_ = 0;
};

// Returns different keys for different classes.
std::string key_of(const CharClass& set) {
  std::string key(1, set.negated ? '^' : ' ');
  for (const CharRange& range : set.ranges) {
    for (const char32_t end : {range.first, range.last}) {
      for (int shift = 0; shift < 24; shift += 8) key.push_back(static_cast<char>(end >> shift));
    }
  }
  return key;
}

std::size_t table_hash(const ByteTable& table) {
  const std::string_view bytes(reinterpret_cast<const char*>(table.data()), table.size());
  return std::hash<std::string_view>()(bytes);
}

const std::vector<TablePool::List>& TablePool::lists_of(const CharClass& set,
                                                        std::size_t max_tables) {
  auto [known, is_new] = classes_.try_emplace(key_of(set));
  if (is_new && tables_.size() <= max_tables) {
    for (const ClassTables& tables : class_tables(set)) {
      List& list = known->second.emplace_back(List{lists_++, {}});
      for (const ByteTable& table : tables) list.tables.push_back(place_of(table));
    }
  }
  return known->second;
}

std::uint32_t TablePool::place_of(const ByteTable& table) {
  const std::size_t hash = table_hash(table);
  const auto [begin, end] = by_hash_.equal_range(hash);
  for (auto at = begin; at != end; ++at) {
    if (tables_[at->second] == table) return at->second;
  }
  const auto place = static_cast<std::uint32_t>(tables_.size());
  tables_.push_back(table);
  by_hash_.emplace(hash, place);
  return place;
}

constexpr std::size_t kMaxInsts = 8'000'000;      // 16 bytes each
constexpr std::size_t kMaxClassTables = 200'000;  // 256 bytes each

using RuleIndex = std::unordered_map<std::string_view, std::uint32_t>;

Status check_expr(const Rule& rule, const Expr& expr, const RuleIndex& rules, int depth) {
  if (depth > kMaxExprDepth) {
    return config_error(fmt::format("rule '{}' nests more than {} deep", rule.name, kMaxExprDepth));
  }
  if (const auto* ref = std::get_if<RuleRef>(&expr.node); ref && !rules.contains(ref->name)) {
    return config_error(
        fmt::format("rule '{}' refers to '{}', which is not defined", rule.name, ref->name));
  }
  if (const auto* repeat = std::get_if<Repetition>(&expr.node)) {
    const int max = repeat->max.value_or(repeat->min);
    if (repeat->min < 0 || max < repeat->min || max > kMaxRepeats) {
      return config_error(fmt::format("rule '{}' repeats {} to {} times; at most {} is possible",
                                      rule.name, repeat->min, max, kMaxRepeats));
    }
  }
  if (const auto* token = std::get_if<Token>(&expr.node); token && (token->id || token->negated)) {
    return config_error(
        fmt::format("rule '{}' asks for {}: bytes cannot express a token", rule.name, print(expr)));
  }
  for (const Expr& part : children(expr)) {
    PEDRO_RETURN_IF_ERROR(check_expr(rule, part, rules, depth + 1));
  }
  return {};
}

Result<RuleIndex> check_grammar(const Gbnf& grammar) {
  RuleIndex rules;
  for (const Rule& rule : grammar.rules) {
    const auto index = static_cast<std::uint32_t>(rules.size());
    if (!rules.emplace(rule.name, index).second) {
      return config_error(fmt::format("rule '{}' is defined twice", rule.name));
    }
  }
  if (!rules.contains("root")) return config_error("there is no rule 'root'");
  for (const Rule& rule : grammar.rules) {
    PEDRO_RETURN_IF_ERROR(check_expr(rule, rule.expr, rules, 1));
  }
  PEDRO_RETURN_IF_ERROR(check_left_recursion(grammar));
  return rules;
}

// Emits code from the end to the beginning: each expression receives its continuation.
class Compiler {
 public:
  explicit Compiler(RuleIndex rules) : rules_(std::move(rules)) {
    add(Inst{Op::kFail});
    return_ = add(Inst{Op::kReturn});
  }

  Result<Program> compile(const Gbnf& grammar) {
    for (const Rule& rule : grammar.rules) {
      program_.rules.push_back(emit(rule.expr, return_));
      if (program_.insts.size() > kMaxInsts) {
        return config_error(
            fmt::format("the grammar is too large: more than {} instructions", kMaxInsts));
      }
      if (classes_.size() > kMaxClassTables) {
        return config_error(fmt::format(
            "the grammar has too many different classes: more than {} tables", kMaxClassTables));
      }
    }
    program_.root = program_.rules[rules_.at("root")];
    program_.tables = std::move(classes_).take();
    sort_bytes();
    return std::move(program_);
  }

 private:
  // Adds nothing beyond the limit; compile() reports the error after the rule.
  Pc add(Inst inst) {
    if (program_.insts.size() > kMaxInsts) return 0;
    program_.insts.push_back(inst);
    return static_cast<Pc>(program_.insts.size() - 1);
  }

  // Returns the existing equal instruction, or adds this one.
  Pc add_once(const Inst& inst) {
    if (added_once_ * 2 >= once_.size()) grow_once();
    Pc& slot = once_[slot_of(inst)];
    if (slot == 0) {
      slot = add(inst);
      if (slot != 0) ++added_once_;
    }
    return slot;
  }

  // Returns the slot of `inst` in once_, or the free slot where it belongs.
  std::size_t slot_of(const Inst& inst) const {
    std::uint64_t hash = (std::uint64_t{inst.a} << 32 | inst.next) * 0x9E3779B97F4A7C15u;
    hash = (hash ^ hash >> 32 ^ static_cast<std::uint64_t>(inst.op)) * 0x94D049BB133111EBu;
    const std::size_t mask = once_.size() - 1;
    std::size_t slot = (hash ^ hash >> 31) & mask;
    for (; once_[slot] != 0; slot = (slot + 1) & mask) {
      const Inst& there = program_.insts[once_[slot]];
      if (there.op == inst.op && there.a == inst.a && there.next == inst.next) break;
    }
    return slot;
  }

  void grow_once() {
    std::vector<Pc> old(std::max<std::size_t>(once_.size() * 2, 64), 0);
    old.swap(once_);
    for (const Pc pc : old) {
      if (pc != 0) once_[slot_of(program_.insts[pc])] = pc;
    }
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
    if (bytes.empty()) return next;
    const std::size_t hash = std::hash<std::string_view>()(bytes) * 31 + next;
    const auto [code, is_new] = literal_code_.try_emplace(hash);
    if (!is_new && is_literal(code->second, bytes, next)) return code->second;
    for (std::size_t i = bytes.size(); i-- > 0;) {
      next = add(Inst{Op::kByte, static_cast<std::uint8_t>(bytes[i]), 0, next});
    }
    code->second = next;
    return next;
  }

  // Returns true if the code at `pc` is that of the literal with the continuation `next`.
  bool is_literal(Pc pc, std::string_view bytes, Pc next) const {
    for (const char byte : bytes) {
      const Inst& inst = program_.insts[pc];
      if (inst.op != Op::kByte || inst.a != static_cast<std::uint8_t>(byte)) return false;
      pc = inst.next;
    }
    return pc == next;
  }

  Pc emit_node(const RuleRef& ref, Pc next) {
    return add_once(Inst{Op::kCall, rules_.at(ref.name), 0, next});
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

  // An unbounded repetition needs no counter: the item continues at the instruction that decides
  // again.
  Pc loop(const Expr& item, bool at_least_once, Pc next) {
    const Pc again = split({0, next});
    const Pc body = emit(item, again);
    program_.targets[program_.insts[again].a] = body;
    return at_least_once ? body : again;
  }

  Pc emit_node(const CharClass& set, Pc next) {
    const std::vector<TablePool::List>& lists = classes_.lists_of(set, kMaxClassTables);
    if (lists.empty()) return 0;
    if (lists.size() == 1) return emit_tables(lists.front(), next);
    std::vector<Pc> targets;
    for (const TablePool::List& list : lists) targets.push_back(emit_tables(list, next));
    return split(targets);
  }

  // Emits one instruction per table, contiguously.
  Pc emit_tables(const TablePool::List& list, Pc next) {
    if (list.tables.size() == 1) return add_once(Inst{Op::kClass, list.tables[0], 0, next});
    const auto [code, is_new] = list_code_.try_emplace(std::uint64_t{list.id} << 32 | next);
    if (is_new) {
      const auto first = static_cast<Pc>(program_.insts.size());
      for (const std::uint32_t table : list.tables) add(Inst{Op::kClass, table, first, next});
      code->second = first;
    }
    return code->second;
  }

  void sort_bytes() {
    ByteClasses classes;
    for (const Inst& inst : program_.insts) {
      if (inst.op == Op::kByte) classes.distinguish(static_cast<std::uint8_t>(inst.a));
    }
    for (const ByteTable& table : program_.tables) classes.distinguish(table);
    program_.byte_class = classes.class_of();
    program_.byte_classes = classes.count();
  }

  RuleIndex rules_;
  Program program_;
  TablePool classes_;
  std::unordered_map<std::size_t, Pc> literal_code_;  // by a hash of literal and continuation
  std::unordered_map<std::uint64_t, Pc> list_code_;   // by list id and continuation
  std::vector<Pc> once_;  // index of add_once(): open addressing; 0 is free; a power of two
  std::size_t added_once_ = 0;
  Pc return_ = 0;
};

}  // namespace

Result<Program> compile_program(const Gbnf& grammar) {
  PEDRO_TRY(auto rules, check_grammar(grammar));
  return Compiler(std::move(rules)).compile(grammar);
}

}  // namespace pedro
