#include "agent/grounding.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "base/text.h"
#include "base/utf8.h"
#include "tools/ctags.h"
#include "tools/file_list.h"
#include "tools/language.h"
#include "tools/source_outline.h"
#include "tools/text_file.h"
#include "tools/tree_path.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxSymbolBytes = 200;           // of the argument of find_definition
constexpr std::uint64_t kMaxOutlinedBytes = 1U << 20;  // of a file without tags

bool is_usable(std::string_view name) {
  return !name.empty() && name.size() <= kMaxSymbolBytes && is_valid_utf8(name) &&
         name.find_first_of(" \t\"\\") == name.npos && !name.starts_with("__anon");
}

void add_name(std::set<std::string>& names, std::string name) {
  if (is_usable(name)) names.insert(std::move(name));
}

// Returns the scope's last part with the separator of the language: "Parser::", "Parser.".
std::string scope_prefix(const Tag& tag) {
  if (tag.scope.empty()) return "";
  const Language language = language_of(tag.path);
  const bool is_colons = language == Language::kCpp || language == Language::kRust ||
                         tag.scope.find("::") != std::string::npos;
  const std::string dotted = replace_all(tag.scope, "::", ".");
  return std::string(split(dotted, '.').back()) + (is_colons ? "::" : ".");
}

void add_outline(ToolContext& context, const std::string& path, std::set<std::string>& names) {
  const Result<TreePath> file = existing_file(context.tree, path);
  if (!file) return;
  const Result<std::string> text = read_text(context.tree, *file, kMaxOutlinedBytes);
  if (!text) return;
  for (const std::string_view line : split_lines(*text)) {
    if (const auto name = defined_name(language_of(path), line))
      add_name(names, std::string(*name));
  }
}

constexpr int kRefusedBeforeBlocked = 2;  // the second refusal names `blocked` (refused_again.md)

std::string label_of(const std::string& tool, const std::string& action) {
  return action.empty() ? tool : tool + "." + action;
}

// Replaces the changes in a set of paths by others from the same commit.
std::set<std::string> with_changes(std::set<std::string> paths,
                                   const std::vector<ChangedFile>& before,
                                   const std::vector<ChangedFile>& now) {
  for (const ChangedFile& file : before) {
    if (file.kind == ChangeKind::kAdded) paths.erase(file.path);
    if (file.kind == ChangeKind::kDeleted) paths.insert(file.path);
  }
  for (const ChangedFile& file : now) {
    if (file.kind == ChangeKind::kDeleted) {
      paths.erase(file.path);
    } else if (!file.is_folder() && is_valid_utf8(file.path)) {
      paths.insert(file.path);
    }
  }
  return paths;
}

}  // namespace

void DefinedNames::forget_all() {
  files_.clear();
  names_.clear();
}

Status DefinedNames::update(ToolContext& context, const std::set<std::string>& paths) {
  if (paths.size() > kMaxFiles) {
    forget_all();
    return {};
  }
  std::vector<std::string> changed;
  const std::size_t gone =
      std::erase_if(files_, [&](const auto& file) { return !paths.contains(file.first); });
  for (const std::string& path : paths) {
    const FileInfo info = context.tree.files().info(join_path(context.tree.root(), path));
    if (info.kind != FileKind::kFile) continue;
    const auto [file, is_new] = files_.try_emplace(path);
    if (!is_new && file->second.modified_ns == info.modified_ns &&
        file->second.bytes == info.bytes) {
      continue;
    }
    file->second = {info.modified_ns, info.bytes, {}};
    changed.push_back(path);
  }
  if (changed.empty() && gone == 0) return {};
  if (!changed.empty()) {
    PEDRO_TRY(const auto tags, find_tags(context, changed, TagKinds::kDefinitions));
    if (!tags) {
      forget_all();
      return {};
    }
    for (const Tag& tag : *tags) {
      const auto file = files_.find(tag.path);
      if (file == files_.end()) continue;
      add_name(file->second.names, tag.name);
      add_name(file->second.names, scope_prefix(tag) + tag.name);
    }
  }
  for (const std::string& path : changed) {
    std::set<std::string>& names = files_[path].names;
    if (names.empty()) add_outline(context, path, names);
  }
  std::set<std::string> all;
  for (const auto& [path, file] : files_) all.insert(file.names.begin(), file.names.end());
  names_.clear();
  if (all.size() <= kMaxNames) names_.assign(all.begin(), all.end());
  return {};
}

