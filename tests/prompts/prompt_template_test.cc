#include "prompts/prompt_template.h"

#include <doctest/doctest.h>

namespace pedro {
namespace {

Result<std::string> read(const std::string& name) {
  if (name == "a.md") return std::string("---\nx: y\n---\nA {{title}}\n");
  if (name == "loop.md") return std::string("{{include loop.md}}");
  return Error{ErrorKind::kConfig, "no prompt file '" + name + "'"};
}

}  // namespace

TEST_CASE("template: variables and includes") {
  const auto parsed = PromptTemplate::parse("p.md", "1 {{ title }}\n{{include a.md}}.", 1, read);
  REQUIRE(parsed.ok());
  CHECK(parsed->check({"title"}).ok());
  CHECK(*parsed->render({{"title", "{{task}}"}}) == "1 {{task}}\nA {{task}}.");
}

TEST_CASE("template: errors name file and line") {
  struct Row {
    const char* text;
    const char* message;
  };
  for (const Row& row : {
           Row{"a\n{{title", "p.md:2: '{{' without '}}'"},
           Row{"{{Title!}}", "p.md:1: expected a variable name, got 'Title!'"},
           Row{"\n\n{{include b.md}}", "p.md:3: no prompt file 'b.md'"},
           Row{"{{include loop.md}}", "loop.md:1: includes are nested more than 8 deep"},
       }) {
    CHECK(PromptTemplate::parse("p.md", row.text, 1, read).error().message == row.message);
  }
  const auto parsed = PromptTemplate::parse("p.md", "x\n{{titel}}", 5, read);
  CHECK(parsed->check({"title", "task"}).error().message ==
        "p.md:6: unknown variable 'titel' (did you mean 'title'?); there are: title, task");
  CHECK(parsed->render({}).error().message == "p.md:6: variable 'titel' has no value here");
}

}  // namespace pedro
