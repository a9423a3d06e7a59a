#include "normalize_args.h"

#include <doctest/doctest.h>

#include "base/text.h"

namespace pedro {
namespace {

std::string normalised(const std::vector<std::string>& args) {
  const std::vector<FlagSpec> global = {
      {"config", true}, {"verbose", false}, {"debug", true}, {"help", false}};
  const std::vector<CommandSpec> commands = {
      {"build", {{"issue", true}, {"push", false}}},
      {"list", {}},
      {"grammar", {}, {{"match", {}}, {"tools", {{"phase", true}}}}},
      {"tokens", {}, {{"count", {}}}},
      {"tools", {}}};
  const auto result = normalize_args(args, global, commands);
  return result ? join(*result, " ") : "! " + result.error().message;
}

}  // namespace

TEST_CASE("arguments: every way to write a flag, before and after the command") {
  struct Row {
    std::vector<std::string> args;
    const char* expected;
  };
  for (const Row& row : {
           Row{{"build", "-issue", "32"}, "build --issue=32"},
           Row{{"build", "--issue", "32"}, "build --issue=32"},
           Row{{"build", "-issue=32"}, "build --issue=32"},
           Row{{"-issue", "32", "build"}, "build --issue=32"},
           Row{{"-config", "build", "build", "-push"}, "build --config=build --push"},
           Row{{"build", "-issue", "-"}, "build --issue=-"},
           Row{{"build", "-debug", "-issue", "3"}, "build --debug=all --issue=3"},
           Row{{"-debug=tokens", "list"}, "list --debug=tokens"},
           Row{{"-debug", "build", "-issue", "3"}, "build --debug=all --issue=3"},
           Row{{"-debug", "tokens", "build", "-push"}, "build --debug=tokens --push"},
           Row{{"-debug", "tokens,grammar", "build"}, "build --debug=tokens,grammar"},
           Row{{"-debug", "http", "-issue", "3", "build"}, "build --debug=http --issue=3"},
           Row{{"build", "-debug", "tokens", "-push"}, "build --debug=tokens --push"},
           Row{{"build", "--debug", "tokens,http"}, "build --debug=tokens,http"},
           Row{{"build", "-debug", "tokens,gramar"}, "build --debug=tokens,gramar"},
           Row{{"-debug", "tokens", "count", "x"}, "tokens count --debug=all x"},
           Row{{"-debug", "tokens", "tokens", "count"}, "tokens count --debug=tokens"},
           Row{{"-debug", "grammar", "tools"}, "grammar tools --debug=all"},
           Row{{"-debug", "tokens", "grammar", "tools"}, "grammar tools --debug=tokens"},
           Row{{"tokens", "-debug", "tokens", "count", "x"}, "tokens count --debug=tokens x"},
           Row{{"tokens", "count", "-debug", "README.md"}, "tokens count --debug=all README.md"},
           Row{{"-debug", "tokens"}, "tokens --debug=all"},
           Row{{"list", "-h"}, "list --help"},
           Row{{"list", "--", "-x"}, "list -- -x"},
           Row{{"list", "a", "-verbose", "-", "--", "-x", "y"}, "list --verbose -- a - -x y"},
           Row{{"grammar", "tools", "-phase", "plan"}, "grammar tools --phase=plan"},
           Row{{"-phase", "match", "grammar", "-verbose", "tools"},
               "grammar tools --phase=match --verbose"},
           Row{{"grammar", "match", "tools", "-"}, "grammar match tools -"},
           Row{{"grammar", "-h"}, "grammar --help"},
           Row{{"grammar"}, "grammar"},
           Row{{}, ""},
       }) {
    CHECK(normalised(row.args) == row.expected);
  }
}

TEST_CASE("arguments: an invalid argument is named, with the nearest valid one") {
  struct Row {
    std::vector<std::string> args;
    const char* expected;
  };
  for (const Row& row : {
           Row{{"bild"},
               "! unknown command 'bild' (did you mean 'build'?); `pedrocli help` lists "
               "them"},
           Row{{"build", "-isue", "3"},
               "! unknown flag '-isue' (did you mean '-issue'?); "
               "`pedrocli build -help` lists them"},
           Row{{"list", "-push"}, "! unknown flag '-push'; `pedrocli list -help` lists them"},
           Row{{"grammar", "mach", "x"},
               "! unknown command 'grammar mach' (did you mean 'match'?); "
               "`pedrocli grammar -help` lists them"},
           Row{{"grammar", "match", "-phase", "x"},
               "! unknown flag '-phase'; `pedrocli grammar match -help` lists them"},
           Row{{"build", "-issue"}, "! -issue: expected a value"},
           Row{{"build", "-issue", "", "-push"}, "! -issue: the value is empty"},
           Row{{"build", "-issue="}, "! -issue: the value is empty"},
       }) {
    CHECK(normalised(row.args) == row.expected);
  }
}

}  // namespace pedro
