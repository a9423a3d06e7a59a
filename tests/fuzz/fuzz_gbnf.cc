// Reads any bytes as a grammar. Every valid grammar is checked, printed and parsed again.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/utf8.h"
#include "fuzz/require.h"
#include "gbnf/check_gbnf.h"
#include "gbnf/parse_gbnf.h"
#include "gbnf/program.h"

namespace {

using namespace pedro;

// Returns true for limits of the matcher that a server does not have.
bool is_our_own_limit(const Error& error) {
  return error.message.find("too large") != std::string::npos ||
         error.message.find("bytes cannot express") != std::string::npos;
}

// Puts root first, as print() does.
Gbnf root_first(const Gbnf& grammar) {
  Gbnf out;
  for (const bool root : {true, false}) {
    for (const Rule& rule : grammar.rules) {
      if ((rule.name == "root") == root) out.rules.push_back(rule);
    }
  }
  return out;
}

Gbnf parse_again(const Gbnf& grammar) {
  const std::string text = print(grammar);
  auto parsed = parse_gbnf(text, "printed");
  // Escapes may make the text longer than the parser's limit.
  if (!parsed.ok() && text.size() > kMaxGbnfBytes) return root_first(grammar);
  require(parsed.ok(), "what was printed cannot be parsed", text);
  return std::move(parsed->grammar);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto parsed = parse_gbnf(text, "fuzz");
  if (!parsed.ok()) {
    require(is_valid_utf8(parsed.error().message), "an error is not UTF-8", parsed.error().message);
    require(parsed.error().message.size() < 2000, "an error is long", parsed.error().message);
    return 0;
  }
  const GbnfReport report = check_gbnf(*parsed);
  require(is_valid_utf8(to_text(report, *parsed)), "a report is not UTF-8", text);
  const Gbnf& grammar = parsed->grammar;
  require(parse_again(grammar) == root_first(grammar), "parsed again it is another", text);
  const auto program = compile_program(grammar);
  const bool compiles = program.ok();
  require(compiles || report.has_errors() || is_our_own_limit(program.error()),
          "nobody found why it does not compile", text);
  return 0;
}
