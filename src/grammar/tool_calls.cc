#include "grammar/tool_calls.h"

#include <algorithm>
#include <utility>

namespace pedro {
namespace {

std::string label_of(const CallBranch& branch, char between) {
  return branch.action.empty() ? branch.tool : branch.tool + between + branch.action;
}

Expr add_args(GrammarBuilder& grammar, const CallBranch& branch, std::vector<Loosened>& loosened) {
  const std::size_t before = loosened.size();
  Expr args = add_schema(grammar, branch.args, label_of(branch, '-'), loosened);
  for (std::size_t i = before; i < loosened.size(); ++i) {
    loosened[i].pointer.insert(0, label_of(branch, '.') + ": ");
  }
  return args;
}

std::vector<std::string> tools_of(std::span<const CallBranch> branches) {
  std::vector<std::string> tools;
  for (const CallBranch& branch : branches) {
    if (std::find(tools.begin(), tools.end(), branch.tool) == tools.end()) {
      tools.push_back(branch.tool);
    }
  }
  return tools;
}

}  // namespace

Gbnf tool_call_grammar(std::span<const CallBranch> branches, const CallWrapping& wrapping,
                       std::vector<Loosened>* loosened) {
  GrammarBuilder grammar;
  std::vector<Loosened> ignored;
  std::vector<Expr> calls;
  for (const std::string& tool : tools_of(branches)) {
    std::vector<Expr> args;
    for (const CallBranch& branch : branches) {
      if (branch.tool != tool) continue;
      args.push_back(add_args(grammar, branch, loosened ? *loosened : ignored));
    }
    const std::string name = wrapping.quoted_name ? to_line(Json(tool)) : tool;
    Expr of_tool = grammar.add(tool, factored_alternation(std::move(args)));
    calls.push_back(sequence({literal(name + wrapping.middle), std::move(of_tool)}));
  }
  return grammar.finish(sequence(
      {literal(wrapping.open), factored_alternation(std::move(calls)), literal(wrapping.close)}));
}

}  // namespace pedro
