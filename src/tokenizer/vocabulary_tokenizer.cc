#include "tokenizer/vocabulary_tokenizer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "tokenizer/normal_form.h"
#include "tokenizer/text_cut.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxTextBytes = std::size_t{1} << 30;
constexpr std::size_t kPreparedBytes = std::size_t{1} << 16;  // of text per part
constexpr std::size_t kBytesOfToken = 3;                      // estimate for reserving memory
constexpr std::string_view kStripped = " \t\n\v\f\r";
constexpr std::string_view kEscapedSpace = "\xE2\x96\x81";  // U+2581

std::vector<TokenId> user_defined_of(const Vocabulary& vocabulary) {
  std::vector<TokenId> ids;
  std::copy_if(vocabulary.specials().begin(), vocabulary.specials().end(), std::back_inserter(ids),
               [&](TokenId id) { return vocabulary.kind(id) == TokenKind::kUserDefined; });
  return ids;
}

std::vector<TokenId> specials_of(const Vocabulary& vocabulary) {
  return {vocabulary.specials().begin(), vocabulary.specials().end()};
}

// Appends the text with each space escaped as in tokens.
void append_escaped(std::string_view text, std::string& out) {
  const std::size_t begin = out.size();
  const auto spaces = static_cast<std::size_t>(std::count(text.begin(), text.end(), ' '));
  out.resize(begin + text.size() + (kEscapedSpace.size() - 1) * spaces);
  char* to = out.data() + begin;
  for (const char c : text) {
    if (c == ' ') {
      std::memcpy(to, kEscapedSpace.data(), kEscapedSpace.size());
      to += kEscapedSpace.size();
    } else {
      *to++ = c;
    }
  }
}

Error no_token(const Vocabulary& vocabulary, TokenId id) {
  return Error{ErrorKind::kUsage, fmt::format("{}: there is no token {}; the last one is {}",
                                              vocabulary.name(), id, vocabulary.size() - 1)};
}

}  // namespace

SpecialFinder::SpecialFinder(const Vocabulary& vocabulary, const std::vector<TokenId>& ids)
    : vocabulary_(vocabulary) {
  for (std::size_t i = 0; i < ids.size(); ++i) add(ids[i], i);
}

void SpecialFinder::add(TokenId id, std::size_t order) {
  const std::string_view text = vocabulary_.piece(id);
  if (text.empty()) return;
  first_.set(static_cast<unsigned char>(text[0]));
  longest_ = std::max(longest_, text.size());
  std::int32_t node = 0;
  for (const char byte : text) {
    std::int32_t next = step(node, byte);
    if (next == kNone) {
      next = static_cast<std::int32_t>(nodes_.size());
      nodes_[static_cast<std::size_t>(node)].next.emplace_back(byte, next);
      nodes_.emplace_back();
    }
    node = next;
  }
  Node& end = nodes_[static_cast<std::size_t>(node)];
  if (end.token != kNone) return;  // the first of two tokens with the same text is kept
  end.token = id;
  end.order = order;
}

std::int32_t SpecialFinder::step(std::int32_t node, char byte) const {
  const auto& next = nodes_[static_cast<std::size_t>(node)].next;
  const auto at =
      std::find_if(next.begin(), next.end(), [byte](const auto& arc) { return arc.first == byte; });
  return at == next.end() ? kNone : at->second;
}

std::vector<SpecialAt> SpecialFinder::find(std::string_view text) const {
  if (longest_ == 0) return {};
  return vocabulary_.facts().fidelity == Fidelity::kReference ? leftmost(text)
                                                              : longest_first(text);
}

std::vector<SpecialAt> SpecialFinder::leftmost(std::string_view text) const {
  std::vector<SpecialAt> found;
  for (std::size_t begin = 0; begin < text.size();) {
    TokenId last = kNone;
    std::int32_t node = first_.test(static_cast<unsigned char>(text[begin])) ? 0 : kNone;
    for (std::size_t i = begin; i < text.size() && node != kNone; ++i) {
      node = step(node, text[i]);
      if (node == kNone) break;
      const TokenId token = nodes_[static_cast<std::size_t>(node)].token;
      if (token != kNone) last = token;
    }
    if (last == kNone) {
      ++begin;
    } else {
      found.push_back({begin, last});
      begin += vocabulary_.piece(last).size();
    }
  }
  return found;
}

std::vector<SpecialAt> SpecialFinder::longest_first(std::string_view text) const {
  std::vector<std::tuple<std::size_t, std::size_t, TokenId>> all;  // order, begin, token
  for (std::size_t begin = 0; begin < text.size(); ++begin) {
    std::int32_t node = first_.test(static_cast<unsigned char>(text[begin])) ? 0 : kNone;
    for (std::size_t i = begin; i < text.size() && node != kNone; ++i) {
      node = step(node, text[i]);
      if (node == kNone) break;
      const Node& here = nodes_[static_cast<std::size_t>(node)];
      if (here.token != kNone) all.emplace_back(here.order, begin, here.token);
    }
  }
  std::sort(all.begin(), all.end());
  std::vector<SpecialAt> found;
  std::vector<bool> taken(all.empty() ? 0 : text.size());
  for (const auto& [order, begin, token] : all) {
    // An overlapping earlier match is at least as long, so it covers an end of this one.
    const std::size_t last = begin + vocabulary_.piece(token).size() - 1;
    if (taken[begin] || taken[last]) continue;
    std::fill(taken.begin() + static_cast<std::ptrdiff_t>(begin),
              taken.begin() + static_cast<std::ptrdiff_t>(last) + 1, true);
    found.push_back({begin, token});
  }
  std::sort(found.begin(), found.end(),
            [](const SpecialAt& a, const SpecialAt& b) { return a.begin < b.begin; });
  return found;
}

