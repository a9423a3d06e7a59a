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
constexpr std::string_view kOutputWords =
    "|expected|golden|goldens|output|outputs|snapshot|snapshots|fixture|fixtures|";
constexpr std::size_t kNamesFrom = 5;  // bytes; shorter names are ordinary words

// A verb with up to eight words of the same clause, or a participle after such words. Words that
// pass or fail are no objects of the verb.
constexpr const char* kAskedPattern = R"((?xi)
  (?(DEFINE)
    (?<verb> update[sd]? | updating | adapt | adjust | rename | rewrite | revise | migrate
           | change | correct | remove | delete | regenerate | extend | replace | refresh)
    (?<stop> that | until | so | when | while | because | if | before | after | unless)
    (?<outcome> (?: (?: must | should | will | to | can | now | still | then | all) (?&gap) )*
                (?: pass | fail | succeed | green | see) )
    (?<word> (?! (?: (?&verb) | (?&stop) ) \b) [\w/-]++ (?: \. [\w/-]++ )*+ (?: \(\) )?
             (?! (?&gap) (?&outcome) ) )
    (?<gap> [\x20\t,'"`*]+ ))
  \b (?&verb) (?: (?&gap) (?&word) ){1,8}
  | (?: (?&word) (?&gap) ){1,4}
    (?: updated | adapted | adjusted | renamed | rewritten | revised | removed | accordingly) \b
)";

// Returns the words that the task asks to change, in lower case, with the verbs.
std::set<std::string> asked_words(std::string_view task) {
  static const auto pattern = TextPattern::compile(kAskedPattern, TextPattern::Unit::kByte);
  std::vector<TextRange> clauses;
  if (pattern) (void)pattern->find_all(task, clauses);
  std::set<std::string> words;
  for (const auto& [begin, end] : clauses) {
    const std::string clause = to_lower(task.substr(begin, end - begin));
    for (const std::string_view word : runs_of(clause, is_path_byte)) words.emplace(word);
  }
  return words;
}

bool is_plain_test(const std::string& path) {
  return (is_test_name(path) || is_expected_output(path)) && !is_check_definition(path);
}

bool is_asked(const std::set<std::string>& asked, const std::string& path,
              const std::string& text) {
  if (!is_plain_test(path)) return false;
  const std::string lower = to_lower(text);
  return std::ranges::any_of(asked, [&](const std::string& word) {
    const bool is_name = word.size() >= kNamesFrom && word.find("test") != word.npos;
    return is_listed(kTestWords, word) ||
           (is_expected_output(path) && is_listed(kOutputWords, word)) ||
           to_lower(base_name(path)) == base_name(word) ||
           (is_name && has_whole_words(lower, word));
  });
}

// Returns the words of a text, and "." for each end of a clause.
std::vector<std::string> words_in_clauses(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    while (at < text.size() && is_word_byte(text[at])) ++at;
    if (at > begin) words.emplace_back(text.substr(begin, at - begin));
    if (at < text.size() && std::string_view(".;:\n").find(text[at]) != text.npos) {
      words.emplace_back(".");
    }
    if (at < text.size()) ++at;
  }
  return words;
}

}  // namespace

Renames asked_renames(std::string_view task) {
  constexpr std::size_t kMostBetween = 8;  // words
  const std::vector<std::string> words = words_in_clauses(task);
  Renames names;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!is_listed("|rename|renames|renamed|renaming|", to_lower(words[i]))) continue;
    for (std::size_t j = i + 1; j + 1 < std::min(words.size(), i + kMostBetween); ++j) {
      if (words[j] == ".") break;
      if (!is_listed("|to|as|into|", words[j])) continue;
      std::size_t old = j - 1;  // "rename a to b"; "a must be renamed to b"
      while (old > 0 && (old == i || is_listed("|is|was|be|been|should|must|", words[old]))) --old;
      if (old != i && words[j + 1] != ".") names[words[old]] = words[j + 1];
      break;
    }
  }
  return names;
}

std::string renamed(std::string_view text, const Renames& names) {
  std::string changed;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    while (at < text.size() && is_word_byte(text[at])) ++at;
    std::string word(text.substr(begin, at - begin));
    const auto name = names.find(word);
    changed += name == names.end() ? word : name->second;
    if (at < text.size()) changed += text[at++];
  }
  return changed;
}

bool are_asked_tests(std::string_view task, const std::set<std::string>& paths,
                     const std::function<std::string(const std::string& path)>& base) {
  const std::set<std::string> asked = asked_words(task);
  return std::ranges::all_of(paths, [&](const std::string& path) {
    const std::string text = base(path);
    return text.empty() ? is_plain_test(path) : is_asked(asked, path, text);
  });
}

std::string unasked_test(std::string_view task, const std::vector<std::string>& tests,
                         const std::set<std::string>& failed_before) {
  bool is_general = false;
  std::vector<std::string> names;
  std::vector<std::string> files;
  for (const std::string& word : asked_words(task)) {
    is_general = is_general || is_listed(kTestWords, word) || is_listed(kOutputWords, word);
    if (word.size() < kNamesFrom || word.find("test") == word.npos) continue;
    const std::string_view file = base_name(word);
    const bool is_file = file.size() < word.size() || file.find('.') != file.npos;
    if (is_file) files.emplace_back(file.substr(0, file.find('.')));
    if (!is_file && !is_listed(kTestWords, word)) names.push_back(word);
  }
  if (names.empty()) names = std::move(files);
  const auto is_asked = [&](const std::string& test) {
    const std::string lower = to_lower(test);
    const bool is_named = std::ranges::any_of(
        names, [&lower](const std::string& name) { return lower.find(name) != lower.npos; });
    return is_named || (is_general && !failed_before.contains(test));
  };
  const auto found = std::ranges::find_if_not(tests, is_asked);
  return found == tests.end() ? "" : *found;
}

bool are_named_helpers(std::string_view task, const std::set<std::string>& paths,
                       const std::function<std::string(const std::string& path)>& base) {
  constexpr std::string_view kTestTexts =
      "|assert|expect|Assert|Expect|CHECK|raise|throw|exit|"
      "def test|skip|FAIL|fail|";
  return std::ranges::all_of(paths, [&](const std::string& path) {
    const std::string text = base(path);
    return !text.empty() && has_whole_words(task, path) && !is_check_definition(path) &&
           !has_any(text, kTestTexts);
  });
}

}  // namespace pedro