void Grounding::begin_phase(const Phase& phase) {
  phase_ = &phase;
  changed_ = false;
  failed_ = false;
  ran_ = false;
  finish_refused_ = phase.skip_when_checks_pass;  // otherwise the phase would have been skipped
  refused_ = 0;
  called_ = false;
  left_out_.clear();
  key_.clear();
}

void Grounding::show(const std::string& path) {
  looked_ = true;
  std::erase(seen_paths_, path);
  seen_paths_.push_front(path);
  if (seen_paths_.size() > kMaxSeen) seen_paths_.pop_back();
  seen_fresh_ = false;
}

void Grounding::record(const ToolCall& call, const ToolResult& result) {
  called_ = true;
  left_out_.clear();
  const Manifest* tool = registry_.find(call.tool);
  const ActionManifest* action = tool ? tool->find(text_of(call.args, "action")) : nullptr;
  if (action == nullptr) return;
  const bool runs = action->permission == Permission::kExecute;
  if (runs) ran_ = true;
  if (runs && !result.ok) {
    failed_ = true;
    if (phase_->evidence == Evidence::kFailure) finish_refused_ = false;  // it may show the fault
  }
  if (runs) listed_ = named_ = seen_fresh_ = false;  // even a failed command may have created files
  if (!result.ok) return;
  looked_ = true;
  for (const std::string& name : result.found) {
    std::erase(found_, name);
    found_.push_front(name);
    if (found_.size() > kMaxFound) found_.pop_back();
  }
  const std::string path = text_of(call.args, "path");
  if (!path.empty()) show(path);  // refresh() skips paths that are not files
  for (const std::string& changed : result.changed) show(changed);
  if (!result.changed.empty()) listed_ = named_ = false;
  if (action->permission == Permission::kRead) return;
  changed_ = changed_ || !result.changed.empty();
  finish_refused_ = false;
}

void Grounding::leave_out(const std::string& tool, const std::string& action) {
  left_out_.insert(label_of(tool, action));
}

bool Grounding::may_finish(int rounds_left) const {
  if (phase_->tools.empty()) return true;
  if (left_out_.contains(std::string(kPhaseComplete))) return false;
  switch (phase_->evidence) {
    case Evidence::kChange:
    case Evidence::kSolution:
      return changed_ && !finish_refused_;
    case Evidence::kChecks:
      return !finish_refused_;
    case Evidence::kFailure:  // runs may also fail to show the fault
      return !finish_refused_ && (failed_ || (ran_ && 2 * rounds_left < phase_->max_rounds + 2));
    case Evidence::kLook:
    case Evidence::kPlaces:
      return looked_;
    case Evidence::kNone:
    case Evidence::kDiffLines:
    case Evidence::kMaterial:
    case Evidence::kLengths:
      return true;
  }
  return true;
}

// Lists the files of the project. Skips names that are not UTF-8, since JSON cannot contain them.
Result<std::set<std::string>> Grounding::listed_paths() {
  PEDRO_TRY(const TreePath root, any_path(tools_.tree, "."));
  PEDRO_TRY(const FileList files, list_files(tools_, root));
  std::set<std::string> paths;
  for (const std::string& path : files.paths) {
    if (is_valid_utf8(path)) paths.insert(path);
  }
  complete_ = files.complete;
  return paths;
}

Status Grounding::list() {
  listed_ = true;
  std::optional<std::vector<ChangedFile>> now;
  if (changes_) {
    if (Result<std::vector<ChangedFile>> changed = changes_()) now = *std::move(changed);
  }
  Result<std::set<std::string>> paths =
      now && known_changes_ ? with_changes(paths_, *known_changes_, *now) : listed_paths();
  if (!paths && paths.error().kind == ErrorKind::kInterrupted) return paths.error();
  known_changes_ = paths ? std::move(now) : std::nullopt;
  if (paths && *paths == paths_ && !project_.texts.empty()) return {};
  project_ = paths ? narrowing_of_project(*paths, complete_) : Narrowing();
  paths_ = paths ? *std::move(paths) : std::set<std::string>();
  named_ = false;
  return {};
}

