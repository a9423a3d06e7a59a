#include <fmt/format.h>

#include "base/utf8.h"
#include "gbnf/gbnf.h"

namespace pedro {
namespace {

// The precedence of an expression. One that binds more loosely than its context needs parentheses.
enum class Binding { kAlternation, kSequence, kRepetition, kAtom };

Binding binding_of(const Expr& expr) {
  if (std::holds_alternative<Alternation>(expr.node)) return Binding::kAlternation;
  if (std::holds_alternative<Repetition>(expr.node)) return Binding::kRepetition;
  if (const auto* items = std::get_if<Sequence>(&expr.node)) {
    return items->items.empty() ? Binding::kAtom : Binding::kSequence;
  }
  return Binding::kAtom;
}

void append_control(std::string& out, char32_t c) {
  if (c == '\n') {
    out += "\\n";
  } else if (c == '\r') {
    out += "\\r";
  } else if (c == '\t') {
    out += "\\t";
  } else {
    out += fmt::format("\\x{:02X}", static_cast<unsigned>(c));
  }
}

void print_literal(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const std::size_t length = utf8_sequence_length(text);
    const char c = text.front();
    if (length == 0) {
      append_utf8(out, 0xFFFD);
    } else if (length > 1 && make_printable(text.substr(0, length)) != text.substr(0, length)) {
      out += fmt::format("\\u{:04X}", static_cast<unsigned>(decode_utf8(text.substr(0, length))));
    } else if (length > 1) {
      out += text.substr(0, length);
    } else if (c == '"' || c == '\\') {
      (out += '\\') += c;
    } else if (c < 0x20 || c == 0x7F) {
      append_control(out, static_cast<unsigned char>(c));
    } else {
      out += c;
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  out += '"';
}

void print_class_char(std::string& out, char32_t c) {
  if (c > 0xFFFF) {
    out += fmt::format("\\U{:08X}", static_cast<unsigned>(c));
  } else if (c > 0x7F) {
    out += fmt::format("\\u{:04X}", static_cast<unsigned>(c));
  } else if (c < 0x20 || c == 0x7F) {
    append_control(out, c);
  } else if (c == '-' || c == '^') {
    out += fmt::format("\\x{:02X}", static_cast<unsigned>(c));
  } else {
    if (c == '\\' || c == ']' || c == '[') out += '\\';
    out += static_cast<char>(c);
  }
}

void print_class(std::string& out, const CharClass& set) {
  if (set.ranges.empty()) {  // llama.cpp reads "[]" and "[^]" as the empty text
    out += set.negated ? "." : "[^\\x00-\\U0010FFFF]";
    return;
  }
  out += set.negated ? "[^" : "[";
  for (const CharRange& range : set.ranges) {
    print_class_char(out, range.first);
    if (range.last == range.first) continue;
    if (range.last > range.first + 1) out += '-';
    print_class_char(out, range.last);
  }
  out += ']';
}

std::string count_of(const Repetition& repeat) {
  if (!repeat.max) {
    if (repeat.min == 0) return "*";
    return repeat.min == 1 ? "+" : fmt::format("{{{},}}", repeat.min);
  }
  if (repeat.min == 0 && *repeat.max == 1) return "?";
  if (repeat.min == *repeat.max) return fmt::format("{{{}}}", repeat.min);
  return fmt::format("{{{},{}}}", repeat.min, *repeat.max);
}

void print_expr(std::string& out, const Expr& expr, Binding needed);

void print_list(std::string& out, const std::vector<Expr>& list, std::string_view between,
                Binding needed) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i > 0) out += between;
    print_expr(out, list[i], needed);
  }
}

struct Printer {
  std::string& out;

  void operator()(const Literal& text) const { print_literal(out, text.bytes); }
  void operator()(const CharClass& set) const { print_class(out, set); }
  void operator()(const RuleRef& ref) const { out += ref.name; }
  void operator()(const Token& token) const {
    if (token.negated) out += '!';
    out += token.id ? fmt::format("<[{}]>", *token.id) : token.text;
  }
  void operator()(const Sequence& list) const {
    if (list.items.empty()) out += "\"\"";
    print_list(out, list.items, " ", Binding::kRepetition);
  }
  void operator()(const Alternation& list) const {
    print_list(out, list.options, " | ", Binding::kSequence);
  }
  void operator()(const Repetition& repeat) const {
    print_expr(out, repeat.item.front(), Binding::kAtom);
    out += count_of(repeat);
  }
};

void print_expr(std::string& out, const Expr& expr, Binding needed) {
  const bool loose = binding_of(expr) < needed;
  if (loose) out += '(';
  std::visit(Printer{out}, expr.node);
  if (loose) out += ')';
}

}  // namespace

std::string print(const Expr& expr) {
  std::string out;
  print_expr(out, expr, Binding::kAlternation);
  return out;
}

std::string print(const Gbnf& grammar) {
  std::string out;
  const auto add = [&out](const Rule& rule) {
    out += rule.name + " ::= ";
    print_expr(out, rule.expr, Binding::kAlternation);
    out += '\n';
  };
  for (const Rule& rule : grammar.rules) {
    if (rule.name == "root") add(rule);
  }
  for (const Rule& rule : grammar.rules) {
    if (rule.name != "root") add(rule);
  }
  return out;
}

}  // namespace pedro
