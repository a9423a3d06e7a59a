#include "grammar/schema_to_gbnf.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "grammar/integer_range.h"

namespace pedro {
namespace {

Expr blank() {
  return maybe(literal(" "));
}

Expr comma() {
  return sequence({literal(","), blank()});
}

Expr key(std::string_view name) {
  return sequence({literal(to_line(Json(name)) + ":"), blank()});
}

Expr chars(std::string_view pairs) {
  std::vector<CharRange> ranges;
  for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
    ranges.push_back(
        CharRange{static_cast<unsigned char>(pairs[i]), static_cast<unsigned char>(pairs[i + 1])});
  }
  return one_of(std::move(ranges));
}

Expr hex_digits(int count) {
  return repetition(chars("09AFaf"), count, count);
}

// What follows "\u": any code unit but a surrogate, or a high surrogate and its low one.
Expr unicode_escape() {
  return alternation({
      sequence({chars("09ACEFacef"), hex_digits(3)}),
      sequence({chars("DDdd"), chars("07"), hex_digits(2)}),
      sequence({chars("DDdd"), chars("89ABab"), hex_digits(2), literal("\\u"), chars("DDdd"),
                chars("CFcf"), hex_digits(2)}),
  });
}

Expr add_char(GrammarBuilder& grammar) {
  const Expr escaped = alternation({one_of({{'"', '"'},
                                            {'\\', '\\'},
                                            {'/', '/'},
                                            {'b', 'b'},
                                            {'f', 'f'},
                                            {'n', 'n'},
                                            {'r', 'r'},
                                            {'t', 't'}}),
                                    sequence({literal("u"), unicode_escape()})});
  return grammar.add("char",
                     alternation({none_of({{0, 0x1F}, {'"', '"'}, {'\\', '\\'}, {0x7F, 0x7F}}),
                                  sequence({literal("\\"), escaped})}));
}

// How often something may come, as far as a grammar can say it.
struct Count {
  int min = 0;
  std::optional<int> max;
};

// The types of the values that fit, as bits; enum and anyOf count as all of them.
unsigned types_of(const SchemaNode& node) {
  const bool mixed =
      std::holds_alternative<EnumSpec>(node.spec) || std::holds_alternative<AnyOfSpec>(node.spec);
  if (mixed) return ~0u;
  const bool integer = std::holds_alternative<IntegerSpec>(node.spec);  // is a number too
  return integer ? types_of(SchemaNode{NumberSpec{}, ""}) : 1u << node.spec.index();
}

class Converter {
 public:
  Converter(GrammarBuilder& grammar, const Schema& schema, std::vector<Loosened>& loosened)
      : grammar_(grammar), schema_(schema), loosened_(loosened) {}

  Expr convert(SchemaId id, std::string_view name) {
    const SchemaNode& node = schema_[id];
    return std::visit([&](const auto& spec) { return expr_of(spec, node, name); }, node.spec);
  }

 private:
  // As a part of something bigger: what is not trivial goes behind a name, so that no expression
  // nests as deep as the schema does.
  Expr part(SchemaId id, std::string_view name) {
    Expr expr = convert(id, name);
    const bool trivial =
        std::holds_alternative<Literal>(expr.node) || std::holds_alternative<RuleRef>(expr.node);
    return trivial ? expr : grammar_.add(name, std::move(expr));
  }

  void loosen(const SchemaNode& node, std::string_view keyword, std::string instead) {
    loosened_.push_back(Loosened{node.pointer, std::string(keyword), std::move(instead)});
  }

  // `before`: how many are written outside of the repetition.
  Count bounded(std::size_t min, std::optional<std::size_t> max, const SchemaNode& node,
                std::string_view noun, std::size_t before) {
    constexpr auto kMost = static_cast<std::size_t>(kMaxRepeats);
    if (min > kMost) {
      loosen(node, fmt::format("min{}", noun), fmt::format("{} or more", kMost + before));
    }
    if (max && *max > kMost) loosen(node, fmt::format("max{}", noun), "any number");
    Count count{static_cast<int>(std::min(min, kMost)), std::nullopt};
    if (max && *max <= kMost) count.max = static_cast<int>(*max);
    return count;
  }

