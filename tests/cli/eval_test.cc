#include <doctest/doctest.h>

#include "base/text.h"
#include "cli/program.h"

namespace pedro {
namespace {

constexpr const char* kHeader =
    R"({"type":"eval","record":1,"model":"m","backend":"b","format":"f","plan":"p","version":"1"})";

// A record of as many conversations of one call each, of which the first are valid.
std::string record_of(int valid, int all) {
  std::string text = std::string(kHeader) + "\n";
  for (int run = 1; run <= all; ++run) {
    text += R"({"configuration":"grammar","run":)" + std::to_string(run) +
            R"(,"round":1,"rounds":1,"task":"t","failure":")" + (run <= valid ? "" : "no call") +
            R"(","right":false,"tokens":10,"ms":5})" + "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("eval diff: better, worse and noise are told by the exit code") {
  Program program;
  program.folder.write("project/low", record_of(10, 100));
  program.folder.write("project/high", record_of(90, 100));
  program.folder.write("project/near", record_of(88, 100));
  struct Row {
    const char* before;
    const char* after;
    int code;
    const char* verdict;
  };
  for (const Row& row : {Row{"low", "high", 0, "better"}, Row{"high", "low", 1, "worse"},
                         Row{"high", "near", 2, "noise"}, Row{"high", "high", 2, "noise"}}) {
    const ProcessResult result = program.run({"eval", "diff", row.before, row.after});
    CHECK(result.exit_code == row.code);
    CHECK(result.out.find(row.verdict) != std::string::npos);
    const ProcessResult json = program.run({"eval", "diff", row.before, row.after, "-json"});
    CHECK(json.exit_code == row.code);
    CHECK(json.out.find(std::string("\"verdict\":\"") + row.verdict + "\"") != std::string::npos);
  }
}

TEST_CASE("eval: what cannot be measured or compared is named") {
  Program program;
  program.folder.write("project/record", record_of(1, 1));
  program.folder.write("project/none", "{}\n");
  program.folder.write("project/other", replace_all(record_of(1, 1), "\"grammar\"", "\"b\""));
  struct Row {
    std::vector<std::string> args;
    int code;
    const char* message;
  };
  for (const Row& row : {
           Row{{"diff", "record", "nothing"}, 2, "nothing: No such file or directory"},
           Row{{"diff"}, 2, "before is required; see `pedrocli eval diff -help`"},
           Row{{"diff", "record", "none"}, 2, "none:1: no record of `eval`, version 1"},
           Row{{"diff", "record", "other"}, 2, "no configuration in common"},
           Row{{"toolcalls", "-only", "grammer"},
               2,
               "-only: no configuration 'grammer' (did you mean 'grammar'?)"},
           Row{{"toolcalls", "-plan", "none"}, 3, "none: configurations: expected a list"},
           Row{{"toolcalls", "-plan", "nowhere"}, 2, "-plan nowhere: No such file"},
           Row{{"toolcalls", "-runs", "0"}, 2, "-runs"},
       }) {
    std::vector<std::string> args = {"eval"};
    args.insert(args.end(), row.args.begin(), row.args.end());
    const ProcessResult result = program.run(args);
    CAPTURE(result.err);
    CHECK(result.exit_code == row.code);
    CHECK(result.err.find(row.message) != std::string::npos);
    CHECK(result.out.empty());
  }
}

}  // namespace pedro