VocabularyTokenizer::VocabularyTokenizer(Vocabulary vocabulary, ScanPieces scan,
                                         std::optional<PatternScanner> patterns)
    : vocabulary_(std::move(vocabulary)),
      scan_(scan),
      patterns_(std::move(patterns)),
      all_specials_(vocabulary_, specials_of(vocabulary_)),
      user_defined_(vocabulary_, user_defined_of(vocabulary_)) {}

Result<std::unique_ptr<VocabularyTokenizer>> VocabularyTokenizer::create(Vocabulary vocabulary) {
  const PreTokenizer& wanted = vocabulary.pre_tokenizer();
  std::optional<PatternScanner> patterns;
  ScanPieces scan = nullptr;
  if (!wanted.patterns.empty()) {
    PEDRO_TRY(auto compiled, PatternScanner::compile(wanted.patterns));
    patterns.emplace(std::move(compiled));
  } else {
    scan = scanner_named(wanted.scanner, vocabulary.facts().fidelity);
    if (scan == nullptr) {
      return Error{ErrorKind::kUsage,
                   fmt::format("no pre-tokenizer is called '{}'", wanted.scanner)};
    }
  }
  return std::unique_ptr<VocabularyTokenizer>(
      new VocabularyTokenizer(std::move(vocabulary), scan, std::move(patterns)));
}

std::unique_ptr<PieceEncoder> VocabularyTokenizer::encoder() {
  {
    const std::lock_guard lock(mutex_);
    if (!pool_.empty()) {
      std::unique_ptr<PieceEncoder> last = std::move(pool_.back());
      pool_.pop_back();
      return last;
    }
  }
  return std::make_unique<PieceEncoder>(vocabulary_, scan_, patterns_ ? &*patterns_ : nullptr);
}

void VocabularyTokenizer::give_back(std::unique_ptr<PieceEncoder> encoder) {
  const std::lock_guard lock(mutex_);
  pool_.push_back(std::move(encoder));
}

std::vector<SpecialAt> VocabularyTokenizer::specials_in(std::string_view text,
                                                        Specials specials) const {
  if (specials.all()) return all_specials_.find(text);
  const bool user_defined = vocabulary_.facts().fidelity == Fidelity::kLlamaCpp;
  if (specials.none()) return user_defined ? user_defined_.find(text) : std::vector<SpecialAt>();
  std::vector<TokenId> ids;
  for (const TokenId id : vocabulary_.specials()) {
    const auto named = specials.texts();
    const bool wanted =
        std::find(named.begin(), named.end(), vocabulary_.piece(id)) != named.end() ||
        (user_defined && vocabulary_.kind(id) == TokenKind::kUserDefined);
    if (wanted) ids.push_back(id);
  }
  return SpecialFinder(vocabulary_, ids).find(text);
}

// Prepares the text between special tokens for cutting: normalizes it, then marks the spaces. Form
// C neither makes nor joins spaces, so the result is that of any order.
std::string_view VocabularyTokenizer::prepared(std::string_view text, TextPlace part,
                                               std::string& storage) const {
  const VocabularyFacts& facts = vocabulary_.facts();
  const bool marks_spaces = facts.escape_spaces || facts.space_prefix;
  std::string normal;
  if (may_change(text, facts.form)) {
    normal = normalized(text, facts.form);
    text = normal;
  }
  if (!marks_spaces && normal.empty()) return text;
  storage.clear();
  if (facts.space_prefix && part == TextPlace::kFirst)
    storage += facts.escape_spaces ? kEscapedSpace : " ";
  if (facts.escape_spaces) {
    append_escaped(text, storage);
  } else {
    storage += text;
  }
  return storage;
}

