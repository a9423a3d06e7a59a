#include "tools/git_obeyed.h"

#include <doctest/doctest.h>

#include "support/git_folder.h"
#include "support/temp_folder.h"
#include "sys/process.h"

using namespace pedro;

TEST_CASE("git obeyed: files that git reads or runs, unless they are tracked programs") {
  struct Row {
    const char* what;
    std::vector<std::string> setting;
    std::vector<std::string> obeyed;  ///< relative to the tree
  };
  const Row rows[] = {
      {"nothing", {}, {}},
      {"hooks that are missing", {"core.hooksPath", ".husky/_"}, {".husky/_"}},
      {"hooks that are there", {"core.hooksPath", "ignored/hooks"}, {"ignored/hooks"}},
      {"hooks that are tracked", {"core.hooksPath", "tracked"}, {}},
      {"an included file", {"include.path", "../local.inc"}, {"local.inc"}},
      {"one included under a condition", {"includeIf.onbranch:x.path", "../a b.inc"}, {"a b.inc"}},
      {"an included file that is tracked", {"include.path", "../tracked/inc"}, {"tracked/inc"}},
      {"a monitor", {"core.fsmonitor", "./monitor -x"}, {"monitor"}},
      {"a filter of an ignored file", {"filter.x.clean", "sh ignored/clean %f"}, {"ignored/clean"}},
      {"a program that is tracked", {"diff.x.textconv", "tracked/show"}, {}},
      {"an alias", {"alias.x", "!ignored/clean"}, {"ignored/clean"}},
      {"a list of ignored files", {"core.excludesFile", "ignored/list"}, {"ignored/list"}},
      {"a program elsewhere", {"core.editor", "/usr/bin/vi"}, {}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    GitFolder folder;
    folder.init();
    for (const char* file : {"tracked/hook", "tracked/inc", "tracked/show"}) folder.put(file, "");
    folder.commit_all("first");
    folder.put("ignored/clean", "");
    folder.put("ignored/hooks/pre-commit", "");
    if (!row.setting.empty()) folder.git({"config", row.setting[0], row.setting[1]});
    RealFileSystem files;
    RealProcessRunner processes;
    const CancelToken cancel;
    const auto obeyed = paths_git_obeys(folder.tree(), files, processes, cancel);
    REQUIRE(obeyed.ok());
    std::vector<std::string> expected;
    for (const std::string& path : row.obeyed) expected.push_back(join_path(folder.tree(), path));
    CHECK(*obeyed == expected);
  }
}

TEST_CASE("git obeyed: what leads git into a submodule") {
  GitFolder folder;
  folder.init();
  folder.put(".gitmodules", "[submodule \"a\"]\n\tpath = lib/a b\n");
  RealFileSystem files;
  RealProcessRunner processes;
  const CancelToken cancel;
  const auto obeyed = paths_git_obeys(folder.tree(), files, processes, cancel);
  REQUIRE(obeyed.ok());
  CHECK(*obeyed == std::vector<std::string>{join_path(folder.tree(), "lib/a b/.git")});
}
