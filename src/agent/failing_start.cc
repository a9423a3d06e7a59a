#include "agent/failing_start.h"

#include <algorithm>

#include "base/text.h"
#include "tools/language.h"

namespace pedro {
namespace {

struct Start {
  std::string_view extension;
  std::string_view line;
};

// The function runs before constructors and `main`, in whatever file they are.
constexpr std::string_view kBeforeConstructors =
    "\nstatic void stop_at_start(void) { __builtin_trap(); }\n"
    "__attribute__((section(\".preinit_array\"), used)) static void (*stopped_at_start)(void) =\n"
    "    stop_at_start;\n";

// First lines. Python: linters accept an assigned name with underscores before imports.
constexpr Start kStarts[] = {
    {"py", "__stop__ = 1 / 0"},
    {"js", "if (Date.now() > 0) throw new Error();"},
    {"cjs", "if (Date.now() > 0) throw new Error();"},
    {"ts", "if (Date.now() > 0) throw new Error();"},
    {"sh", "test -z \"$PATH\" || exit 1"},
    {"bash", "test -z \"$PATH\" || exit 1"},
    {"pl", "BEGIN { exit 1 }"},
    {"t", "BEGIN { exit 1 }"},
    {"rb", "exit 1 if $0"},
    {"lua", "if os then os.exit(1) end"},
};

// The extensions of the interpreters that a "#!" line may name. "sh" is last: part of "bash".
constexpr Start kInterpreters[] = {{"py", "python"}, {"js", "node"}, {"pl", "perl"},
                                   {"rb", "ruby"},   {"lua", "lua"}, {"sh", "sh"}};

// Returns the extension for the language of a script. Its "#!" line comes before its name. A test
// `a.t` may have any language, and is Perl's without that line.
std::string_view extension_of(std::string_view path, std::string_view text) {
  const std::string_view first = text.substr(0, text.find('\n'));
  for (const Start& interpreter : kInterpreters) {
    if (first.starts_with("#!") && first.find(interpreter.line) != first.npos) {
      return interpreter.extension;
    }
  }
  return path.substr(path.rfind('.') + 1);
}

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
  const std::string_view extension = extension_of(path, text);
  for (const Start& start : kStarts) {
    if (start.extension != extension) continue;
    return changed.insert(after_first_lines(text), std::string(start.line) + "\n");
  }
  return "";
}

}  // namespace pedro
