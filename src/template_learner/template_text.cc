#include "template_learner/template_text.h"

#include <algorithm>
#include <set>

#include "base/text.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxFound = 1000;

const Spelling* longest_at(std::string_view text, std::span<const Spelling> spellings) {
  const Spelling* longest = nullptr;
  for (const Spelling& one : spellings) {
    if (one.text.empty() || !text.starts_with(one.text)) continue;
    if (longest == nullptr || one.text.size() > longest->text.size()) longest = &one;
  }
  return longest;
}

constexpr std::size_t kMaxNames = 256;
constexpr std::size_t kMaxTokenNameBytes = 128;
// Limit of overlapping names at a cut.
constexpr int kMaxSteps = 256;

bool looks_like_token(std::string_view text) {
  if (text.size() < 3 || text.size() > kMaxTokenNameBytes) return false;
  if (text.find_first_of(" \n\t") != std::string_view::npos) return false;
  return (text.front() == '<' && text.back() == '>') || (text.front() == '[' && text.back() == ']');
}

Result<std::vector<TokenId>> ids_in(std::span<const std::string> texts, Specials specials,
                                    Tokenizer& tokenizer) {
  std::vector<Passage> passages;
  for (const std::string& text : texts) passages.push_back({text, specials, "chat template"});
  PEDRO_TRY(const auto encoded, tokenizer.encode_each(passages));
  std::vector<TokenId> ids;
  std::set<TokenId> seen;
  for (const auto& one : encoded) {
    for (const TokenId id : one) {
      if (seen.insert(id).second) ids.push_back(id);
    }
  }
  return ids;
}

// A token's name, alone and between other characters.
struct Candidate {
  TokenId id = 0;
  std::string name;
  std::string within;
};

}  // namespace

std::vector<SpellingFound> find_spellings(std::string_view text,
                                          std::span<const Spelling> spellings) {
  std::vector<SpellingFound> found;
  for (std::size_t at = 0; at < text.size() && found.size() < kMaxFound;) {
    const Spelling* spelling = longest_at(text.substr(at), spellings);
    if (spelling == nullptr) {
      ++at;
      continue;
    }
    found.push_back({at, at + spelling->text.size(), spelling});
    at += spelling->text.size();
  }
  return found;
}

std::string with_values(std::string_view text, std::size_t begin, std::size_t end,
                        std::span<const SpellingFound> found) {
  std::string out;
  std::size_t at = begin;
  for (const SpellingFound& one : found) {
    if (one.begin < at || one.end > end) continue;
    out += text.substr(at, one.begin - at);
    out += one.spelling->value;
    at = one.end;
  }
  return out + std::string(text.substr(at, end - at));
}

Result<TokenNames> find_token_names(std::span<const std::string> texts, Tokenizer& tokenizer) {
  PEDRO_TRY(const auto ids, ids_in(texts, Specials::kAll, tokenizer));
  PEDRO_TRY(const auto pieces, tokenizer.pieces(ids));
  std::vector<Candidate> candidates;
  std::vector<Passage> passages;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const std::string& name = pieces[i];
    if (name.size() < 2 || name.size() > kMaxTokenNameBytes) continue;
    candidates.push_back({ids[i], name, ">" + name + ">"});
  }
  for (const Candidate& one : candidates) {
    passages.push_back({one.name, Specials::kAll});
    passages.push_back({one.name, Specials::kNone});
    passages.push_back({one.within, Specials::kNone});
  }
  PEDRO_TRY(const auto encoded, tokenizer.encode_each(passages));
  TokenNames names;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const std::vector<TokenId> self = {candidates[i].id};
    const auto& within = encoded[3 * i + 2];
    if (encoded[3 * i] != self || names.control.size() + names.tags.size() >= kMaxNames) {
      continue;
    }
    const bool in_text = std::find(within.begin(), within.end(), self.front()) != within.end();
    if (encoded[3 * i + 1] != self) {
      names.control.push_back(candidates[i].name);
    } else if (in_text && looks_like_token(candidates[i].name)) {
      names.tags.push_back(candidates[i].name);
    }
  }
  return names;
}

TemplateCutter::TemplateCutter(TokenNames names) {
  add(names);
}

void TemplateCutter::add(const TokenNames& more) {
  const auto join = [&](const std::vector<std::string>& from, std::vector<std::string>& to) {
    for (const std::string& name : from) add_once(to, name);
  };
  join(more.control, names_.control);
  join(more.tags, names_.tags);
}

std::optional<ByteRange> TemplateCutter::whole_at(std::string_view text, std::size_t at) const {
  for (const auto* list : {&names_.control, &names_.tags}) {
    for (const std::string& name : *list) {
      // Searches for a name that begins before `at` and ends after it.
      const std::size_t from = at - std::min(at, name.size() - 1);
      const std::size_t found = text.substr(from, at + name.size() - 1 - from).find(name);
      if (found != std::string_view::npos)
        return ByteRange{from + found, from + found + name.size()};
    }
  }
  const bool in_character =
      at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
  return in_character ? std::optional(ByteRange{at - 1, at + 1}) : std::nullopt;
}

std::string_view TemplateCutter::common_prefix(std::string_view a, std::string_view b) const {
  const auto end = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  auto size = static_cast<std::size_t>(end.first - a.begin());
  for (int steps = 0; size > 0; ++steps) {
    auto whole = whole_at(a, size);
    if (!whole) whole = whole_at(b, size);
    if (!whole) break;
    size = steps < kMaxSteps ? whole->begin : 0;
  }
  return a.substr(0, size);
}

std::string_view TemplateCutter::common_suffix(std::string_view a, std::string_view b) const {
  const auto end = std::mismatch(a.rbegin(), a.rend(), b.rbegin(), b.rend());
  auto size = static_cast<std::size_t>(end.first - a.rbegin());
  for (int steps = 0; size > 0; ++steps) {
    const auto in_a = whole_at(a, a.size() - size);
    const auto in_b = in_a ? in_a : whole_at(b, b.size() - size);
    if (!in_b) break;
    size = (in_a ? a : b).size() - in_b->end;
    if (steps >= kMaxSteps) size = 0;
  }
  return a.substr(a.size() - size);
}

std::size_t TemplateCutter::end_of_first_name(std::string_view text) const {
  std::size_t first = std::string_view::npos;
  std::size_t end = std::string_view::npos;
  for (const auto* list : {&names_.control, &names_.tags}) {
    for (const std::string& name : *list) {
      const std::size_t at = text.find(name);
      if (at == std::string_view::npos || at >= first) continue;
      first = at;
      end = at + name.size();
    }
  }
  return end;
}

std::vector<std::string> cut_at_marks(std::string_view text, std::span<const std::string> marks) {
  std::vector<std::string> pieces;
  std::size_t from = 0;
  for (const std::string& mark : marks) {
    const std::size_t at = text.find(mark);
    if (at == std::string_view::npos || at < from) return {};
    if (text.find(mark, at + 1) != std::string_view::npos) return {};
    pieces.emplace_back(text.substr(from, at - from));
    from = at + mark.size();
  }
  pieces.emplace_back(text.substr(from));
  return pieces;
}

bool take_suffix(std::string& text, std::string_view end) {
  if (!std::string_view(text).ends_with(end)) return false;
  text.resize(text.size() - end.size());
  return true;
}

bool take_prefix(std::string& text, std::string_view begin) {
  if (!std::string_view(text).starts_with(begin)) return false;
  text.erase(0, begin.size());
  return true;
}

}  // namespace pedro