  Expr expr_of(const ObjectSpec& object, const SchemaNode&, std::string_view name) {
    std::vector<Expr> members;
    for (const PropertySpec& property : object.properties) {
      const std::string value_name = fmt::format("{}-{}", name, rule_name(property.name));
      members.push_back(sequence({key(property.name), part(property.value, value_name)}));
    }
    return sequence({literal("{"), members_of(object, members, name), literal("}")});
  }

  // The first member that is written has no comma in front: it is one of the optional ones that
  // lead, or the first required one. What may follow each of these is a rule of its own that ends
  // in the next one's, so that the whole grows linearly.
  Expr members_of(const ObjectSpec& object, const std::vector<Expr>& members,
                  std::string_view name) {
    const auto& properties = object.properties;
    const auto is_required = [](const PropertySpec& property) { return property.required; };
    const auto leading = static_cast<std::size_t>(
        std::find_if(properties.begin(), properties.end(), is_required) - properties.begin());
    const auto following = [&](std::size_t i) {
      Expr member = sequence({comma(), members[i]});
      return properties[i].required ? member : maybe(std::move(member));
    };
    std::vector<Expr> tail;
    for (std::size_t i = leading + 1; i < members.size(); ++i) tail.push_back(following(i));
    Expr after = sequence(std::move(tail));

    std::vector<Expr> options;
    if (leading == members.size()) {
      options.emplace_back();
    } else {
      if (leading > 0) after = after_member(std::move(after), properties[leading], name);
      options.push_back(sequence({members[leading], after}));
    }
    for (std::size_t i = leading; i-- > 0;) {
      if (i + 1 < members.size()) {
        after = after_member(sequence({following(i + 1), std::move(after)}), properties[i], name);
      }
      options.push_back(sequence({members[i], after}));
    }
    std::reverse(options.begin(), options.end());
    return alternation(std::move(options));
  }

  Expr after_member(Expr rest, const PropertySpec& property, std::string_view name) {
    if (rest.is_empty()) return rest;
    return grammar_.add(fmt::format("{}-after-{}", name, rule_name(property.name)),
                        std::move(rest));
  }

  Expr expr_of(const ArraySpec& array, const SchemaNode& node, std::string_view name) {
    if (array.max_items == 0u) return literal("[]");
    const Expr item = part(array.items, fmt::format("{}-item", name));
    if (array.max_items == 1u) {
      const Expr one = array.min_items == 0 ? maybe(item) : item;
      return sequence({literal("["), one, literal("]")});
    }
    // Behind a name: a group would count each of its symbols against the server's limit.
    const Expr next = grammar_.add(fmt::format("{}-next", name), sequence({comma(), item}));
    const std::size_t more_min = array.min_items > 0 ? array.min_items - 1 : 0;
    const auto more_max = array.max_items ? std::optional(*array.max_items - 1) : std::nullopt;
    const Count more = bounded(more_min, more_max, node, "Items", 1);
    Expr items = sequence({item, repetition(next, more.min, more.max), literal("]")});
    // Not an optional group: that would count its repetitions against the same limit.
    if (array.min_items == 0) items = alternation({literal("]"), std::move(items)});
    return sequence({literal("["), std::move(items)});
  }

  Expr expr_of(const StringSpec& string, const SchemaNode& node, std::string_view) {
    if (string.max_length == 0u) return literal("\"\"");
    const Expr one = add_char(grammar_);
    const Count count = bounded(string.min_length, string.max_length, node, "Length", 0);
    std::string name = "string";
    if (count.min > 0 || count.max) name += fmt::format("-{}", count.min);
    if (count.max) name += fmt::format("-{}", *count.max);
    return grammar_.add(
        name, sequence({literal("\""), repetition(one, count.min, count.max), literal("\"")}));
  }

