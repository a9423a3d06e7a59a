#include "agent/asked_tests.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "agent/check_names.h"
#include "base/text.h"
#include "base/text_pattern.h"
#include "sys/file_system.h"
#include "tools/test_names.h"
#include "tools/word_list.h"

namespace pedro {
namespace {

constexpr std::string_view kTestWords =
    "|test|tests|spec|specs|expectation|expectations|snapshots|";
constexpr std::size_t kNamesFrom = 5;  // bytes; shorter names are ordinary words

// A verb with up to four words of the same clause, or a participle after such words.
constexpr const char* kAskedPattern = R"((?xi)
  (?(DEFINE)
    (?<verb> update[sd]? | updating | adapt | adjust | rename | rewrite | revise | migrate
           | change | correct)
    (?<stop> that | until | so | when | while | because | if | before | after | unless)
    (?<word> (?! (?: (?&verb) | (?&stop) ) \b) [\w/-]+ (?: \. [\w/-]+ )* )
    (?<gap> [^\w./\n-]+ ))
  \b (?&verb) (?: (?&gap) (?&word) ){1,4}
  | (?: (?&word) (?&gap) ){1,4} (?: updated | adapted | adjusted | renamed | rewritten | revised) \b
)";

// Returns the words that the task asks to change, in lower case, with the verbs.
std::set<std::string> asked_words(std::string_view task) {
  static const auto pattern = TextPattern::compile(kAskedPattern, TextPattern::Unit::kByte);
  std::vector<TextRange> clauses;
  if (pattern) (void)pattern->find_all(task, clauses);
  std::set<std::string> words;
  for (const auto& [begin, end] : clauses) {
    std::string word;
    for (const char c : to_lower(task.substr(begin, end - begin)) + " ") {
      if (is_word_byte(c) || c == '/' || c == '-' || c == '.') {
        word += c;
      } else {
        words.insert(std::exchange(word, ""));
      }
    }
  }
  return words;
}

bool is_plain_test(const std::string& path) {
  return is_test_name(path) && !is_check_definition(path);
}

bool is_asked(const std::set<std::string>& asked, const std::string& path,
              const std::string& text) {
  if (!is_plain_test(path)) return false;
  const std::string lower = to_lower(text);
  return std::ranges::any_of(asked, [&](const std::string& word) {
    const bool is_name = word.size() >= kNamesFrom && word.find("test") != word.npos;
    return is_listed(kTestWords, word) || to_lower(base_name(path)) == base_name(word) ||
           (is_name && has_whole_words(lower, word));
  });
}

}  // namespace

bool are_asked_tests(std::string_view task, const std::set<std::string>& paths,
                     const std::function<std::string(const std::string& path)>& base) {
  const std::set<std::string> asked = asked_words(task);
  return std::ranges::all_of(paths, [&](const std::string& path) {
    const std::string text = base(path);
    return text.empty() ? is_plain_test(path) : is_asked(asked, path, text);
  });
}

bool are_named_helpers(std::string_view task, const std::set<std::string>& paths,
                       const std::function<std::string(const std::string& path)>& base) {
  constexpr std::string_view kTestTexts =
      "|assert|expect|Assert|Expect|CHECK|raise|throw|exit|"
      "def test|skip|FAIL|fail|";
  return std::ranges::all_of(paths, [&](const std::string& path) {
    const std::string text = base(path);
    const auto is_in = [&](auto word) { return text.find(word) != text.npos; };
    return !text.empty() && has_whole_words(task, path) && !is_check_definition(path) &&
           !any_listed(kTestTexts, is_in);
  });
}

}  // namespace pedro
