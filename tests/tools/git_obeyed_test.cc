#include "tools/git_obeyed.h"

#include <doctest/doctest.h>

#include "support/git_folder.h"
#include "support/temp_folder.h"
#include "sys/process.h"
#include "sys/repositories.h"

using namespace pedro;

namespace {

using ObeyedTexts = std::vector<std::string>;

// The paths that git obeys, relative to the tree.
struct ObeyedWorld : GitFolder {
  ObeyedWorld() {
    init();
    for (const char* file : {"tracked/hook", "tracked/inc", "tracked/show"}) put(file, "");
    commit_all("first");
    put("ignored/clean", "");
    put("ignored/hooks/pre-commit", "#!/bin/sh\n# ignored/list\nignored/clean a\n");
    put("ignored/venv/pyvenv.cfg", "");
    put("ignored/venv/bin/python", "");
    std::filesystem::create_symlink("ignored", at("tree/link"));
    environment.variables["HOME"] = at(".home");
  }

  ObeyedTexts obeyed() const {
    RealFileSystem files;
    RealProcessRunner processes;
    const auto paths = paths_git_obeys(tree(), RepositoryWalk().find(tree(), 0), environment, files,
                                       processes, CancelToken());
    REQUIRE(paths.ok());
    ObeyedTexts relative;
    for (const std::string& path : *paths) relative.push_back(path.substr(tree().size() + 1));
    return relative;
  }

  /// Creates a repository with one commit.
  void make_repository(const std::string& name) const {
    git({"init", "--quiet", name});
    git({"-C", name, "commit", "--quiet", "--allow-empty", "--message=one"});
  }

  Environment environment;
};

}  // namespace

