#include "schema_to_gbnf/tool_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "regular/text_set_to_gbnf.h"
#include "schema_to_gbnf/raw_text.h"

namespace pedro {
namespace {

std::string label_of(const CallBranch& branch, char between) {
  return branch.action.empty() ? branch.tool : branch.tool + between + branch.action;
}

std::vector<std::string> tools_of(std::span<const CallBranch> branches) {
  std::vector<std::string> tools;
  for (const CallBranch& branch : branches) add_once(tools, branch.tool);
  return tools;
}

Expr expr_of(const WrappingPart& part) {
  if (const auto* one = std::get_if<OneToken>(&part)) return known_token(one->id, one->text);
  if (const auto* id = std::get_if<MadeUpId>(&part)) {
    if (id->is_number) return repetition(one_of({{'0', '9'}}), 1, id->length);
    return repetition(one_of({{'0', '9'}, {'A', 'Z'}, {'a', 'z'}}), id->length, id->length);
  }
  return literal(std::get<std::string>(part));
}

Expr expr_of(const std::vector<WrappingPart>& parts) {
  std::vector<Expr> items;
  for (const WrappingPart& part : parts) items.push_back(expr_of(part));
  return sequence(std::move(items));
}

/// Writes the arguments of branches in the form of a wrapping. Builds their common parts once.
class ArgsWriter {
 public:
  ArgsWriter(GrammarBuilder& grammar, const CallWrapping& wrapping, std::vector<Loosened>& loosened)
      : grammar_(grammar), loosened_(loosened) {
    if (wrapping.parameters) apart_ = apart(*wrapping.parameters);
    if (apart_ || !wrapping.bodies) return;
    bodies_ = apart(wrapping.bodies->each);
    bodies_->before = expr_of(wrapping.bodies->before);
  }

  Expr add(const CallBranch& branch) {
    const std::size_t before = loosened_.size();
    Expr args = add_to_grammar(branch);
    for (std::size_t i = before; i < loosened_.size(); ++i) {
      loosened_[i].pointer.insert(0, label_of(branch, '.') + ": ");
    }
    return args;
  }

 private:
  Expr add_to_grammar(const CallBranch& branch) {
    const std::string name = label_of(branch, '-');
    if (apart_) return add_parameters(grammar_, *branch.args, *apart_, name, loosened_);
    if (!bodies_ || branch.bodies.empty()) {
      return add_schema(grammar_, *branch.args, name, loosened_);
    }
    bodies_->names = branch.bodies;
    return add_parameters(grammar_, *branch.args, *bodies_, name, loosened_);
  }

  ParametersApart apart(const ParameterWrapping& wrapping) {
    ParametersApart apart;
    apart.open = expr_of(wrapping.open);
    apart.middle = expr_of(wrapping.middle);
    apart.end = expr_of(wrapping.end);
    apart.between = expr_of(wrapping.between);
    apart.before_text = expr_of(wrapping.before_text);
    apart.after_text = expr_of(wrapping.after_text);
    apart.before_json = expr_of(wrapping.before_json);
    apart.in_quotes = wrapping.in_quotes;
    apart.texts = TextSet::any();
    if (!wrapping.end_text.empty()) {
      apart.banned = BannedText{wrapping.end_text, TextSet::any()};
      keep_out(pattern_of(wrapping.end_text), apart.banned->without);
    }
    const std::string pattern =
        wrapping.pattern.empty() ? pattern_of(wrapping.end_text) : wrapping.pattern;
    if (!pattern.empty()) keep_out(pattern, apart.texts);
    apart.long_texts = apart.texts;
    if (!wrapping.long_pattern.empty()) keep_out(wrapping.long_pattern, apart.long_texts);
    return apart;
  }

  void keep_out(const std::string& pattern, TextSet& set) {
    Result<TextSet> without = texts_without(pattern);
    if (without) {
      set = *std::move(without);
    } else {
      loosened_.push_back(
          {"", "the end of a parameter", "it within one; " + without.error().message});
    }
  }

