#include "grammar/factor_options.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/utf8.h"
#include "grammar/rule_graph.h"

namespace pedro {
namespace {

using Terms = std::vector<Expr>;

Terms terms_of(Expr expr) {
  if (auto* list = std::get_if<Sequence>(&expr.node)) return std::move(list->items);
  Terms one;
  one.push_back(std::move(expr));
  return one;
}

void add_option(Expr option, std::vector<Terms>& out) {
  if (auto* list = std::get_if<Alternation>(&option.node)) {
    for (Expr& inner : list->options) out.push_back(terms_of(std::move(inner)));
  } else {
    out.push_back(terms_of(std::move(option)));
  }
}

// Returns equal keys for options with a common beginning.
std::string key_of(const Terms& option) {
  if (option.empty()) return "";
  const auto* text = std::get_if<Literal>(&option.front().node);
  if (!text) return print(option.front());
  return '"' + text->bytes.substr(0, utf8_sequence_length(text->bytes));
}

std::vector<std::vector<Terms>> grouped(std::vector<Terms> options) {
  std::unordered_map<std::string, std::size_t> index;
  std::vector<std::vector<Terms>> groups;
  for (Terms& option : options) {
    const auto [it, is_new] = index.emplace(key_of(option), groups.size());
    if (is_new) groups.emplace_back();
    groups[it->second].push_back(std::move(option));
  }
  return groups;
}

// The common beginning of a group's options: whole items, followed by a prefix of a literal.
struct Common {
  std::size_t items = 0;
  std::string text;
};

std::size_t common_items(const std::vector<Terms>& group) {
  std::size_t count = group.front().size();
  for (const Terms& option : group) {
    const auto ends =
        std::mismatch(option.begin(), option.end(), group.front().begin(), group.front().end());
    count = std::min(count, static_cast<std::size_t>(ends.first - option.begin()));
  }
  return count;
}

const Literal* literal_at(const Terms& option, std::size_t item) {
  return item < option.size() ? std::get_if<Literal>(&option[item].node) : nullptr;
}

Common common_beginning(const std::vector<Terms>& group) {
  Common common{common_items(group), {}};
  const Literal* first = literal_at(group.front(), common.items);
  if (!first) return common;
  std::string_view text = first->bytes;
  for (const Terms& option : group) {
    const Literal* other = literal_at(option, common.items);
    if (!other) return common;
    const auto ends =
        std::mismatch(text.begin(), text.end(), other->bytes.begin(), other->bytes.end());
    text = truncate_utf8(text, static_cast<std::size_t>(ends.first - text.begin()));
  }
  common.text = text;
  return common;
}

// Returns the height of the sequence that remains of `option`.
int height_after(const Terms& option, const Common& common) {
  const std::size_t left = option.size() - common.items;
  int highest = 0;
  for (std::size_t i = common.items; i < option.size(); ++i) {
    highest = std::max(highest, height(option[i]));
  }
  return left == 1 ? highest : highest + 1;
}

Expr take_rest(Terms& option, const Common& common) {
  if (!common.text.empty()) {
    std::string& bytes = std::get<Literal>(option[common.items].node).bytes;
    bytes.erase(0, common.text.size());
  }
  const auto begin = option.begin() + static_cast<std::ptrdiff_t>(common.items);
  Terms rest(std::make_move_iterator(begin), std::make_move_iterator(option.end()));
  if (!rest.empty() && rest.front() == Expr{Literal{}}) rest.erase(rest.begin());
  return sequence(std::move(rest));
}

// Returns the common beginning, followed by the alternation of the remainders. Returns an empty
// vector and keeps the group unchanged if the result would exceed `max_height`.
std::vector<Expr> factored(std::vector<Terms>& group, int max_height) {
  const int left = max_height - 2;  // minus the parent alternation and its sequence
  const Common common = common_beginning(group);
  if (common.items == 0 && common.text.empty()) return {};  // the options are empty
  int highest = 0;
  for (const Terms& option : group) highest = std::max(highest, height_after(option, common));
  if (highest + 1 > left) return {};
  std::vector<Expr> rests;
  for (Terms& option : group) rests.push_back(take_rest(option, common));
  std::vector<Expr> out = std::move(group.front());
  out.resize(common.items);
  out.push_back(literal(common.text));
  out.push_back(factor_options(std::move(rests), left));
  return out;
}

}  // namespace

int height(const Expr& expr) {
  int highest = 0;
  for (const Expr& part : children(expr)) highest = std::max(highest, height(part));
  return highest + 1;
}

Expr factor_options(std::vector<Expr> options, int max_height) {
  std::vector<Terms> all;
  for (Expr& option : options) add_option(std::move(option), all);
  std::vector<Expr> out;
  for (std::vector<Terms>& group : grouped(std::move(all))) {
    std::vector<Expr> items;
    if (group.size() > 1) items = factored(group, max_height);
    if (!items.empty()) {
      out.push_back(sequence(std::move(items)));
    } else {
      for (Terms& option : group) out.push_back(sequence(std::move(option)));
    }
  }
  return alternation(std::move(out));
}

}  // namespace pedro
