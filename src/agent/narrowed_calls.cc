#include "agent/narrowed_calls.h"

#include <algorithm>

#include "agent/tool_set.h"
#include "base/text.h"
#include "base/utf8.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxEnum = 500;  // servers limit the values of a schema
constexpr const char* kFileNoun = "a file of the project";

Narrowing::Texts named_texts(const std::vector<std::string>& values, const char* noun) {
  return {std::make_shared<const LiteralGraph>(literal_trie(values)), noun,
          values.size() <= kMaxEnum ? Json(values) : Json()};
}

std::vector<std::string> folders_of(const std::set<std::string>& paths) {
  std::set<std::string> folders{"."};
  for (const std::string& path : paths) {
    std::size_t at = path.rfind('/');
    while (at != path.npos && at > 0 && folders.insert(path.substr(0, at)).second) {
      at = path.rfind('/', at - 1);
    }
  }
  return {folders.begin(), folders.end()};
}

// Returns the kinds of names in the arguments of a call.
std::set<Named> kinds_in(const Schema& schema) {
  std::set<Named> kinds;
  for (const SchemaNode& node : schema.nodes) {
    for (const Assertion& assertion : node.assertions) {
      if (const auto* names = std::get_if<Names>(&assertion)) kinds.insert(names->what);
    }
  }
  return kinds;
}

}  // namespace

Narrowing narrowing_of_project(const std::set<std::string>& paths, bool complete) {
  Narrowing names;
  const std::vector<std::string> folders = folders_of(paths);
  if (folders.size() > kMaxGroundedPaths) return names;
  const Narrowing::Texts in_folders = {std::make_shared<const LiteralGraph>(names_in(folders)),
                                       "a name in a folder of the project", nullptr};
  names.texts[Named::kFolder] = named_texts(folders, "a folder of the project");
  names.texts[Named::kNewFile] = in_folders;
  if (!complete || paths.size() > kMaxGroundedPaths) {
    names.texts[Named::kFile] = names.texts[Named::kPlace] = in_folders;
    return names;
  }
  std::vector<std::string> files(paths.begin(), paths.end());
  names.texts[Named::kFile] = named_texts(files, kFileNoun);
  files.insert(files.end(), folders.begin(), folders.end());
  std::sort(files.begin(), files.end());
  names.texts[Named::kPlace] = named_texts(files, "a file or a folder of the project");
  return names;
}

void narrow_symbols(Narrowing& project, const std::vector<std::string>& names) {
  project.texts.erase(Named::kSymbol);
  if (!names.empty()) {
    project.texts[Named::kSymbol] = named_texts(names, "a name that a file of the project defines");
  }
}

Narrowing narrowing_of_file(const std::string& path, std::string_view text) {
  Narrowing names;
  names.lines = std::max(1LL, static_cast<long long>(split_lines(text).size()));
  names.texts[Named::kFile] = named_texts({path}, kFileNoun);
  if (text.size() <= kMaxGroundedBytes && is_valid_utf8(text) && !trim(text).empty()) {
    names.texts[Named::kLineRun] = {
        std::make_shared<const LiteralGraph>(line_runs(text, RunKind::kUnique)),
        "whole lines of " + path, nullptr};
  }
  return names;
}

void NarrowedCalls::clear() {
  calls_.clear();
  own_.clear();
}

void NarrowedCalls::add_narrowed(const CallBranch& call, const Narrowing& narrowing) {
  Own& own = own_.emplace_back();
  own.schema = narrowed(*call.args, narrowing);
  calls_.push_back(call);
  calls_.back().args = &own.schema;
  if (call.args_json == nullptr) return;
  own.json = narrowed(*call.args_json, narrowing);
  calls_.back().args_json = &own.json;
}

// Omits calls that need a file if the project has no files. phase_complete is then unchanged.
void NarrowedCalls::add(const CallBranch& call, const Narrowing& project,
                        std::span<const Narrowing* const> edited) {
  const std::set<Named> kinds = kinds_in(*call.args);
  const bool ends = call.tool == kPhaseComplete;
  const bool edits = kinds.contains(Named::kLineRun) || kinds.contains(Named::kLine);
  if (kinds.empty()) {
    calls_.push_back(call);
  } else if (edits && !ends) {
    for (const Narrowing* file : edited) add_narrowed(call, *file);
  } else {
    const auto files = project.texts.find(Named::kFile);
    const bool none = kinds.contains(Named::kFile) && files != project.texts.end() &&
                      files->second.graph->nodes.size() == 1 &&
                      !files->second.graph->nodes.front().takes_name;
    if (none && !ends) return;
    add_narrowed(call, none ? Narrowing() : project);
  }
}

}  // namespace pedro
