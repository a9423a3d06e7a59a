#include "tools/definition_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "tools/ctags.h"
#include "tools/source_outline.h"

namespace pedro {
namespace {

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

}  // namespace

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

Result<TextMatches> find_definitions(ToolContext& context, const TreePath& folder,
                                     const std::string& name, Language language) {
  PEDRO_TRY(const auto wanted, parse_name(name));
  auto found = search_text(context, {wanted.name, PatternKind::kLiteralWord, LetterCase::kExact},
                           {folder.shown});
  if (!found) return found;
  std::erase_if(found->matches,
                [&](const TextMatch& match) { return !fits_language(language, match.path); });
  if (found->matches.empty()) return found;

  PEDRO_TRY(const auto tags, find_tags(context, files_of(*found), TagKinds::kDefinitions));
  if (tags) {
    std::vector<TextMatch> matches = tagged(*found, *tags, wanted);
    if (!matches.empty()) return TextMatches{std::move(matches), found->complete};
  }
  std::erase_if(found->matches,
                [&](const TextMatch& match) { return !looks_like_definition(match, wanted.name); });
  return found;
}

}  // namespace pedro
