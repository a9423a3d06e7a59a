#include "tools/reference_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "base/text.h"
#include "tools/code_words.h"
#include "tools/count_of.h"
#include "tools/definition_search.h"
#include "tools/reference_finder.h"
#include "tools/test_names.h"
#include "tools/text_file.h"
#include "tools/text_search.h"
#include "tools/tree_path.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxAskedDefinitions = 4;
constexpr std::size_t kMaxShownLines = 100;
constexpr std::size_t kMaxReadFiles = 64;
constexpr std::uint64_t kMaxAskedBytes = 1u << 20;  // of one file
constexpr std::string_view kHowToNarrow = "give path and line of a definition, or grep a directory";

LinePlace place_of(const TextMatch& match) {
  return {match.path, match.line};
}

std::string at_place(const ReferenceSearch& search) {
  return search.line == 0 ? search.path : fmt::format("{}:{}", search.path, search.line);
}

// Finds the uses of one name. Use it once.
class Search {
 public:
  Search(ToolContext& context, const ReferenceSearch& search, std::string name)
      : context_(context), search_(search), name_(std::move(name)) {}

  Result<std::string> run() {
    PEDRO_TRY(const TreePath root, existing_folder(context_.tree, ""));
    PEDRO_TRY(all_, search_text(context_, {name_, PatternKind::kLiteralWord, LetterCase::kExact},
                                {root.shown}));
    if (all_.matches.empty()) {
      return fmt::format("'{}' is not in the project; grep finds parts of words", name_);
    }
    PEDRO_TRY(const TextMatches defined,
              find_definitions(context_, root, search_.name, Language::kUnknown));
    for (const TextMatch& match : defined.matches) definitions_.insert(place_of(match));
    PEDRO_TRY(const std::vector<TextMatch> asked, asked_places(defined.matches));
    PEDRO_TRY(const auto found, ask(asked));
    return found ? answer(*found, asked.size()) : answer_by_words();
  }

 private:
  bool is_code(const TextMatch& match) const {
    return is_in_code(language_of(match.path), match.text, name_);
  }

  // Returns the chosen definitions; without one, a use.
  Result<std::vector<TextMatch>> asked_places(std::vector<TextMatch> defined) {
    const auto is_elsewhere = [this](const TextMatch& match) {
      return (!search_.path.empty() && match.path != search_.path) ||
             (search_.line > 0 && match.line != search_.line);
    };
    std::erase_if(defined, is_elsewhere);
    if (!defined.empty()) return defined;
    std::vector<TextMatch> uses = all_.matches;
    std::erase_if(uses, is_elsewhere);
    if (uses.empty()) {
      return Error{ErrorKind::kRefused, fmt::format("'{}' is not in {}; find_definition lists its "
                                                    "definitions",
                                                    name_, at_place(search_))};
    }
    const auto code = std::ranges::find_if(uses, [this](const TextMatch& match) {
      return is_code(match) && language_of(match.path) != Language::kUnknown;
    });
    return std::vector<TextMatch>{code == uses.end() ? uses.front() : *code};
  }

  // Returns the index of a file in the question, and adds it if it is new and can be read.
  std::optional<std::size_t> add_file(ReferenceQuestion& question, const std::string& path) {
    const auto known = std::ranges::find(question.files, path, &SourceText::path);
    if (known != question.files.end()) {
      return static_cast<std::size_t>(known - question.files.begin());
    }
    if (question.files.size() == kMaxReadFiles) return std::nullopt;
    const auto file = existing_file(context_.tree, path);
    if (!file) return std::nullopt;
    auto text = read_text(context_.tree, *file, kMaxAskedBytes);
    if (!text) return std::nullopt;
    question.files.push_back({path, *std::move(text)});
    return question.files.size() - 1;
  }

