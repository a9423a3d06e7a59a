#pragma once

#include <doctest/doctest.h>

#include <filesystem>
#include <memory>
#include <set>
#include <string>

#include "support/temp_folder.h"
#include "sys/file_system.h"
#include "sys/process.h"
#include "sys/work_tree.h"
#include "tools/registry.h"

namespace pedro {

/// Runs real programs, except those that a test hides.
class HidingRunner : public ProcessRunner {
 public:
  Result<ProcessResult> run(const Command& command, const CancelToken& cancel) override {
    ran.insert(command.argv[0].substr(command.argv[0].rfind('/') + 1));
    return real_.run(command, cancel);
  }
  std::string find(const std::string& name) const override {
    return hidden.contains(name) ? "" : real_.find(name);
  }

  std::set<std::string> hidden;
  std::set<std::string> ran;

 private:
  RealProcessRunner real_;
};

/// A real folder with real programs, and a registry of the tools.
class ToolBench {
 public:
  ToolBench() : notes_(files, folder_.at("notes")) {
    std::filesystem::create_directories(folder_.at("tree"));
    tree_ = std::make_unique<WorkTree>(WorkTree::open(files, folder_.at("tree")).value());
    auto opened = Registry::open(files, "");
    REQUIRE_MESSAGE(opened.ok(), (opened.ok() ? "" : opened.error().message));
    registry_ = std::make_unique<Registry>(std::move(opened).value());
  }

  std::string path(const std::string& name) const { return tree_->root() + "/" + name; }

  void put(const std::string& name, std::string_view bytes) {
    folder_.write("tree/" + name, bytes);
  }
  std::string get(const std::string& name) const { return folder_.read("tree/" + name); }
  bool exists(const std::string& name) const {
    return files.link_info(path(name)).kind != FileKind::kMissing;
  }

  ToolResult run(const std::string& tool, const std::string& args,
                 std::size_t allowance = 1 << 20) {
    const auto parsed = parse_json(args);
    REQUIRE_MESSAGE(parsed.ok(), args);
    ToolContext context{*tree_, processes, processes, notes_, environment, cancel};
    context.policy = policy;
    context.references = references;
    context.views = std::move(views);
    auto result = registry_->run(ToolCall{"call-1", tool, *parsed}, allowance, context);
    views = std::move(context.views);
    if (one_call_per_reply) views.begin_reply();
    REQUIRE_MESSAGE(result.ok(), (result.ok() ? "" : result.error().message));
    return *result;
  }
  /// Returns the text of a call that must succeed.
  std::string ok(const std::string& tool, const std::string& args) {
    const ToolResult result = run(tool, args);
    CHECK_MESSAGE(result.ok, result.text);
    return result.text;
  }
  /// Returns the text of a call that must fail without changing files.
  std::string refused(const std::string& tool, const std::string& args) {
    const ToolResult result = run(tool, args);
    CHECK_MESSAGE(!result.ok, result.text);
    CHECK(result.changed.empty());
    return result.text;
  }

  void make_repository() { git({"init", "-q", "."}); }
  void git(std::vector<std::string> arguments) {
    Command command;
    command.argv = {"git", "-c", "user.name=t", "-c", "user.email=t@localhost"};
    command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
    command.folder = tree_->root();
    const auto result = processes.run(command, cancel);
    REQUIRE(result.ok());
    REQUIRE_MESSAGE(result->ok(), result->err);
  }

  const Registry& registry() const { return *registry_; }

  RealFileSystem files;
  HidingRunner processes;
  Environment environment;
  CancelToken cancel;
  policy::Gate* policy = nullptr;
  ReferenceFinder* references = nullptr;
  LineViews views;
  bool one_call_per_reply = true;

 private:
  TempFolder folder_;
  NoteStore notes_;
  std::unique_ptr<WorkTree> tree_;
  std::unique_ptr<Registry> registry_;
};

}  // namespace pedro
