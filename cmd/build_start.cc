#include "build_start.h"

#include "agent/answers.h"
#include "base/hash.h"
#include "job/answer_log.h"

namespace pedro {
namespace {

Json to_json(const Check& check) {
  Json json = {{"name", check.name},
               {"command", check.command},
               {"source", check.source},
               {"guess", check.is_guess}};
  for (const Check& other : check.instead) json["instead"].push_back(to_json(other));
  return json;
}

// Reads a check without further candidates.
Check check_from(const Json& json) {
  return {text_of(json, "name"),
          text_of(json, "command"),
          text_of(json, "source"),
          {},
          truth_of(json, "guess")};
}

Json to_json(const ChangedFile& file) {
  return {{"path", bytes_json(file.path)},
          {"kind", static_cast<int>(file.kind)},
          {"content", to_hex(file.content)},
          {"generated", file.generated},
          {"untracked", file.untracked}};
}

ChangedFile changed_file_from(const Json& json) {
  return {bytes_from(member(json, "path")), static_cast<ChangeKind>(number_of(json, "kind")),
          from_hex(text_of(json, "content")), truth_of(json, "generated"),
          truth_of(json, "untracked")};
}

Json to_json(const std::vector<ChangedFile>& files) {
  Json json = Json::array();
  for (const ChangedFile& file : files) json.push_back(to_json(file));
  return json;
}

Json to_json(const BuildSettings& settings) {
  return {{"branch", settings.branch},
          {"base", settings.base},
          {"first_base", settings.first_base},
          {"base_branch", settings.base_branch},
          {"push", settings.push},
          {"draft", settings.draft},
          {"remote", settings.remote},
          {"bodies", static_cast<int>(settings.bodies)},
          {"dirty", to_json(settings.dirty)}};
}

std::vector<ChangedFile> changed_files_from(const Json& json) {
  std::vector<ChangedFile> files;
  for (const Json& file : json) files.push_back(changed_file_from(file));
  return files;
}

BuildSettings settings_from(const Json& json) {
  BuildSettings settings;
  settings.branch = text_of(json, "branch");
  settings.base = text_of(json, "base");
  settings.first_base = text_of(json, "first_base");
  settings.base_branch = text_of(json, "base_branch");
  settings.push = truth_of(json, "push");
  settings.draft = truth_of(json, "draft");
  settings.remote = text_of(json, "remote");
  settings.bodies = static_cast<Bodies>(number_of(json, "bodies"));
  settings.dirty = changed_files_from(member(json, "dirty"));
  return settings;
}

Json to_json(const BranchPlace& place) {
  Json json = {{"name", place.name},
               {"base", place.base},
               {"start_branch", place.start_branch},
               {"start_commit", place.start_commit},
               {"staged", place.staged},
               {"stays", place.stays},
               {"branches", Json::array()}};
  for (const auto& [branch, commit] : place.branches) {
    json["branches"].push_back({{"name", bytes_json(branch)}, {"commit", commit}});
  }
  return json;
}

BranchPlace place_from(const Json& json) {
  BranchPlace place{text_of(json, "name"),
                    text_of(json, "base"),
                    text_of(json, "start_branch"),
                    text_of(json, "start_commit"),
                    {},
                    text_of(json, "staged"),
                    truth_of(json, "stays")};
  for (const Json& branch : member(json, "branches")) {
    place.branches[bytes_from(member(branch, "name"))] = text_of(branch, "commit");
  }
  return place;
}

}  // namespace

Json to_json(const BuildTask& task) {
  return {{"issue", task.issue_number}, {"title", task.title},       {"text", task.text},
          {"rules", task.rules},        {"at_forge", task.at_forge}, {"at_github", task.at_github}};
}

BuildTask build_task_from(const Json& json) {
  return {static_cast<int>(number_of(json, "issue")),
          text_of(json, "title"),
          text_of(json, "text"),
          text_of(json, "rules"),
          truth_of(json, "at_forge"),
          truth_of(json, "at_github")};
}

Json to_json(const LeftBehind& left) {
  return {{"commit", left.commit}, {"files", to_json(left.files)}};
}

LeftBehind left_behind_from(const Json& json) {
  return {text_of(json, "commit"), changed_files_from(member(json, "files"))};
}

Json to_json(const BuildStart& start) {
  Json json = {{"task", to_json(start.task)}, {"settings", to_json(start.settings)},
               {"checks", Json::array()},     {"place", to_json(start.place)},
               {"turn", start.turn.number},   {"first_round", start.turn.first_round}};
  for (const Check& check : start.checks) {
    json["checks"].push_back(to_json(check));
  }
  return json;
}

BuildStart build_start_from(const Json& json) {
  BuildStart start{build_task_from(member(json, "task")),
                   settings_from(member(json, "settings")),
                   {},
                   place_from(member(json, "place")),
                   "",
                   {static_cast<int>(number_of(json, "turn")),
                    static_cast<int>(number_of(json, "first_round"))}};
  for (const Json& check : member(json, "checks")) {
    start.checks.push_back(check_from(check));
    for (const Json& other : member(check, "instead")) {
      start.checks.back().instead.push_back(check_from(other));
    }
  }
  return start;
}

namespace {

constexpr std::uint64_t kMaxEditedBytes = 1u << 20;
constexpr std::uint64_t kMaxStartBytes = 64u << 20;

std::string edited_path(const std::string& folder) {
  return join_path(folder, "edited.json");
}

std::string later_start_path(const std::string& folder) {
  return join_path(folder, "later.json");
}

}  // namespace

Result<BuildStart> read_build_start(const FileSystem& files, const std::string& folder) {
  PEDRO_TRY(const Json start, AnswerLog::read_start(files, folder));
  BuildStart given = build_start_from(member(start, "given"));
  const std::string path = later_start_path(folder);
  if (files.info(path).kind != FileKind::kMissing) {
    PEDRO_TRY(const std::string text, files.read(path, kMaxStartBytes));
    const Result<Json> later = parse_json(text);
    if (!later) return later.error().at(path);
    given = build_start_from(*later);
  }
  given.workdir = text_of(start, "workdir");
  return given;
}

std::string left_behind_path(const std::string& folder) {
  return join_path(folder, "left.json");
}

LeftBehind read_left_behind(const FileSystem& files, const std::string& folder) {
  const auto text = files.read(left_behind_path(folder), kMaxStartBytes);
  const Result<Json> json = text ? parse_json(*text) : text.error();
  return json ? left_behind_from(*json) : LeftBehind();
}

Status keep_build_start(FileSystem& files, const std::string& folder, const BuildStart& start) {
  return files.write_atomic(later_start_path(folder), to_line(to_json(start)), 0600);
}

Result<Json> edited_output(const FileSystem& files, const std::string& folder,
                           const std::string& phase) {
  const std::string path = edited_path(folder);
  if (phase.empty() || files.info(path).kind == FileKind::kMissing) return Json();
  PEDRO_TRY(const std::string text, files.read(path, kMaxEditedBytes));
  const Result<Json> edited = parse_json(text);
  if (!edited) return edited.error().at(path);
  return text_of(*edited, "phase") == phase ? member(*edited, "output") : Json();
}

Status edit_output(FileSystem& files, const std::string& folder, const std::string& phase,
                   const Json& output) {
  return files.write_atomic(edited_path(folder),
                            to_line({{"phase", phase}, {"output", output}}) + "\n", 0600);
}

}  // namespace pedro