// Finds the definitions of the listed files, for phases that search.
Status Grounding::name_definitions() {
  if (named_ ||
      std::find(phase_->tools.begin(), phase_->tools.end(), "search") == phase_->tools.end()) {
    return {};
  }
  named_ = true;
  if (Status found = definitions_.update(tools_, paths_); !found) return found;
  narrow_symbols(project_, definitions_.names());
  return {};
}

// Reads the current contents of the files that may be edited.
void Grounding::see_again() {
  seen_fresh_ = true;
  std::vector<SeenFile> seen;
  for (const std::string& path : seen_paths_) {
    const Result<TreePath> file = existing_file(tools_.tree, path);
    if (!file) continue;
    const Result<std::string> text = read_text(tools_.tree, *file, kMaxTextBytes);
    if (!text) continue;
    SeenFile one{path, hash_bytes(*text), {}};
    const auto known = std::find_if(seen_.begin(), seen_.end(), [&](const SeenFile& old) {
      return old.path == path && old.hash == one.hash;
    });
    if (known != seen_.end()) {
      seen.push_back(std::move(*known));
      continue;
    }
    one.names = narrowing_of_file(path, *text);
    seen.push_back(std::move(one));
  }
  seen_ = std::move(seen);
}

Status Grounding::refresh() {
  if (!listed_) {
    if (Status listed = list(); !listed) return listed;
  }
  if (Status named = name_definitions(); !named) return named;
  if (!seen_fresh_) see_again();
  return {};
}

void Grounding::add_targets(const CallBranch& call, const ActionManifest& action) {
  for (const CallTarget& target : action.targets) {
    if (!phase_->offered.contains(target.tool)) continue;
    if (std::ranges::find(found_, target.tool) == found_.end()) continue;
    CallBranch one = call;
    one.args = &target.schema;
    one.args_json = &target.schema_json;
    calls_.add(one, project_, {});
  }
}

Result<std::span<const CallBranch>> Grounding::calls(const ToolSet& tools, int rounds_left) {
  PEDRO_RETURN_IF_ERROR(refresh());
  const bool finishes = may_finish(rounds_left);
  const bool is_last = rounds_left <= 1;
  const bool takes_blocked = called_ && refused_ >= kRefusedBeforeBlocked;
  std::string key = fmt::format("{} {} {}", finishes, finishes && is_last, takes_blocked);
  for (const std::string& label : left_out_) key += ' ' + label;
  for (const std::string& name : found_) key += ' ' + name;
  for (const auto& [kind, texts] : project_.texts)
    key += fmt::format(" {:x}", texts.graph->fingerprint);
  for (const SeenFile& file : seen_) key += fmt::format("\n{} {:x}", file.path, file.hash);
  if (key == key_) return calls_.calls();
  key_ = std::move(key);
  calls_.clear();
  std::vector<const Narrowing*> edited;
  for (const SeenFile& file : seen_) edited.push_back(&file.names);
  for (const CallBranch& call : tools.calls()) {
    const bool ends = call.tool == kPhaseComplete;
    const bool is_blocked = ends && !call.action.empty();
    if (is_blocked ? !takes_blocked : ends ? !finishes : finishes && is_last) continue;
    if (!ends && left_out_.contains(label_of(call.tool, call.action))) continue;
    const Manifest* tool = ends ? nullptr : registry_.find(call.tool);
    const ActionManifest* action = tool ? tool->find(call.action) : nullptr;
    if (action != nullptr && !action->targets.empty()) {
      add_targets(call, *action);
    } else {
      calls_.add(call, project_, edited);
    }
  }
  return calls_.calls().empty() ? tools.calls() : calls_.calls();
}

}  // namespace pedro