  GrammarBuilder& grammar_;
  std::vector<Loosened>& loosened_;
  std::optional<ParametersApart> apart_;
  std::optional<ParametersApart> bodies_;
};

// Returns different keys for different lists of parts.
std::string key_of(const std::vector<WrappingPart>& parts) {
  std::string key = std::to_string(parts.size());
  for (const WrappingPart& part : parts) {
    if (const auto* one = std::get_if<OneToken>(&part)) {
      key += fmt::format("t{}:{}:{}", one->id, one->text.size(), one->text);
    } else if (const auto* id = std::get_if<MadeUpId>(&part)) {
      key += (id->is_number ? 'n' : 'i') + std::to_string(id->length);
    } else {
      const std::string& text = std::get<std::string>(part);
      key += '"' + std::to_string(text.size()) + ':' + text;
    }
  }
  return key;
}

std::string key_of(const ParameterWrapping& wrapping) {
  std::string key = key_of({wrapping.end_text, wrapping.pattern, wrapping.long_pattern,
                            wrapping.in_quotes ? "quotes" : ""});
  for (const auto* parts : {&wrapping.open, &wrapping.middle, &wrapping.end, &wrapping.between,
                            &wrapping.before_text, &wrapping.after_text, &wrapping.before_json}) {
    (key += '\0') += key_of(*parts);
  }
  return key;
}

std::string key_of(const CallWrapping& wrapping) {
  std::string key(1, static_cast<char>('0' + static_cast<int>(wrapping.name)));
  key += static_cast<char>('0' + static_cast<int>(wrapping.blanks));
  for (const auto* parts : {&wrapping.open, &wrapping.middle, &wrapping.close}) {
    (key += '\0') += key_of(*parts);
  }
  if (wrapping.parameters) ((key += '\0') += 'p') += key_of(*wrapping.parameters);
  if (wrapping.bodies) {
    (((key += '\0') += 'b') += key_of(wrapping.bodies->before)) += key_of(wrapping.bodies->each);
  }
  return key;
}

}  // namespace

std::string written_name(const std::string& tool, NameForm form) {
  if (form == NameForm::kPlain) return tool;
  return to_line(Json(tool)).substr(form == NameForm::kQuoteOpened ? 1 : 0);
}

Gbnf tool_call_grammar(std::span<const CallBranch> branches, const CallWrapping& wrapping,
                       std::vector<Loosened>* loosened) {
  GrammarBuilder grammar(wrapping.blanks);
  std::vector<Loosened> ignored;
  ArgsWriter writer(grammar, wrapping, loosened != nullptr ? *loosened : ignored);
  std::vector<Expr> calls;
  for (const std::string& tool : tools_of(branches)) {
    std::vector<Expr> args;
    for (const CallBranch& branch : branches) {
      if (branch.tool != tool) continue;
      args.push_back(writer.add(branch));
    }
    Expr of_tool = grammar.add(tool, factored_alternation(std::move(args)));
    calls.push_back(sequence({literal(written_name(tool, wrapping.name)), expr_of(wrapping.middle),
                              std::move(of_tool)}));
  }
  return grammar.finish(sequence(
      {expr_of(wrapping.open), factored_alternation(std::move(calls)), expr_of(wrapping.close)}));
}

const CallGrammar& CallGrammars::get(std::span<const CallBranch> branches,
                                     const CallWrapping& wrapping) {
  std::string key = key_of(wrapping);
  for (const CallBranch& branch : branches) {
    (((key += '\0') += branch.tool) += '\0') += branch.action;
    key += std::to_string(branch.bodies.size());
    for (const std::string& body : branch.bodies) (key += body) += '\0';
    const std::uint64_t fingerprint = branch.args->fingerprint;
    for (int shift = 0; shift < 64; shift += 8) key += static_cast<char>(fingerprint >> shift);
  }
  const auto known =
      std::find_if(kept_.begin(), kept_.end(), [&](const Kept& kept) { return kept.key == key; });
  if (known != kept_.end()) {
    kept_.splice(kept_.begin(), kept_, known);
  } else {
    CallGrammar made;
    made.grammar = std::make_shared<const Gbnf>(tool_call_grammar(branches, wrapping));
    made.text = print(*made.grammar);
    kept_.push_front(Kept{std::move(key), std::move(made)});
    if (kept_.size() > kMaxKept) kept_.pop_back();
  }
  return kept_.front().grammar;
}

}  // namespace pedro