  Expr expr_of(const IntegerSpec& integer, const SchemaNode&, std::string_view) {
    constexpr long long kWide = 9'999'999'999'999'999;  // 16 digits: an exact double, nearly
    using Limits = std::numeric_limits<long long>;
    const long long low =
        integer.minimum.value_or(integer.maximum.value_or(0) < -kWide ? Limits::min() : -kWide);
    const long long high =
        integer.maximum.value_or(integer.minimum.value_or(0) > kWide ? Limits::max() : kWide);
    std::string name = "integer";
    if (integer.minimum) name += fmt::format("-from-{}", low);
    if (integer.maximum) name += fmt::format("-to-{}", high);
    return grammar_.add(name, integer_range(low, high));
  }

  Expr expr_of(const NumberSpec& number, const SchemaNode& node, std::string_view) {
    const bool positive = number.minimum && *number.minimum >= 0;
    if (number.minimum && *number.minimum != 0) {
      loosen(node, "minimum", positive ? "any number >= 0" : "any number");
    }
    if (number.maximum) loosen(node, "maximum", "any number");
    const Expr digit = chars("09");
    const Expr exponent =
        sequence({chars("EEee"), maybe(one_of({{'+', '+'}, {'-', '-'}})), repetition(digit, 1, 2)});
    const Expr whole =
        alternation({literal("0"), sequence({chars("19"), repetition(digit, 0, 15)})});
    const Expr fraction = sequence({literal("."), repetition(digit, 1, 16)});
    const Expr sign = positive ? Expr{} : maybe(literal("-"));
    return grammar_.add(positive ? "number-from-0" : "number",
                        sequence({sign, whole, maybe(fraction), maybe(exponent)}));
  }

  Expr expr_of(const BooleanSpec&, const SchemaNode&, std::string_view) {
    return grammar_.add("boolean", alternation({literal("true"), literal("false")}));
  }

  Expr expr_of(const NullSpec&, const SchemaNode&, std::string_view) { return literal("null"); }

  Expr expr_of(const EnumSpec& set, const SchemaNode&, std::string_view) {
    std::vector<Expr> options;
    for (const Json& value : set.values) options.push_back(json_constant(value));
    return factored_alternation(std::move(options));
  }

  Expr expr_of(const AnyOfSpec& any, const SchemaNode& node, std::string_view name) {
    if (any.exactly_one && !exclusive(any)) loosen(node, "oneOf", "any of them");
    std::vector<Expr> options;
    for (std::size_t i = 0; i < any.options.size(); ++i) {
      options.push_back(part(any.options[i], fmt::format("{}-{}", name, i + 1)));
    }
    return alternation(std::move(options));
  }

  bool exclusive(const AnyOfSpec& any) const {
    unsigned seen = 0;
    for (const SchemaId option : any.options) {
      const unsigned bits = types_of(schema_[option]);
      if ((seen & bits) != 0) return false;
      seen |= bits;
    }
    return true;
  }

  GrammarBuilder& grammar_;
  const Schema& schema_;
  std::vector<Loosened>& loosened_;
};

}  // namespace

Expr add_schema(GrammarBuilder& grammar, const Schema& schema, std::string_view name,
                std::vector<Loosened>& loosened) {
  return Converter(grammar, schema, loosened).convert(schema.root, name);
}

Expr json_constant(const Json& value) {
  if (!value.is_structured()) return literal(to_line(value));
  std::vector<Expr> parts{literal(value.is_object() ? "{" : "[")};
  bool first = true;
  for (const auto& [name, part] : value.items()) {
    if (!std::exchange(first, false)) parts.push_back(comma());
    if (value.is_object()) parts.push_back(key(name));
    parts.push_back(json_constant(part));
  }
  parts.push_back(literal(value.is_object() ? "}" : "]"));
  return sequence(std::move(parts));
}

}  // namespace pedro