TEST_CASE("git obeyed: files that git reads or runs, unless they are tracked programs") {
  struct Row {
    const char* what;
    ObeyedTexts setting;  // @ is the path of the tree
    ObeyedTexts obeyed;
  };
  const Row rows[] = {
      {"nothing", {}, {}},
      {"hooks that are missing", {"core.hooksPath", "missing/hooks"}, {"missing/hooks"}},
      {"hooks of husky", {"core.hooksPath", ".husky/_"}, {".husky"}},
      {"hooks, and their programs",
       {"core.hooksPath", "ignored/hooks"},
       {"ignored/clean", "ignored/hooks"}},
      {"hooks that are tracked", {"core.hooksPath", "tracked"}, {"tracked"}},
      {"hooks through a link", {"core.hooksPath", "@/link/none"}, {"ignored/none", "link"}},
      {"hooks below the home folder", {"core.hooksPath", "~/../tree/x"}, {"x"}},
      {"an included file", {"include.path", "../local.inc"}, {"local.inc"}},
      {"one included below the home folder", {"include.path", "~/../tree/inc"}, {"inc"}},
      {"one included under a condition", {"includeIf.onbranch:x.path", "../a b.inc"}, {"a b.inc"}},
      {"an included file that is tracked", {"include.path", "../tracked/inc"}, {"tracked/inc"}},
      {"a monitor", {"core.fsmonitor", "./monitor -x"}, {"monitor"}},
      {"a monitor below the home folder", {"core.fsmonitor", "$HOME/../tree/m"}, {"m"}},
      {"a filter of an ignored file", {"filter.x.clean", "sh ignored/clean %f"}, {"ignored/clean"}},
      {"a filter in another folder", {"filter.x.clean", "cd ignored&&./c"}, {"c", "ignored/c"}},
      {"a quoted filter", {"filter.x.clean", "sh -c 'cd ignored; ./c'"}, {"c", "ignored/c"}},
      {"a module of Python",
       {"filter.x.clean", "\"@/ignored/venv/bin/python\" -m nb"},
       {"ignored/venv"}},
      {"a program that is tracked", {"diff.x.textconv", "tracked/show"}, {}},
      {"an alias", {"alias.x", "!ignored/clean"}, {"ignored/clean"}},
      {"an alias from the root",
       {"alias.x", "!\"$(git rev-parse --show-toplevel)\"/ignored/x"},
       {"ignored/x"}},
      {"an alias with a variable",
       {"alias.x", "!f() { ${X}/ignored/clean; }; f"},
       {"ignored/clean"}},
      {"a list of ignored files", {"core.excludesFile", "ignored/list"}, {"ignored/list"}},
      {"a program elsewhere", {"core.editor", "/usr/bin/vi"}, {}},
      {"a template", {"init.templateDir", "@/template"}, {"template"}},
      {"a remote", {"remote.x.url", "./backup.git"}, {"backup.git"}},
      {"a remote by address", {"remote.x.pushurl", "file://@/backup.git"}, {"backup.git"}},
      {"a remote elsewhere", {"remote.x.url", "git@host:a/b.git"}, {}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    const ObeyedWorld world;
    if (!row.setting.empty()) {
      world.git({"config", row.setting[0], replace_all(row.setting[1], "@/", world.tree() + "/")});
    }
    CHECK(join(world.obeyed(), " ") == join(row.obeyed, " "));
  }
}

TEST_CASE("git obeyed: variables of the user") {
  struct Row {
    const char* what;
    std::map<std::string, std::string> variables;
    ObeyedTexts obeyed;
  };
  const Row rows[] = {
      {"settings",
       {{"GIT_CONFIG_KEY_0", "a.b"},
        {"GIT_CONFIG_VALUE_0", "c"},
        {"GIT_CONFIG_KEY_1", "core.hooksPath"},
        {"GIT_CONFIG_VALUE_1", "hooks"}},
       {"hooks"}},
      {"a program", {{"GIT_EXTERNAL_DIFF", "sh ignored/clean"}}, {"ignored/clean"}},
      {"a missing program", {{"GIT_SSH_COMMAND", "ignored/ssh -v"}}, {"ignored/ssh"}},
      {"a configuration", {{"GIT_CONFIG_GLOBAL", "config"}}, {"config"}},
      {"a folder of programs", {{"PATH", "/bin:@/ignored/bin"}}, {"ignored/bin"}},
      {"a folder of programs through a link", {{"PATH", "@/link/bin"}}, {"ignored/bin", "link"}},
      {"a tracked folder of programs",
       {{"PATH", "@/tracked"}},
       {"tracked/git", "tracked/gpg", "tracked/less", "tracked/sh", "tracked/ssh"}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    ObeyedWorld world;
    for (const auto& [name, value] : row.variables) {
      world.environment.variables[name] = replace_all(value, "@/", world.tree() + "/");
    }
    CHECK(join(world.obeyed(), " ") == join(row.obeyed, " "));
  }
}

TEST_CASE("git obeyed: repositories in the tree") {
  ObeyedWorld world;
  CHECK(join(world.obeyed(), " ") == join(ObeyedTexts{}, " "));
  world.put(".gitmodules", "[submodule \"a\"]\n\tpath = lib/a b\n");
  CHECK(join(world.obeyed(), " ") == join(ObeyedTexts{"lib/a b/.git"}, " "));
  world.git({"update-index", "--add", "--cacheinfo", "160000", std::string(40, 'a'), "n\xC3\xA4w"});
  CHECK(join(world.obeyed(), " ") == join(ObeyedTexts{"lib/a b/.git", "n\xC3\xA4w/.git"}, " "));
  world.make_repository("own");
  world.make_repository("own/inner");
  world.make_repository("build/x");  // of a build
  world.git({"-C", "own", "config", "core.hooksPath", "hooks"});
  world.git({"worktree", "add", "--quiet", "--detach", "linked"});
  world.git({"init", "--quiet", "--bare", "bare"});
  CHECK(join(world.obeyed(), " ") ==
        join(ObeyedTexts{"bare", "lib/a b/.git", "linked/.git", "n\xC3\xA4w/.git", "own/.git",
                         "own/hooks", "own/inner/.git"},
             " "));
}

TEST_CASE("git obeyed: a repository and its objects, in folders of the tree") {
  const ObeyedWorld world;
  world.git({"init", "--quiet", "--separate-git-dir", world.at("tree/repo.git")});
  world.git({"init", "--quiet", "--bare", "mirror.git"});
  world.put("repo.git/objects/info/alternates", world.at("tree/mirror.git/objects") + "\n");
  CHECK(join(world.obeyed(), " ") == join(ObeyedTexts{"mirror.git", "repo.git"}, " "));
}

TEST_CASE("git obeyed: programs of hooks, and targets of links among them") {
  const ObeyedWorld world;
  std::filesystem::remove_all(world.at("tree/.git/hooks"));
  world.put(".git/hooks/pre-commit", "#!/bin/sh\nset -e\ncd ignored\nX=./clean\n./late\n");
  world.put(".git/hooks/pre-push.sample", "ignored/venv/bin/python\n");
  std::filesystem::create_symlink("../../missing", world.at("tree/.git/hooks/post-commit"));
  CHECK(join(world.obeyed(), " ") ==
        join(ObeyedTexts{"ignored/clean", "ignored/late", "late", "missing"}, " "));
}
