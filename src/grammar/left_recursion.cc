#include "grammar/left_recursion.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace pedro {
namespace {

class Analysis {
 public:
  explicit Analysis(const Gbnf& grammar) : grammar_(grammar) {
    for (std::size_t i = 0; i < grammar.rules.size(); ++i) {
      index_.emplace(grammar.rules[i].name, i);
    }
    find_nullable();
  }

  Status check() const {
    for (const Rule& rule : grammar_.rules) {
      if (repeats_nothing(rule.expr)) {
        return Error{ErrorKind::kConfig,
                     fmt::format("rule '{}' repeats without end what may be empty", rule.name)};
      }
    }
    return check_cycles();
  }

 private:
  // A part of a rule that is not yet known to be nullable: it is once `missing` of its parts are.
  struct Part {
    std::size_t parent = 0;
    std::size_t missing = 0;
  };

  // Linear: each part that turns out to be nullable is counted once, in what it is a part of.
  void find_nullable() {
    nullable_.assign(grammar_.rules.size(), false);
    std::vector<Part> parts(grammar_.rules.size(), Part{0, 1});  // part i is all of rule i
    std::vector<std::vector<std::size_t>> refs(grammar_.rules.size());
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < grammar_.rules.size(); ++i) {
      add_parts(grammar_.rules[i].expr, i, parts, refs, found);
    }
    while (!found.empty()) {
      const std::size_t part = found.back();
      found.pop_back();
      if (part >= nullable_.size()) {
        count(parts[part].parent, parts, found);
      } else {
        nullable_[part] = true;
        for (const std::size_t ref : refs[part]) count(ref, parts, found);
      }
    }
  }

  // One of its parts is nullable. An alternation may hear that again when it is known already.
  static void count(std::size_t part, std::vector<Part>& parts, std::vector<std::size_t>& found) {
    if (parts[part].missing > 0 && --parts[part].missing == 0) found.push_back(part);
  }

  void add_parts(const Expr& expr, std::size_t parent, std::vector<Part>& parts,
                 std::vector<std::vector<std::size_t>>& refs, std::vector<std::size_t>& found) {
    const std::size_t part = parts.size();
    parts.push_back(Part{parent, 1});
    const auto* list = std::get_if<Sequence>(&expr.node);
    const auto* repeat = std::get_if<Repetition>(&expr.node);
    const auto* text = std::get_if<Literal>(&expr.node);
    if (list) {
      parts[part].missing = list->items.size();
      for (const Expr& item : list->items) add_parts(item, part, parts, refs, found);
    } else if (const auto* choice = std::get_if<Alternation>(&expr.node)) {
      for (const Expr& option : choice->options) add_parts(option, part, parts, refs, found);
    } else if (repeat && repeat->min > 0) {
      add_parts(repeat->item.front(), part, parts, refs, found);
    } else if (const auto* ref = std::get_if<RuleRef>(&expr.node)) {
      refs[index_.at(ref->name)].push_back(part);
    }
    const bool empty = (list && list->items.empty()) || (repeat && repeat->min == 0) ||
                       (text && text->bytes.empty());
    if (!empty) return;
    parts[part].missing = 0;
    found.push_back(part);
  }

  bool is_nullable(const Expr& expr) const {
    const auto nullable = [this](const Expr& part) { return is_nullable(part); };
    if (const auto* list = std::get_if<Sequence>(&expr.node)) {
      return std::all_of(list->items.begin(), list->items.end(), nullable);
    }
    if (const auto* list = std::get_if<Alternation>(&expr.node)) {
      return std::any_of(list->options.begin(), list->options.end(), nullable);
    }
    if (const auto* repeat = std::get_if<Repetition>(&expr.node)) {
      return repeat->min == 0 || is_nullable(repeat->item.front());
    }
    if (const auto* ref = std::get_if<RuleRef>(&expr.node)) return nullable_[index_.at(ref->name)];
    const auto* text = std::get_if<Literal>(&expr.node);
    return text && text->bytes.empty();
  }

  bool repeats_nothing(const Expr& expr) const {
    const auto inside = [this](const Expr& part) { return repeats_nothing(part); };
    if (const auto* list = std::get_if<Sequence>(&expr.node)) {
      return std::any_of(list->items.begin(), list->items.end(), inside);
    }
    if (const auto* list = std::get_if<Alternation>(&expr.node)) {
      return std::any_of(list->options.begin(), list->options.end(), inside);
    }
    const auto* repeat = std::get_if<Repetition>(&expr.node);
    if (!repeat) return false;
    const Expr& item = repeat->item.front();
    return (!repeat->max && is_nullable(item)) || repeats_nothing(item);
  }

  // The rules that can be entered before `expr` has taken anything.
  void collect_first(const Expr& expr, std::vector<std::size_t>& out) const {
    if (const auto* list = std::get_if<Sequence>(&expr.node)) {
      for (const Expr& item : list->items) {
        collect_first(item, out);
        if (!is_nullable(item)) return;
      }
    } else if (const auto* choice = std::get_if<Alternation>(&expr.node)) {
      for (const Expr& option : choice->options) collect_first(option, out);
    } else if (const auto* repeat = std::get_if<Repetition>(&expr.node)) {
      collect_first(repeat->item.front(), out);
    } else if (const auto* ref = std::get_if<RuleRef>(&expr.node)) {
      out.push_back(index_.at(ref->name));
    }
  }

  // Kahn's algorithm: takes away rules that nothing enters first; what remains has cycles.
  Status check_cycles() const {
    const std::size_t count = grammar_.rules.size();
    std::vector<std::vector<std::size_t>> first(count);
    std::vector<std::size_t> entered(count, 0);
    for (std::size_t i = 0; i < count; ++i) {
      collect_first(grammar_.rules[i].expr, first[i]);
      for (const std::size_t rule : first[i]) ++entered[rule];
    }
    std::vector<std::size_t> free;
    for (std::size_t i = 0; i < count; ++i) {
      if (entered[i] == 0) free.push_back(i);
    }
    for (std::size_t done = 0; done < free.size(); ++done) {
      for (const std::size_t rule : first[free[done]]) {
        if (--entered[rule] == 0) free.push_back(rule);
      }
    }
    if (free.size() == count) return {};
    return Error{ErrorKind::kConfig, fmt::format("left recursion: {}", cycle(first, entered))};
  }

  // A cycle among the rules with `entered` > 0. Each of these is entered from another of them, so
  // going backwards from any comes around.
  std::string cycle(const std::vector<std::vector<std::size_t>>& first,
                    const std::vector<std::size_t>& entered) const {
    std::vector<std::size_t> from(first.size(), first.size());
    for (std::size_t i = first.size(); i-- > 0;) {
      if (entered[i] == 0) continue;
      for (const std::size_t rule : first[i]) from[rule] = i;
    }
    std::size_t at = 0;
    while (entered[at] == 0) ++at;
    for (std::size_t i = 0; i < first.size(); ++i) at = from[at];
    std::string text = grammar_.rules[at].name;
    const std::string& last = grammar_.rules[at].name;
    std::size_t shown = 1;
    for (std::size_t step = from[at]; step != at; step = from[step]) {
      if (++shown <= 8) text.insert(0, grammar_.rules[step].name + " -> ");
    }
    return fmt::format("{} -> {}{}", last, shown > 8 ? "... -> " : "", text);
  }

  const Gbnf& grammar_;
  std::unordered_map<std::string_view, std::size_t> index_;
  std::vector<bool> nullable_;
};

}  // namespace

Status check_left_recursion(const Gbnf& grammar) {
  return Analysis(grammar).check();
}

}  // namespace pedro
