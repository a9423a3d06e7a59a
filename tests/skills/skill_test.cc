#include "skills/skill.h"

#include <doctest/doctest.h>

namespace pedro {
namespace {

Result<SkillText> parse(const std::string& front, const std::string& body = "Do it.\n",
                        const std::string& folder = "/skills/pdf-forms") {
  return parse_skill(folder, "---\n" + front + "---\n" + body);
}

Skill skill_of(const std::string& front) {
  const auto text = parse(front);
  REQUIRE_MESSAGE(text.ok(), text.error().message);
  return text->skill;
}

std::string error_of(const std::string& front) {
  const auto text = parse(front);
  REQUIRE_FALSE(text.ok());
  CHECK(text.error().kind == ErrorKind::kConfig);
  return text.error().message;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("skill: fields and body of a file as specified") {
  const auto text = parse(
      "name: pdf-forms\n"
      "description: >\n  Fills in forms.\n  Use it for PDFs.\n"
      "license: Apache-2.0\n"
      "compatibility: needs python3\n"
      "metadata:\n  author: someone\n  version: \"1.0\"\n"
      "allowed-tools: Bash Read\n",
      "\n\n# Forms\n\n---\n\nLast line.\n\n");
  REQUIRE(text.ok());
  CHECK(text->skill.name == "pdf-forms");
  CHECK(text->skill.description == "Fills in forms. Use it for PDFs.");
  CHECK(text->skill.folder == "/skills/pdf-forms");
  CHECK(text->skill.deviations == Texts{});
  CHECK_FALSE(text->skill.hidden);
  CHECK(text->body == "# Forms\n\n---\n\nLast line.");
}

TEST_CASE("skill: files of other agents that are not as specified are read") {
  CHECK(skill_of("name: pdf-forms\ndescription: Use it when: a PDF has forms\n").description ==
        "Use it when: a PDF has forms");
  CHECK(skill_of("name: pdf-forms\ndescription: It's for: forms\n").description ==
        "It's for: forms");
  CHECK(skill_of("description: d\n").name == "pdf-forms");
  CHECK(skill_of("description: d\n").deviations == Texts{"name: is missing"});
  CHECK(skill_of("name: PDF_Forms\ndescription: d\n").deviations ==
        Texts{"name: 'PDF_Forms' has characters other than a-z, 0-9 and '-'",
              "name: 'PDF_Forms' is not the folder's name 'pdf-forms'"});
  CHECK(skill_of("name: pdf--forms\ndescription: d\n").deviations.front() ==
        "name: 'pdf--forms' has a '-' at an end or two in a row");
  CHECK(skill_of("name: pdf-forms\ndescription: " + std::string(1025, 'x') + "\n").deviations ==
        Texts{"description: has 1025 characters, the limit is 1024"});
  CHECK(skill_of("name: pdf-forms\ndescription: d\nversion: 2\ntags: [a, b]\n").deviations ==
        Texts{"tags: is not in the specification", "version: is not in the specification"});
  CHECK(skill_of("name: pdf-forms\ndescription: d\ndisable-model-invocation: true\n").hidden);
  const auto marked = parse_skill(
      "/s/pdf-forms", "\xEF\xBB\xBF---\r\nname: pdf-forms\r\ndescription: d\r\n---\r\nB\r\n");
  REQUIRE(marked.ok());
  CHECK(marked->skill.description == "d");
  CHECK(marked->skill.deviations == Texts{});
  CHECK(marked->body == "B");
}

TEST_CASE("skill: unusable files name the line") {
  CHECK(error_of("name: pdf-forms\n") == "1: description: is missing");
  CHECK(error_of("name: pdf-forms\ndescription: ' '\n") == "1: description: is missing");
  CHECK(error_of("name: x\ndescription: [a\n").starts_with("4: "));
  CHECK(error_of("- a\n- b\n") == "2: expected keys with values");
  CHECK(parse_skill("/s/x", "# No front matter\n").error().message ==
        "1: expected front matter between two lines '---'");
  CHECK(parse_skill("/s/x", "---\nname: x\n").error().message ==
        "1: the front matter has no second line '---'");
  CHECK(parse_skill("/s/x", "").error().message ==
        "1: expected front matter between two lines '---'");
  CHECK(parse_skill("/s/x", "---\ndescription: \xFF\n---\n").error().message ==
        "1: the file is not UTF-8");
}

TEST_CASE("skill: hostile front matter ends soon, and texts are printable") {
  CHECK_FALSE(parse("description: " + std::string(70'000, 'x') + "\n").ok());
  CHECK_FALSE(parse("description: d\nmetadata: " + std::string(20'000, '[') + "\n").ok());
  std::string aliases = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 20; ++i) {
    const std::string last = "*a" + std::to_string(i - 1);
    aliases += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + last;
    for (int j = 0; j < 8; ++j) aliases += ", " + last;
    aliases += "]\n";
  }
  CHECK(skill_of("description: d\n" + aliases).description == "d");
  const Skill skill = skill_of("description: \"a\\e[31m\\nb\"\n");
  CHECK(skill.description.find('\x1b') == std::string::npos);
  CHECK(skill.description.find('\n') == std::string::npos);
}

}  // namespace pedro
