#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "agent/narrowed_calls.h"
#include "agent/phase.h"
#include "agent/tool_set.h"
#include "base/result.h"
#include "chat/message.h"
#include "git/changed_file.h"
#include "sys/file_system.h"
#include "tools/registry.h"
#include "tools/tool.h"

namespace pedro {

/// The names that the files of a project define, by universal-ctags. Examines files again only if
/// they changed. Files without tags contribute the names that source_outline.h finds, as
/// find_definitions() falls back to it.
class DefinedNames {
 public:
  static constexpr std::size_t kMaxFiles = 2'000;
  static constexpr std::size_t kMaxNames = 20'000;

  /// Examines these files, relative to the root. Errors: only kInterrupted.
  Status update(ToolContext& context, const std::set<std::string>& paths);

  /// Returns names, and names with their scope: "next", "Parser::next". Sorted. Empty without
  /// universal-ctags, and for more files or names than the limits.
  const std::vector<std::string>& names() const { return names_; }

 private:
  struct File {
    long long modified_ns = 0;
    std::uint64_t bytes = 0;
    std::set<std::string> names;
  };
  void forget_all();

  std::map<std::string, File> files_;
  std::vector<std::string> names_;
};

/// Narrows the calls of a reply to those that are valid in the state of the job. Paths are existing
/// files and folders. Names of definitions are those that DefinedNames knows. Edits name files that
/// the model has seen, their lines, and old text that is whole lines of them. `mcp call`
/// is available for tools that `mcp find` has returned. phase_complete is available only if it
/// could be accepted, and alone in the last round. `blocked` is available after a tool call and two
/// refusals of phase_complete. Borrows the registry and the tools; one thread.
///
///     Grounding grounding(registry, tools);
///     grounding.begin_phase(phase);
///     Result<std::span<const CallBranch>> calls = grounding.calls(tool_set, rounds_left);
///     grounding.record(call, result);
class Grounding {
 public:
  /// The number of editable files: the most recently seen ones.
  static constexpr std::size_t kMaxSeen = 8;
  /// The number of found tools that the model may call: the most recent ones.
  static constexpr std::size_t kMaxFound = 16;

  /// Lists the files of the work tree that differ from one commit.
  using Changes = std::function<Result<std::vector<ChangedFile>>()>;

  /// With `changes`, the files of the project are listed once, and later known by their changes.
  Grounding(const Registry& registry, ToolContext& tools, Changes changes = nullptr)
      : registry_(registry), tools_(tools), changes_(std::move(changes)) {}

  void begin_phase(const Phase& phase);

  /// Records that the model has seen a file. The path is relative to the root.
  void show(const std::string& path);
  /// Records a finished tool call.
  void record(const ToolCall& call, const ToolResult& result);
  /// Excludes phase_complete until a tool writes or runs something successfully. With
  /// Evidence::kFailure a failed command is enough.
  void record_refused_finish() {
    finish_refused_ = true;
    ++refused_;
  }
  /// Excludes an action until the next tool call. `action` is "" for phase_complete.
  void leave_out(const std::string& tool, const std::string& action);

  /// Returns the calls of a round, the last `rounds_left` of which is 1. Valid until the next call
  /// of a non-const member. Error: kInterrupted during the listing of files.
  Result<std::span<const CallBranch>> calls(const ToolSet& tools, int rounds_left);

  /// Returns true if a tool or a prompt has shown the model a part of the project in any phase.
  bool has_looked() const { return looked_; }
  /// Returns true if the model has called a tool in this phase.
  bool has_called() const { return called_; }
  /// True if phase_complete could be accepted when so many rounds are left.
  bool may_finish(int rounds_left) const;

 private:
  struct SeenFile {
    std::string path;
    std::uint64_t hash = 0;  // of its text
    Narrowing names;         // for calls that edit it
  };

  Status refresh();
  Status list();
  Result<std::set<std::string>> listed_paths();
  Status name_definitions();
  void see_again();
  void add_targets(const CallBranch& call, const ActionManifest& action);

  const Registry& registry_;
  ToolContext& tools_;
  Changes changes_;
  const Phase* phase_ = nullptr;
  bool looked_ = false;
  bool changed_ = false;         // a file changed in this phase
  bool failed_ = false;          // a command failed in this phase
  bool ran_ = false;             // a command ran in this phase
  bool finish_refused_ = false;  // no tool has acted since the refusal
  bool called_ = false;          // a tool, in this phase
  int refused_ = 0;              // how often phase_complete was refused in this phase
  std::set<std::string> left_out_;

  bool listed_ = false;                                    // paths_ are up to date
  std::set<std::string> paths_;                            // files of the project
  bool complete_ = true;                                   // paths_ are all files
  std::optional<std::vector<ChangedFile>> known_changes_;  // those that paths_ include
  bool named_ = false;                                     // definitions_ are up to date
  DefinedNames definitions_;
  Narrowing project_;                   // for calls that name any of them
  std::deque<std::string> seen_paths_;  // most recent first
  bool seen_fresh_ = false;
  std::vector<SeenFile> seen_;
  std::deque<std::string> found_;  // names of targets, most recent first

  std::string key_;  // of calls_
  NarrowedCalls calls_;
};

}  // namespace pedro
