// Reads any bytes as a pattern. Its set, its grammar in both encodings and the slow engine must
// agree about texts. The texts are in the set, or nearly so.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/utf8.h"
#include "fuzz/require.h"
#include "gbnf/match.h"
#include "regular/pattern_set.h"
#include "regular/regex.h"
#include "regular/slow_regex.h"
#include "regular/text_set_to_gbnf.h"
#include "schema_to_gbnf/instance_maker.h"

namespace {

using namespace pedro;

constexpr std::size_t kMaxStates = 500;  // of a set whose texts are checked
constexpr std::size_t kMaxSlowSteps = 3000;
constexpr std::size_t kMaxDerivedSteps = 4000;
constexpr std::size_t kMaxWalk = 12;

// Returns the distance of each state from an accepting state, in code points.
std::vector<std::size_t> ways_home(const TextSet& set) {
  std::vector<std::size_t> home(set.states().size(), set.states().size());
  for (bool nearer = true; nearer;) {
    nearer = false;
    for (std::size_t i = home.size(); i-- > 0;) {
      const TextSet::State& state = set.states()[i];
      std::size_t best = state.accepting ? 0 : home[i];
      for (const TextSet::Arc& arc : state.arcs) best = std::min(best, home[arc.target] + 1);
      nearer |= best < home[i];
      home[i] = std::min(home[i], best);
    }
  }
  return home;
}

// Walks randomly through the automaton. After kMaxWalk steps it takes the shortest way to the end.
std::string text_of(const TextSet& set, const std::vector<std::size_t>& home,
                    std::mt19937& random) {
  std::string text;
  std::size_t at = 0;
  for (std::size_t steps = 0;; ++steps) {
    const TextSet::State& state = set.states()[at];
    const bool late = steps >= kMaxWalk;
    if (state.accepting && (late || state.arcs.empty() || random() % 4 == 0)) return text;
    const TextSet::Arc* arc = &state.arcs[random() % state.arcs.size()];
    if (late) {
      for (const TextSet::Arc& other : state.arcs) {
        if (home[other.target] < home[arc->target]) arc = &other;
      }
    }
    const auto span = static_cast<std::uint32_t>(arc->last - arc->first);
    // The first code points of a range are mostly ASCII.
    const std::uint32_t offset = random() % 2 == 0 ? std::min(span, 40U) : span;
    append_utf8(text, arc->first + static_cast<char32_t>(random() % (offset + 1)));
    at = arc->target;
  }
}

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

/// A set and its grammars.
class Subject {
 public:
  Subject(const Regex& regex, const TextSet& set)
      : regex_(regex),
        set_(set),
        plain_(grammar_of(TextEncoding::kPlain)),
        json_(grammar_of(TextEncoding::kJsonString)) {}

  bool compile() {
    for (const bool json : {false, true}) {
      auto compiled = Matcher::compile(json ? json_ : plain_);
      if (!compiled) {
        require(compiled.error().kind == ErrorKind::kLimit ||
                    compiled.error().message.find("too large") != std::string::npos,
                "it does not compile", compiled.error().message);
        return false;
      }
      (json ? json_matcher_ : plain_matcher_) = *std::move(compiled);
    }
    return true;
  }

  // Checks that all engines agree about a text.
  void check(const std::string& text) const {
    const bool in = set_.contains(text);
    require(takes(*plain_matcher_, text) == in, "the plain grammar disagrees", text);
    require(takes(*json_matcher_, to_line(Json(text))) == in, "the JSON grammar disagrees", text);
    if (text.size() > 12 || !is_ascii(text)) return;
    const std::optional<bool> found = found_slowly(regex_, text, kMaxSlowSteps);
    require(!found || *found == in, "the slow engine disagrees", text);
  }

  void check_derived() const {
    InstanceMaker maker(1);
    const auto plain = maker.derived_within(plain_, kMaxDerivedSteps);
    if (plain) {
      require(set_.contains(*plain), "the plain grammar has more", *plain);
      check(*plain);
    }
    const auto json = maker.derived_within(json_, kMaxDerivedSteps);
    if (!json) return;
    const auto value = parse_json(*json);
    require(value.ok() && value->is_string(), "not a JSON string", *json);
    check(value->get<std::string>());
  }

 private:
  Gbnf grammar_of(TextEncoding form) const {
    GrammarBuilder builder;
    Expr root = add_text_set(builder, set_, form, "text");
    return builder.finish(std::move(root));
  }

  static bool takes(Matcher matcher, const std::string& text) {
    const auto taken = matcher.accept(text);
    require(taken.ok(), "the matcher gives up", text);
    return *taken == text.size() && matcher.is_complete();
  }

  const Regex& regex_;
  const TextSet& set_;
  Gbnf plain_;
  Gbnf json_;
  std::optional<Matcher> plain_matcher_;
  std::optional<Matcher> json_matcher_;
};

// Changes a text in one place, with a character of the pattern.
std::string changed(std::string text, std::string_view pattern, std::mt19937& random) {
  const char c = pattern.empty() ? 'a' : pattern[random() % pattern.size()];
  const std::size_t at = random() % (text.size() + 1);
  switch (random() % 3) {
    case 0:
      text.insert(at, 1, c);
      break;
    case 1:
      if (at < text.size()) text[at] = c;
      break;
    default:
      if (at < text.size()) text.erase(at, 1);
  }
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view pattern(reinterpret_cast<const char*>(data), size);
  if (!is_valid_utf8(pattern)) return 0;
  const auto regex = parse_regex(pattern);
  const auto set = pattern_set(pattern);
  require(regex.ok() || !set.ok(), "a set of what is no pattern", pattern);
  if (!set) {
    require(is_valid_utf8(set.error().message), "an error is not UTF-8", set.error().message);
    return 0;
  }
  Subject subject(*regex, *set);
  if (!subject.compile()) return 0;
  std::mt19937 random(1);
  subject.check("");
  if (set->states().size() > kMaxStates || set->is_empty()) return 0;
  const std::vector<std::size_t> home = ways_home(*set);
  for (int i = 0; i < 8; ++i) {
    const std::string text = text_of(*set, home, random);
    require(set->contains(text), "the set does not contain its own text", text);
    subject.check(text);
    const std::string other = changed(text, pattern, random);
    if (is_valid_utf8(other)) subject.check(other);
  }
  subject.check_derived();
  return 0;
}
