#include "llm/grammar_watch.h"

#include "grammar/parse_gbnf.h"

namespace pedro {

void GrammarWatch::compile(const std::string& grammar) {
  if (grammar == grammar_) return;
  grammar_ = grammar;
  start_.reset();
  const auto parsed = parse_gbnf(grammar, "grammar");
  if (!parsed) return;
  Result<Matcher> matcher = Matcher::compile(parsed->grammar);
  if (matcher) start_ = *std::move(matcher);
}

bool GrammarWatch::obeys(const std::string& grammar, std::string_view text, bool cut) {
  compile(grammar);
  if (!start_) return true;
  Matcher matcher = *start_;
  const Result<std::size_t> taken = matcher.accept(text);
  if (!taken) return true;
  return *taken == text.size() && (cut || matcher.is_complete());
}

}  // namespace pedro