  // Returns nullopt without an answer that has a use or a definition.
  Result<std::optional<References>> ask(const std::vector<TextMatch>& asked) {
    ReferenceFinder* const finder = context_.references;
    if (finder == nullptr || !finder->knows(asked.front().path)) return std::optional<References>();
    ReferenceQuestion question;
    question.needs_definitions = !definitions_.contains(place_of(asked.front()));
    for (std::size_t i = 0; i < std::min(asked.size(), kMaxAskedDefinitions); ++i) {
      const auto file = add_file(question, asked[i].path);
      if (file) question.positions.push_back({*file, asked[i].line, asked[i].column});
    }
    for (const TextMatch& match : all_.matches) {
      if (question.files.size() == kMaxReadFiles) break;
      if (finder->knows(match.path) && is_code(match)) (void)add_file(question, match.path);
    }
    PEDRO_TRY(auto found, finder->find(question, context_.cancel));
    if (!found) return found;
    for (const SourceText& file : question.files) read_.insert(file.path);
    for (const std::string& path : found->unread) read_.erase(path);
    const bool has_any = std::ranges::any_of(all_.matches, [&](const TextMatch& match) {
      return found->uses.contains(place_of(match));
    });
    return has_any ? std::move(found) : std::nullopt;
  }

  // Groups the lines that `takes` accepts, in the order of the answer.
  template <typename Predicate>
  std::string groups(std::string_view noun, Predicate takes) {
    TextMatches defined, sources, tests, others;
    for (const TextMatch& match : all_.matches) {
      if (!takes(match)) continue;
      const bool is_definition = definitions_.contains(place_of(match));
      const bool is_source = language_of(match.path) != Language::kUnknown;
      TextMatches& group = is_definition              ? defined
                           : is_test_name(match.path) ? tests
                           : is_source                ? sources
                                                      : others;
      group.matches.push_back(match);
    }
    others.complete = all_.complete;
    std::string out = group("Definitions", defined);
    out += group(std::string(noun), sources);
    out += group(fmt::format("{} in tests", noun), tests);
    return out + group(fmt::format("{} in other files", noun), others);
  }

  std::string group(const std::string& title, const TextMatches& found) {
    if (found.matches.empty() && found.complete) return "";
    const std::size_t shown = std::min(left_, found.matches.size());
    left_ -= shown;
    return title + ":\n" + format_matches(found, shown, kHowToNarrow);
  }

  std::string answer(const References& found, std::size_t asked) {
    definitions_.insert(found.definitions.begin(), found.definitions.end());
    std::set<std::string> covered = read_;
    for (const auto& [path, line] : found.uses) covered.insert(path);
    std::string out = fmt::format("'{}', as {} understands the code:\n", name_, found.by);
    out += groups("Uses", [&](const TextMatch& match) {
      return found.uses.contains(place_of(match)) || found.definitions.contains(place_of(match));
    });
    definitions_.clear();
    const std::string rest = groups("Lines", [&](const TextMatch& match) {
      return !covered.contains(match.path) && context_.references->knows(match.path) &&
             is_code(match);
    });
    if (!rest.empty()) {
      out += fmt::format("Lines with the name, in files that {} has not read:\n{}", found.by, rest);
    }
    if (asked > kMaxAskedDefinitions) {
      out += fmt::format("[... {} not included; give path and line ...]\n",
                         count_of(asked - kMaxAskedDefinitions, "more definition"));
    }
    return out;
  }

  std::string answer_by_words() {
    std::size_t hidden = 0;
    std::string out =
        fmt::format("Lines with the word '{}' in code; not all may mean the same:\n", name_);
    out += groups("Uses", [&](const TextMatch& match) {
      const bool taken = is_code(match) || definitions_.contains(place_of(match));
      if (!taken) ++hidden;
      return taken;
    });
    if (hidden > 0) {
      out += fmt::format("[... {} in comments or quoted texts; grep shows them ...]\n",
                         count_of(hidden, "more line"));
    }
    return out;
  }

  ToolContext& context_;
  const ReferenceSearch& search_;
  std::string name_;
  TextMatches all_;
  std::set<LinePlace> definitions_;
  std::set<std::string> read_;  // by the finder
  std::size_t left_ = kMaxShownLines;
};

}  // namespace

Result<std::string> find_references(ToolContext& context, const ReferenceSearch& search) {
  PEDRO_TRY(QualifiedName wanted, parse_name(search.name));
  ReferenceSearch given = search;
  if (given.path.empty() && given.line > 0) {
    return Error{ErrorKind::kRefused, "a line needs the path of its file"};
  }
  if (!given.path.empty()) {
    PEDRO_TRY(const TreePath file, existing_file(context.tree, given.path));
    given.path = file.shown;
  }
  return Search(context, given, std::move(wanted.name)).run();
}

}  // namespace pedro
