#include "prompts/user_command.h"

#include <doctest/doctest.h>

namespace pedro {

TEST_CASE("user command: names of files are replaced by their texts, other signs stay") {
  struct Row {
    const char* body;
    const char* expected;
  };
  for (const Row& row : {
           Row{"Read @a/b.md.", "Read <a/b.md>."},
           Row{"@a... and @b", "<a>... and <b>"},
           Row{"@../x", "<../x>"},
           Row{"@...", "@..."},
           Row{"See @. or @.. there", "See @. or @.. there"},
           Row{"@ a@b @", "@ a@b @"},
           Row{"@@a", "@@a"},
           Row{"$1 of $ARGUMENTS, not $9$0", "one of one two, not $0"},
       }) {
    CAPTURE(row.body);
    UserCommand command;
    command.body = row.body;
    const auto text = expand(command, {"one", "two"}, [](const std::string& path) {
      return Result<std::string>("<" + path + ">");
    });
    REQUIRE(text.ok());
    CHECK(*text == row.expected);
  }
}

}  // namespace pedro
