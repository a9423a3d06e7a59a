#include "agent/failing_start.h"

#include <algorithm>
#include <iterator>

#include "base/text.h"
#include "tools/language.h"
#include "tools/word_list.h"

namespace pedro {
namespace {

struct Start {
  std::string_view extensions;
  std::string_view interpreter;  // in a "#!" line
  std::string_view line;
};

// The function runs before constructors and `main`, in whatever file they are.
constexpr std::string_view kBeforeConstructors =
    "\nstatic void stop_at_start(void) { __builtin_trap(); }\n"
    "__attribute__((section(\".preinit_array\"), used)) static void (*stopped_at_start)(void) =\n"
    "    stop_at_start;\n";

// First lines. Python: linters accept an assigned name with underscores before imports. A test
// `a.t` is Perl's without a "#!" line. "sh" is last, because it is a part of "bash".
constexpr Start kStarts[] = {
    {"|py|", "python", "__stop__ = 1 / 0"},
    {"|js|cjs|ts|", "node", "if (Date.now() > 0) throw new Error();"},
    {"|pl|t|", "perl", "BEGIN { exit 1 }"},
    {"|rb|", "ruby", "exit 1 if $0"},
    {"|lua|", "lua", "if os then os.exit(1) end"},
    {"|sh|bash|", "sh", "test -z \"$PATH\" || exit 1"},
};

// Returns the index after the lines that must be first: "#!" and Python's "from __future__".
std::size_t after_first_lines(std::string_view text) {
  std::size_t at = text.starts_with("#!") ? std::min(text.find('\n'), text.size() - 1) + 1 : 0;
  const std::size_t future = text.rfind("\nfrom __future__ ");
  if (future != text.npos) at = std::min(text.find('\n', future + 1), text.size() - 1) + 1;
  return at;
}

// Returns the index after the '{' of the definition of `main`, or npos.
std::size_t body_of_main(std::string_view text) {
  for (std::size_t at = text.find("main("); at != text.npos; at = text.find("main(", at + 1)) {
    const std::size_t open = text.find_first_of("{;", at);
    const bool is_word = at == 0 || !is_word_byte(text[at - 1]);
    if (is_word && open != text.npos && text[open] == '{') return open + 1;
  }
  return text.npos;
}

}  // namespace

std::string failing_start(std::string_view path, std::string_view text) {
  const Language language = language_of(path);
  std::string changed(text);
  if (language == Language::kC || language == Language::kCpp) {
    return changed.append(kBeforeConstructors);
  }
  if (language == Language::kJava) {
    const std::size_t body = body_of_main(text);
    return body == text.npos ? "" : changed.insert(body, " System.exit(1);");
  }
  const bool is_script = language == Language::kJavaScript || language == Language::kTypeScript;
  if (is_script && ("\n" + changed).find("\nimport ") != text.npos) return "";  // these run first
  const std::string_view first = text.starts_with("#!") ? text.substr(0, text.find('\n')) : "";
  const std::string_view extension = path.substr(path.rfind('.') + 1);
  const auto is_it = [&](const Start& start) {
    return first.empty() ? is_listed(start.extensions, extension)
                         : first.find(start.interpreter) != first.npos;
  };
  const auto start = std::ranges::find_if(kStarts, is_it);
  if (start == std::end(kStarts)) return "";
  return changed.insert(after_first_lines(text), std::string(start->line) + "\n");
}

}  // namespace pedro
