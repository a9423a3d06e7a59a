#include "agent/grounding.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "base/text.h"
#include "base/utf8.h"
#include "tools/file_list.h"
#include "tools/tree_path.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxEnum = 500;  // servers limit the values of a schema
constexpr const char* kFileNoun = "a file of the project";

Json list_of(const std::vector<std::string>& values) {
  return values.size() <= kMaxEnum ? Json(values) : Json();
}

Narrowing::Texts texts_of(const std::vector<std::string>& values, const char* noun) {
  return {std::make_shared<const LiteralGraph>(literal_trie(values)), noun, list_of(values)};
}

std::set<std::string> folders_of(const std::set<std::string>& paths) {
  std::set<std::string> folders{"."};
  for (const std::string& path : paths) {
    for (std::size_t at = path.rfind('/'); at != path.npos && at > 0;
         at = path.rfind('/', at - 1)) {
      if (!folders.insert(path.substr(0, at)).second) break;
    }
  }
  return folders;
}

// The kinds of names that the arguments of a branch have.
std::set<Named> kinds_in(const Schema& schema) {
  std::set<Named> kinds;
  for (const SchemaNode& node : schema.nodes) {
    for (const Assertion& assertion : node.assertions) {
      if (const auto* names = std::get_if<Names>(&assertion)) kinds.insert(names->what);
    }
  }
  return kinds;
}

std::string label_of(const std::string& tool, const std::string& action) {
  return action.empty() ? tool : tool + "." + action;
}

}  // namespace

void Grounding::begin_phase(const Phase& phase) {
  phase_ = &phase;
  changed_ = false;
  failed_ = false;
  ran_ = false;
  finish_refused_ = phase.skip_when_checks_pass;  // they do not: else it had been skipped
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
  left_out_.clear();
  const Manifest* tool = registry_.find(call.tool);
  const ActionManifest* action = tool ? tool->find(text_of(call.args, "action")) : nullptr;
  if (action == nullptr) return;
  const bool runs = action->permission == Permission::kExecute;
  if (runs) ran_ = true;
  if (runs && !result.ok) failed_ = true;
  if (runs) listed_ = seen_fresh_ = false;  // it may have made files, even where it failed
  if (!result.ok) return;
  looked_ = true;
  const std::string path = text_of(call.args, "path");
  if (kinds_in(action->schema).contains(Named::kFile) && !path.empty()) show(path);
  for (const std::string& changed : result.changed) show(changed);
  if (!result.changed.empty()) listed_ = false;
  if (action->permission == Permission::kRead) return;
  changed_ = changed_ || !result.changed.empty();
  finish_refused_ = false;
}

void Grounding::leave_out(const std::string& tool, const std::string& action) {
  left_out_.insert(label_of(tool, action));
}

bool Grounding::may_finish(int round) const {
  if (phase_->tools.empty()) return true;
  if (left_out_.contains(std::string(kPhaseComplete))) return false;
  switch (phase_->evidence) {
    case Evidence::kChange:
      return changed_ && !finish_refused_;
    case Evidence::kChecks:
      return !finish_refused_;
    case Evidence::kFailure:  // or none can be shown
      return !finish_refused_ && (failed_ || (ran_ && 2 * round > phase_->max_rounds));
    case Evidence::kLook:
    case Evidence::kPlaces:
      return looked_;
    case Evidence::kNone:
    case Evidence::kDiffLines:
    case Evidence::kMaterial:
    case Evidence::kLengths:
    case Evidence::kEdits:
      return true;
  }
  return true;
}

// Names that are not UTF-8 cannot be written in JSON.
Status Grounding::list() {
  listed_ = true;
  const Result<TreePath> root = any_path(tools_.tree, ".");
  const Result<FileList> files = root ? list_files(tools_, *root) : Result<FileList>(root.error());
  if (!files && files.error().kind == ErrorKind::kInterrupted) return files.error();
  std::set<std::string> paths;
  if (files) {
    for (const std::string& path : files->paths) {
      if (is_valid_utf8(path)) paths.insert(path);
    }
  }
  if (files && paths == paths_ && !all_.texts.empty()) return {};
  paths_ = std::move(paths);
  all_.texts.clear();
  if (!files) return {};
  const std::set<std::string> set = folders_of(paths_);
  const std::vector<std::string> folders(set.begin(), set.end());
  if (folders.size() > kMaxPaths) return {};
  const Narrowing::Texts in_folders = {std::make_shared<const LiteralGraph>(names_in(folders)),
                                       "a name in a folder of the project", nullptr};
  all_.texts[Named::kFolder] = texts_of(folders, "a folder of the project");
  all_.texts[Named::kNewFile] = in_folders;
  if (!files->complete || paths_.size() > kMaxPaths) {
    all_.texts[Named::kFile] = all_.texts[Named::kPlace] = in_folders;
    return {};
  }
  const std::vector<std::string> names(paths_.begin(), paths_.end());
  all_.texts[Named::kFile] = texts_of(names, kFileNoun);
  std::vector<std::string> places = folders;
  places.insert(places.end(), names.begin(), names.end());
  std::sort(places.begin(), places.end());
  all_.texts[Named::kPlace] = texts_of(places, "a file or a folder of the project");
  return {};
}

