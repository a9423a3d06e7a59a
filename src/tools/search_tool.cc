#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "tools/action_table.h"
#include "tools/builtin.h"
#include "tools/count_of.h"
#include "tools/definition_search.h"
#include "tools/file_list.h"
#include "tools/glob.h"
#include "tools/reference_search.h"
#include "tools/text_search.h"
#include "tools/tree_path.h"

namespace pedro {
namespace {

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
  auto list = list_files(context, folder);
  if (!list) return list;
  std::erase_if(list->paths,
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