// Calls `take` with text and no token, or with empty text and a special token.
template <typename Take>
Status VocabularyTokenizer::for_each_part(std::string_view text, Specials specials, TextPlace part,
                                          Take take) {
  if (text.size() > kMaxTextBytes) {
    return Error{ErrorKind::kLimit, "text of more than 1 GiB cannot be tokenized in one go"};
  }
  std::unique_ptr<PieceEncoder> pieces = encoder();
  std::string storage;
  Status status;
  const VocabularyFacts& facts = vocabulary_.facts();
  const bool changes = facts.form != NormalForm::kNone || facts.escape_spaces || facts.space_prefix;
  const auto take_text = [&](std::string_view some) {
    while (!some.empty() && status) {
      const std::size_t size =
          changes ? first_part(vocabulary_, some, kPreparedBytes) : some.size();
      status = take(*pieces, prepared(some.substr(0, size), part, storage), std::nullopt);
      some.remove_prefix(size);
      part = TextPlace::kLater;
    }
    part = TextPlace::kFirst;  // text after a special token is first again
  };
  std::size_t begin = 0;
  for (const SpecialAt& special : specials_in(text, specials)) {
    take_text(text.substr(begin, special.begin - std::min(begin, special.begin)));
    if (status) status = take(*pieces, std::string_view(), special.id);
    begin = special.begin + vocabulary_.piece(special.id).size();
    if (vocabulary_.strips_behind(special.id)) {
      begin = std::min(text.find_first_not_of(kStripped, begin), text.size());
    }
  }
  take_text(text.substr(begin));
  give_back(std::move(pieces));
  return status;
}

Result<std::vector<TokenId>> VocabularyTokenizer::encode(std::string_view text, Specials specials) {
  return encode_part(text, specials, TextPlace::kFirst);
}

Result<std::vector<TokenId>> VocabularyTokenizer::encode_part(std::string_view text,
                                                              Specials specials, TextPlace part) {
  std::vector<TokenId> ids;
  ids.reserve(std::min(text.size(), kMaxTextBytes) / kBytesOfToken);
  PEDRO_RETURN_IF_ERROR(for_each_part(
      text, specials, part,
      [&ids](PieceEncoder& pieces, std::string_view some, std::optional<TokenId> special) {
        if (!special) return pieces.encode(some, ids);
        ids.push_back(*special);
        return Status();
      }));
  return ids;
}

bool VocabularyTokenizer::has_special_across(std::string_view text, std::size_t at,
                                             Specials specials) const {
  const std::size_t reach = std::max<std::size_t>(longest_special(), 1) - 1;
  const std::size_t begin = at - std::min(at, reach);
  const auto found = specials_in(text.substr(begin, at - begin + reach), specials);
  return std::any_of(found.begin(), found.end(), [&](const SpecialAt& one) {
    const std::size_t one_begin = begin + one.begin;
    return one_begin < at && one_begin + vocabulary_.piece(one.id).size() > at;
  });
}

Result<std::size_t> VocabularyTokenizer::count(std::string_view text, Specials specials) {
  return count_part(text, specials, TextPlace::kFirst);
}

Result<std::size_t> VocabularyTokenizer::count_part(std::string_view text, Specials specials,
                                                    TextPlace part) {
  std::size_t count = 0;
  PEDRO_RETURN_IF_ERROR(for_each_part(
      text, specials, part,
      [&count](PieceEncoder& pieces, std::string_view some, std::optional<TokenId> special) {
        if (!special) return pieces.count(some, count);
        ++count;
        return Status();
      }));
  return count;
}

// Appends a token's bytes with unescaped spaces.
void VocabularyTokenizer::append_bytes(TokenId id, std::string& out) const {
  const std::string_view piece = vocabulary_.piece(id);
  if (!vocabulary_.facts().escape_spaces || vocabulary_.kind(id) != TokenKind::kNormal) {
    out += piece;
    return;
  }
  for (std::size_t begin = 0; begin < piece.size();) {
    const std::size_t space = std::min(piece.find(kEscapedSpace, begin), piece.size());
    out += piece.substr(begin, space - begin);
    if (space < piece.size()) out += ' ';
    begin = space + kEscapedSpace.size();
  }
}

Result<std::string> VocabularyTokenizer::decode(const std::vector<TokenId>& ids) {
  std::string text;
  for (const TokenId id : ids) {
    if (!vocabulary_.has(id)) return no_token(vocabulary_, id);
    append_bytes(id, text);
  }
  const bool prefixed = vocabulary_.facts().space_prefix && !text.empty() && text[0] == ' ' &&
                        !vocabulary_.is_control(ids.front());
  return prefixed ? text.substr(1) : text;
}

Result<std::string> VocabularyTokenizer::piece(TokenId id) {
  if (!vocabulary_.has(id)) return no_token(vocabulary_, id);
  std::string bytes;
  append_bytes(id, bytes);
  return bytes;
}

Result<std::optional<TokenId>> VocabularyTokenizer::id_of(std::string_view bytes) {
  if (!vocabulary_.facts().escape_spaces) return vocabulary_.id_of(bytes);
  const auto escaped = vocabulary_.id_of(replace_all(bytes, " ", kEscapedSpace));
  return escaped ? escaped : vocabulary_.id_of(bytes);
}

Result<bool> VocabularyTokenizer::is_control(TokenId id) {
  if (!vocabulary_.has(id)) return no_token(vocabulary_, id);
  return vocabulary_.is_control(id);
}

Result<std::vector<TokenId>> VocabularyTokenizer::prompt_start() {
  const VocabularyFacts& facts = vocabulary_.facts();
  std::vector<TokenId> ids;
  if (facts.add_bos && facts.bos != -1) ids.push_back(facts.bos);
  return ids;
}

}  // namespace pedro