// Reads the files that may be edited as they are now.
void Grounding::see_again() {
  seen_fresh_ = true;
  std::vector<SeenFile> seen;
  for (const std::string& path : seen_paths_) {
    const Result<TreePath> file = existing_file(tools_.tree, path);
    if (!file) continue;
    const Result<std::string> text = read_text(tools_.tree, *file, kMaxTextBytes);
    if (!text) continue;
    SeenFile one{path, hash_bytes(*text), 0, {}};
    const auto known = std::find_if(seen_.begin(), seen_.end(), [&](const SeenFile& old) {
      return old.path == path && old.hash == one.hash;
    });
    if (known != seen_.end()) {
      seen.push_back(std::move(*known));
      continue;
    }
    one.lines = static_cast<long long>(split_lines(*text).size());
    one.narrowing.lines = std::max(1LL, one.lines);
    one.narrowing.texts[Named::kFile] = texts_of({path}, kFileNoun);
    if (text->size() <= kMaxLineBytes && is_valid_utf8(*text) && !trim(*text).empty()) {
      one.narrowing.texts[Named::kLineRun] = {
          std::make_shared<const LiteralGraph>(line_runs(*text)), "whole lines of " + path,
          nullptr};
    }
    seen.push_back(std::move(one));
  }
  seen_ = std::move(seen);
}

Status Grounding::refresh() {
  if (!listed_) {
    if (Status listed = list(); !listed) return listed;
  }
  if (!seen_fresh_) see_again();
  return {};
}

void Grounding::add_narrowed(const CallBranch& branch, const Narrowing& narrowing) {
  Narrowed& one = narrowed_.emplace_back();
  one.branch = branch;
  one.schema = narrowed(*branch.args, narrowing);
  if (branch.args_json != nullptr) one.json = narrowed(*branch.args_json, narrowing);
  one.branch.args = &one.schema;
  if (branch.args_json != nullptr) one.branch.args_json = &one.json;
  branches_.push_back(one.branch);
}

// An edit by lines or by old text has a branch for each file that it can be made in.
void Grounding::add(const CallBranch& branch) {
  const std::set<Named> kinds = kinds_in(*branch.args);
  const bool edits = kinds.contains(Named::kLineRun) || kinds.contains(Named::kLine);
  if (kinds.empty()) {
    branches_.push_back(branch);
  } else if (!edits) {
    const auto& files = all_.texts.find(Named::kFile);
    const bool none = files != all_.texts.end() && paths_.empty() && kinds.contains(Named::kFile);
    if (!none || branch.tool == kPhaseComplete) add_narrowed(branch, none ? Narrowing() : all_);
  } else {
    for (const SeenFile& file : seen_) add_narrowed(branch, file.narrowing);
  }
}

Result<std::span<const CallBranch>> Grounding::calls(const ToolSet& tools, int round) {
  if (Status fresh = refresh(); !fresh) return fresh.error();
  const bool finishes = may_finish(round);
  const bool is_last = round >= phase_->max_rounds;
  std::string key = fmt::format("{} {}", finishes, finishes && is_last);
  for (const std::string& label : left_out_) key += ' ' + label;
  for (const auto& [kind, texts] : all_.texts)
    key += fmt::format(" {:x}", texts.graph->fingerprint);
  for (const SeenFile& file : seen_) key += fmt::format("\n{} {:x}", file.path, file.hash);
  if (key == key_) return std::span<const CallBranch>(branches_);
  key_ = std::move(key);
  narrowed_.clear();
  branches_.clear();
  for (const CallBranch& branch : tools.calls()) {
    const bool ends = branch.tool == kPhaseComplete;
    if (ends ? !finishes : finishes && is_last) continue;
    if (!ends && left_out_.contains(label_of(branch.tool, branch.action))) continue;
    add(branch);
  }
  if (branches_.empty()) branches_.assign(tools.calls().begin(), tools.calls().end());
  return std::span<const CallBranch>(branches_);
}

}  // namespace pedro
