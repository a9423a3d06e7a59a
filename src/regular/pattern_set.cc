#include "regular/pattern_set.h"

#include <algorithm>
#include <cassert>
#include <span>
#include <string>
#include <utility>

#include "base/utf8.h"
#include "regular/regex.h"
#include "regular/text_nfa.h"

namespace pedro {
namespace {

using StateId = TextNfa::StateId;
using Kind = Regex::Kind;

const std::vector<CharRange>& every_point() {
  static const std::vector<CharRange> kRanges = {{0, 0xD7FF}, {0xE000, kLastCodePoint}};
  return kRanges;
}

Error unsupported(const char* what) {
  return Error{ErrorKind::kConfig, std::string("not supported: ") + what};
}

bool has_kind(std::span<const Regex> items, Kind kind) {
  return std::any_of(items.begin(), items.end(), [kind](const Regex& item) {
    return item.kind == kind || has_kind(item.children, kind);
  });
}

// Returns the items of a sequence, or `regex` itself as the only item.
std::span<const Regex> items_of(const Regex& regex) {
  if (regex.kind == Kind::kSequence) return regex.children;
  return {&regex, 1};
}

// Adds the states for `regex` after state `from` and returns its end state. The parser bounds the
// depth.
StateId build(TextNfa& nfa, const Regex& regex, StateId from) {
  switch (regex.kind) {
    case Kind::kSequence: {
      for (const Regex& child : regex.children) from = build(nfa, child, from);
      return from;
    }
    case Kind::kChoice: {
      const StateId to = nfa.add_state();
      for (const Regex& child : regex.children) {
        const StateId begin = nfa.add_state();
        nfa.add_move(from, begin);
        nfa.add_move(build(nfa, child, begin), to);
      }
      return to;
    }
    case Kind::kClass: {
      const StateId to = nfa.add_state();
      nfa.add_arc(from, to, regex.ranges);
      return to;
    }
    case Kind::kRepeat: {
      const Regex& child = regex.children.front();
      for (std::size_t i = 0; i < regex.min && !nfa.too_large(); ++i)
        from = build(nfa, child, from);
      const StateId to = nfa.add_state();
      if (!regex.max) {
        const StateId loop = nfa.add_state();
        nfa.add_move(from, loop);
        nfa.add_move(build(nfa, child, loop), loop);
        nfa.add_move(loop, to);
        return to;
      }
      for (std::size_t i = regex.min; i < *regex.max && !nfa.too_large(); ++i) {
        nfa.add_move(from, to);
        from = build(nfa, child, from);
      }
      nfa.add_move(from, to);
      return to;
    }
    case Kind::kBegin:
    case Kind::kEnd: {
      const StateId to = nfa.add_state();
      nfa.add_move(from, to,
                   regex.kind == Kind::kBegin ? TextNfa::Where::kAtBegin : TextNfa::Where::kAtEnd);
      return to;
    }
    case Kind::kAhead:
      break;
  }
  assert(false && "look-ahead is taken apart before");
  return from;
}

// Returns the texts that match the items at the beginning or, with `anywhere`, at any position.
// With `more`, any text may follow.
Result<TextSet> items_set(std::span<const Regex> items, bool anywhere, bool more,
                          SchemaBudget* budget) {
  TextNfa nfa;
  const StateId start = nfa.add_state();
  StateId at = start;
  if (anywhere) {
    at = nfa.add_state();
    nfa.add_move(start, at);
    nfa.add_arc(at, at, every_point());
    // An anchor must not enter the loop, so the items begin in a separate state.
    const StateId begin = nfa.add_state();
    nfa.add_move(at, begin);
    at = begin;
  }
  for (const Regex& item : items) at = build(nfa, item, at);
  if (more) {
    const StateId end = nfa.add_state();
    nfa.add_move(at, end);
    nfa.add_arc(end, end, every_point());
    at = end;
  }
  return nfa.to_set(start, at, budget);
}

Result<TextSet> search_set(std::span<const Regex> items, bool anywhere, SchemaBudget* budget);

// The look-ahead and the items after it both constrain the same rest of the text.
Result<TextSet> ahead_set(const Regex& ahead, std::span<const Regex> rest, SchemaBudget* budget) {
  PEDRO_TRY(const TextSet seen, search_set(items_of(ahead.children.front()), false, budget));
  PEDRO_TRY(const TextSet after, search_set(rest, false, budget));
  return ahead.negated ? difference(after, seen, budget) : intersection(after, seen, budget);
}

Result<TextSet> search_set(std::span<const Regex> items, bool anywhere, SchemaBudget* budget) {
  std::size_t at = 0;
  while (at < items.size() && items[at].kind != Kind::kAhead) ++at;
  const std::span<const Regex> before = items.first(at);
  if (has_kind(before, Kind::kAhead)) return unsupported("look-ahead in a group");
  if (at == items.size()) return items_set(items, anywhere, true, budget);
  // The text is split here, so anchors would match at the ends of the parts.
  if (has_kind(before, Kind::kEnd)) return unsupported("'$' before a look-ahead");
  const bool at_begin = (at > 0 || !anywhere) && std::ranges::all_of(before, [](const Regex& item) {
                          return item.kind == Kind::kBegin;
                        });
  if (!at_begin && has_kind(items.subspan(at), Kind::kBegin))
    return unsupported("'^' after a look-ahead");
  PEDRO_TRY(const TextSet rest, ahead_set(items[at], items.subspan(at + 1), budget));
  PEDRO_TRY(const TextSet head, items_set(before, anywhere, false, budget));
  return concatenation(head, rest, budget);
}

}  // namespace

Result<TextSet> pattern_set(std::string_view pattern, SchemaBudget* budget) {
  PEDRO_TRY(const Regex regex, parse_regex(pattern));
  if (regex.kind != Kind::kChoice || !has_kind(regex.children, Kind::kAhead)) {
    return search_set(items_of(regex), true, budget);
  }
  TextSet all;
  for (const Regex& option : regex.children) {
    PEDRO_TRY(const TextSet set, search_set(items_of(option), true, budget));
    PEDRO_TRY(TextSet more, union_of(all, set, budget));
    all = std::move(more);
  }
  return all;
}

}  // namespace pedro
