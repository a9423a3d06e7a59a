#include "tools/repository_programs.h"

#include <doctest/doctest.h>

#include "base/text.h"
#include "support/temp_folder.h"
#include "tools/git_command.h"

namespace pedro {
namespace {

/// Runs real processes. Their git reads the user's configuration from the test's file, and no
/// system configuration.
class UserRunner : public ProcessRunner {
 public:
  explicit UserRunner(std::string config) : config_(std::move(config)) {}
  Result<ProcessResult> run(const Command& command, const CancelToken& cancel) override {
    Command ours = command;
    ours.environment["GIT_CONFIG_GLOBAL"] = config_;
    ours.environment["GIT_CONFIG_SYSTEM"] = "/dev/null";
    return real_.run(ours, cancel);
  }
  std::string find(const std::string& name) const override { return real_.find(name); }

 private:
  std::string config_;
  RealProcessRunner real_;
};

/// Returns the output of `git credential fill` for the user ada of https://host.test.
std::string filled_in(const std::string& folder, UserRunner& runner) {
  const auto programs = repository_programs(folder, RealFileSystem(), runner, CancelToken());
  REQUIRE(programs.ok());
  Command command{.argv = {"git", "credential", "fill"}, .folder = folder};
  command.environment = programs->off;
  command.input = "protocol=https\nhost=host.test\nusername=ada\n\n";
  const auto result = runner.run(command, CancelToken());
  REQUIRE(result.ok());
  return result->out;
}

}  // namespace

TEST_CASE("repository_programs: the user's helpers for credentials stay, the repository's go") {
  const std::string kUsers = "[credential]\n\thelper = \"!echo password=users #\"\n";
  const std::string kUsersForHost =
      "[credential \"https://host.test\"]\n\thelper = \"!echo password=users #\"\n";
  const std::string kProjects =
      "[credential]\n\thelper = \"!touch started; echo password=projects #\"\n";
  const std::string kProjectsForHost =
      "[credential \"https://host.test\"]\n\thelper = \"!touch started #\"\n";
  // Printed unquoted, this value contains a line that looks like a helper from the user's
  // configuration.
  const std::string kForged = kProjects +
                              "\thelper = \"x\\ncredential.helper !touch started; echo "
                              "password=projects #\"\n";
  struct Row {
    const char* name;
    std::string user;
    std::string project;
    std::string password;
  };
  const Row rows[] = {
      {"the user's alone", kUsers, "", "users"},
      {"the project's alone", "", kProjects, ""},
      {"both", kUsers, kProjects, "users"},
      {"the user's of one host", kUsersForHost, kProjects, "users"},
      {"the project's of one host", kUsers, kProjectsForHost, "users"},
      {"a value with a line end", kUsers, kForged, "users"},
      {"a value with a line end, and none of the user's", "", kForged, ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const TempFolder home;
    const TempFolder tree;
    UserRunner runner(home.write("config", row.user));
    REQUIRE(runner.run(git_command(tree.path(), {"init", "-q"}), CancelToken())->ok());
    tree.write(".git/config", "[core]\n\trepositoryformatversion = 0\n" + row.project);
    const std::string said = filled_in(tree.path(), runner);
    const std::string kept = row.password.empty() ? "" : "password=" + row.password + "\n";
    CHECK(said.find(kept) != said.npos);
    CHECK((said.find("password=") == said.npos) == row.password.empty());
    CHECK_FALSE(std::filesystem::exists(tree.at("started")));
  }
}

TEST_CASE(
    "repository_programs: settings from a file in the work tree are dropped, and may change") {
  const std::string kFilter = "[filter \"evil\"]\n\tclean = touch started; cat\n";
  struct Row {
    const char* name;
    std::string user;       // the user's configuration; @TREE@ is the work tree
    std::string project;    // the repository's configuration
    std::string in_tree;    // the contents of the file `settings` in the work tree
    std::size_t variables;  // the number of variables passed to git
    bool may_change;
  };
  const Row rows[] = {
      {"nothing", "", "", kFilter, 0, false},
      {"the user's own filter", kFilter, "", "", 0, false},
      {"the project's filter", "", kFilter, "", 3, false},
      {"the project includes a file of the tree", "", "[include]\n\tpath = ../settings\n", kFilter,
       3, true},
      {"the user includes a file of the tree", "[include]\n\tpath = @TREE@/settings\n", "", kFilter,
       3, true},
      {"it names nothing yet", "", "[include]\n\tpath = ../settings\n", "", 0, true},
      {"the file is not there yet", "", "[include]\n\tpath = ../missing\n", "", 0, true},
      {"only on a branch", "", "[includeIf \"onbranch:main\"]\n\tpath = ../settings\n", kFilter, 3,
       true},
      {"a helper of the user's from the tree", "[include]\n\tpath = @TREE@/settings\n", "",
       "[credential]\n\thelper = \"!touch started #\"\n", 3, true},
      {"a signature's program", "", "[gpg]\n\tprogram = ./trap\n", "", 3, false},
      {"a signature's key", "", "[gpg \"ssh\"]\n\tdefaultKeyCommand = touch started\n", "", 3,
       false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const TempFolder home;
    const TempFolder tree;
    UserRunner runner(home.write("config", replace_all(row.user, "@TREE@", tree.path())));
    REQUIRE(
        runner.run(git_command(tree.path(), {"init", "-q", "-b", "main"}), CancelToken())->ok());
    tree.write(".git/config", "[core]\n\trepositoryformatversion = 0\n" + row.project);
    tree.write("settings", row.in_tree);
    tree.write(".gitattributes", "* filter=evil\n");
    const auto programs = repository_programs(tree.path(), RealFileSystem(), runner, CancelToken());
    REQUIRE(programs.ok());
    CHECK(programs->off.size() == row.variables);
    CHECK(programs->may_change == row.may_change);
    if (row.user == kFilter) continue;
    Command add = git_command(tree.path(), {"add", "-A"});
    add.environment.insert(programs->off.begin(), programs->off.end());
    CHECK(runner.run(add, CancelToken())->ok());
    CHECK_FALSE(std::filesystem::exists(tree.at("started")));
  }
}

}  // namespace pedro
