#include <doctest/doctest.h>

#include "agent/script_words.h"

using namespace pedro;

TEST_CASE("make_text: values of variables replace their names") {
  CHECK(with_values("A = x\nB := $(A)y\nrun $(B) ${A} $A $$A $(C)\n") ==
        "A = x\nB := xy\nrun xy x x x $(C)\n");
  CHECK(with_values("export A='x y'\nA += z\n$(A)") == "export A='x y'\nA += z\nx y z");
  CHECK(with_values("A = $(A)\n$(A)").size() < 100);
  CHECK(with_values("$(").size() == 2);
  CHECK(with_values("${A") == "${A");
}

TEST_CASE("make_text: a value that grows with each pass stays bounded") {
  std::string text = "A0 = " + std::string(1000, 'x') + "\n";
  for (int i = 1; i < 9; ++i) {
    text += "A" + std::to_string(i) + " = ";
    for (int j = 0; j < 9; ++j) text += "$(A" + std::to_string(i - 1) + ")";
    text += "\n";
  }
  CHECK(with_values(text + "$(A8)").size() < 3'000'000);
  CHECK(included_patterns(text + "include $(A8)\n").size() <= 1);
}

TEST_CASE("make_text: patterns of included files") {
  using List = std::vector<std::string>;
  CHECK(included_patterns("-include $(wildcard *.dep) $(OBJS:.o=.d) config.local") ==
        List{"*.dep", "*.d", "**/*.d", "config.local"});
  CHECK(included_patterns("D = a\ninclude $(D)/b ./c\n.include \"d\"\n") == List{"a/b", "c", "d"});
  CHECK(included_patterns("include $(X)\nincluded x\n\techo include y\n").empty());
}
