#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "tools/action_table.h"
#include "tools/builtin.h"
#include "tools/count_of.h"
#include "tools/ctags.h"
#include "tools/file_list.h"
#include "tools/glob.h"
#include "tools/language.h"
#include "tools/reference_finder.h"
#include "tools/source_outline.h"
#include "tools/test_names.h"
#include "tools/text_file.h"
#include "tools/text_search.h"
#include "tools/tool.h"
#include "tools/tree_path.h"

namespace pedro {
namespace {

// The parts of a name that a search uses: "a::b::c" is `c` in the scope `b`.
struct QualifiedName {
  std::string scope;  // "" if there is none
  std::string name;
};

constexpr std::size_t kMaxTaggedFiles = 500;

bool fits_language(Language wanted, std::string_view path) {
  const Language language = language_of(path);
  // A ".h" file may be C or C++.
  return wanted == Language::kUnknown || language == wanted ||
         (wanted == Language::kC && path.ends_with(".h"));
}

std::vector<std::string> files_of(const TextMatches& found) {
  std::set<std::string> files;
  for (const TextMatch& match : found.matches) {
    if (files.size() < kMaxTaggedFiles) files.insert(match.path);
  }
  return {files.begin(), files.end()};
}

bool is_in_scope(const Tag& tag, const QualifiedName& wanted) {
  const std::string dotted = replace_all(tag.scope, "::", ".");
  return split(dotted, '.').back() == wanted.scope;
}

// Returns the matches that are tags of that name, restricted to the named scope if it has any.
std::vector<TextMatch> tagged(const TextMatches& found, const std::vector<Tag>& tags,
                              const QualifiedName& wanted) {
  std::set<std::pair<std::string_view, std::size_t>> named;
  std::set<std::pair<std::string_view, std::size_t>> scoped;
  for (const Tag& tag : tags) {
    if (tag.name != wanted.name) continue;
    named.emplace(tag.path, tag.line);
    if (!wanted.scope.empty() && is_in_scope(tag, wanted)) scoped.emplace(tag.path, tag.line);
  }
  const auto& places = scoped.empty() ? named : scoped;
  std::vector<TextMatch> matches;
  for (const TextMatch& match : found.matches) {
    if (places.contains({match.path, match.line})) matches.push_back(match);
  }
  return matches;
}

bool looks_like_definition(const TextMatch& match, std::string_view name) {
  return defined_name(language_of(match.path), match.text) == name;
}

// Parses "c", "c()", "a::b::c" and "b.c". Error: kRefused for another text.
Result<QualifiedName> parse_name(std::string_view text) {
  text = trim(text);
  if (text.ends_with("()")) text.remove_suffix(2);
  const std::string dotted = replace_all(text, "::", ".");
  const auto parts = split(dotted, '.');
  if (parts.back().empty() || dotted.find_first_of(" \t\n") != std::string::npos) {
    return Error{ErrorKind::kRefused,
                 fmt::format("'{}' is not the name of a definition; give one identifier", text)};
  }
  const std::string_view scope = parts.size() > 1 ? parts[parts.size() - 2] : std::string_view();
  return QualifiedName{std::string(scope), std::string(parts.back())};
}

// Returns the lines below `folder` that define `name`, in files of `language` (kUnknown: any).
// Searches the files that contain the word with universal-ctags. Without it, or without a result,
// returns lines that look like a definition. For "Type::member" and "module.name", searches the
// last part in the scope of the part before it, if it exists. Errors: kRefused for an invalid name;
// those of search_text().
Result<TextMatches> find_definitions(ToolContext& context, const TreePath& folder,
                                     const std::string& name, Language language) {
  PEDRO_TRY(const auto wanted, parse_name(name));
  PEDRO_TRY(auto found,
            search_text(context, {wanted.name, PatternKind::kLiteralWord, LetterCase::kExact},
                        {folder.shown}));
  std::erase_if(found.matches,
                [&](const TextMatch& match) { return !fits_language(language, match.path); });
  if (found.matches.empty()) return found;

  PEDRO_TRY(const auto tags, find_tags(context, files_of(found), TagKinds::kDefinitions));
  if (tags) {
    std::vector<TextMatch> matches = tagged(found, *tags, wanted);
    if (!matches.empty()) return TextMatches{std::move(matches), found.complete};
  }
  std::erase_if(found.matches,
                [&](const TextMatch& match) { return !looks_like_definition(match, wanted.name); });
  return found;
}

// The definition whose uses are wanted.
struct ReferenceSearch {
  std::string name;      // as in find_definitions()
  std::string path;      // chooses one of several definitions, or a use of it; "": any
  std::size_t line = 0;  // in `path`; 0: any
};

constexpr std::size_t kMaxAskedDefinitions = 4;
constexpr std::size_t kMaxShownLines = 100;
constexpr std::size_t kMaxReadFiles = 64;
constexpr std::uint64_t kMaxQuestionFileBytes = 1u << 20;  // of one file
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
    auto text = read_text(context_.tree, *file, kMaxQuestionFileBytes);
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

// Returns at most 100 definitions and uses of a name, for the model: those in sources before those
// in tests. Asks the finder of the context, which reads at most 64 files with the name. Without an
// answer, and in files it has not read, lists lines with the name outside comments and quoted
// texts. The text says who answered. Errors: kRefused for an invalid name or a place without it;
// those of search_text().
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

constexpr long long kDefaultResults = 100;
constexpr std::size_t kMaxListedFiles = 200;

std::size_t max_results_of(const Json& args) {
  return static_cast<std::size_t>(
      std::clamp(number_of(args, "max_results", kDefaultResults), 1LL, 1000LL));
}

TextQuery query_of(const Json& args) {
  return {text_of(args, "pattern"),
          truth_of(args, "literal") ? PatternKind::kLiteral : PatternKind::kRegex,
          truth_of(args, "case_insensitive") ? LetterCase::kIgnored : LetterCase::kExact};
}

std::string where(const TreePath& place) {
  return place.shown == "." ? "the project" : place.shown;
}

// Returns the files below `folder` whose names match.
Result<FileList> matching_files(ToolContext& context, const TreePath& folder,
                                std::string_view pattern) {
  PEDRO_TRY(const auto glob, Glob::parse(pattern));
  PEDRO_TRY(auto list, list_files(context, folder));
  std::erase_if(list.paths,
                [&](const std::string& path) { return !glob.matches(below(path, folder.shown)); });
  return list;
}

Result<ToolResult> grep(const Json& args, ToolContext& context) {
  const auto folder = existing_folder(context.tree, text_of(args, "directory"));
  if (!folder) return answer_for(folder.error());
  std::vector<std::string> paths{folder->shown};
  const std::string file_pattern = text_of(args, "file_pattern");
  if (!file_pattern.empty()) {
    auto files = matching_files(context, *folder, file_pattern);
    if (!files) return answer_for(files.error());
    paths = std::move(files->paths);
    // ripgrep follows links that are named as arguments, even out of the tree.
    std::erase_if(paths, [&context](const std::string& path) {
      const std::string absolute = join_path(context.tree.root(), path);
      return context.tree.files().link_info(absolute).kind == FileKind::kSymlink;
    });
    if (paths.empty()) {
      return ToolResult{
          true,
          fmt::format("no files in {} are named like '{}'", where(*folder), file_pattern),
          {}};
    }
  }
  const TextQuery query = query_of(args);
  const auto found = search_text(context, query, paths);
  if (!found) return answer_for(found.error());
  if (found->matches.empty()) {
    return ToolResult{
        true, fmt::format("no matches for '{}' in {}", query.pattern, where(*folder)), {}};
  }
  return ToolResult{
      true,
      format_matches(*found, max_results_of(args), "narrow pattern, directory or file_pattern"),
      {}};
}

Result<ToolResult> find_in_file(const Json& args, ToolContext& context) {
  const auto file = existing_file(context.tree, text_of(args, "path"));
  if (!file) return answer_for(file.error());
  const TextQuery query = query_of(args);
  const auto found = search_text(context, query, {file->shown});
  if (!found) return answer_for(found.error());
  if (found->matches.empty()) {
    return ToolResult{
        true, fmt::format("no matches for '{}' in {}", query.pattern, file->shown), {}};
  }
  return ToolResult{true, format_matches(*found, max_results_of(args), "narrow the pattern"), {}};
}

Result<ToolResult> find_files(const Json& args, ToolContext& context) {
  const auto folder = existing_folder(context.tree, text_of(args, "directory"));
  if (!folder) return answer_for(folder.error());
  const std::string pattern = text_of(args, "pattern");
  const auto list = matching_files(context, *folder, pattern);
  if (!list) return answer_for(list.error());
  if (list->paths.empty()) {
    return ToolResult{true,
                      fmt::format("no files in {} are named like '{}'; ignored files are skipped",
                                  where(*folder), pattern),
                      {}};
  }
  std::string out;
  const std::size_t shown = std::min(list->paths.size(), kMaxListedFiles);
  for (std::size_t i = 0; i < shown; ++i) out += list->paths[i] + "\n";
  if (shown < list->paths.size() || !list->complete) {
    out += fmt::format("[... {}{}; narrow pattern or directory ...]\n",
                       list->complete ? "" : "at least ",
                       count_of(list->paths.size() - shown, "more file"));
  }
  return ToolResult{true, std::move(out), {}};
}

Result<ToolResult> find_definition(const Json& args, ToolContext& context) {
  const auto folder = existing_folder(context.tree, text_of(args, "directory"));
  if (!folder) return answer_for(folder.error());
  const std::string name = text_of(args, "name");
  const auto found =
      find_definitions(context, *folder, name, language_named(text_of(args, "language")));
  if (!found) return answer_for(found.error());
  if (found->matches.empty()) {
    return ToolResult{true,
                      fmt::format("no definition of '{}' in {}; grep shows where it is used", name,
                                  where(*folder)),
                      {}};
  }
  return ToolResult{
      true, format_matches(*found, kMaxListedFiles, "give a directory or language"), {}};
}

Result<ToolResult> references(const Json& args, ToolContext& context) {
  const auto found =
      find_references(context, {text_of(args, "name"), text_of(args, "path"),
                                static_cast<std::size_t>(std::max(number_of(args, "line"), 0LL))});
  if (!found) return answer_for(found.error());
  return ToolResult{true, *found, {}};
}

constexpr ActionRow kSearchActions[] = {
    {"grep", grep},
    {"find_files", find_files},
    {"find_in_file", find_in_file},
    {"find_definition", find_definition},
    {"references", references},
};

}  // namespace

std::unique_ptr<Tool> make_search_tool() {
  return std::make_unique<TableTool>("search", kSearchActions);
}

}  // namespace pedro
