#include "prompts/prompt_library.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace pedro {

TEST_CASE("library: a project's file replaces the embedded one and may add others") {
  FakeFileSystem files;
  files.files["/p/build/2-analyze.md"] = "mine";
  files.files["/p/build/6-more.md"] = "more";
  const auto library = PromptLibrary::open(files, "/p");
  REQUIRE(library.ok());
  CHECK(*library->read("build/2-analyze.md") == "mine");
  CHECK(library->place("build/2-analyze.md") == "/p/build/2-analyze.md");
  CHECK(library->place("build/3-plan.md") == "prompts/build/3-plan.md");
  const auto names = library->list("build");
  CHECK(std::find(names.begin(), names.end(), "build/6-more.md") != names.end());
  CHECK(std::is_sorted(names.begin(), names.end()));
}

TEST_CASE("library: a missing file suggests a near one") {
  FakeFileSystem files;
  const auto library = PromptLibrary::open(files, "");
  REQUIRE(library.ok());
  CHECK(library->read("build/2-analyse.md").error().message ==
        "no prompt file 'build/2-analyse.md' (did you mean 'build/2-analyze.md'?)");
}

}  // namespace pedro
