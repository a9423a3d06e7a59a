// Tests `pedrocli vocab`: known, added and verified vocabularies, and rows of a configuration.
#include <algorithm>

#include "base/json.h"
#include "base/text.h"
#include "cli/program.h"
#include "cli/rank_file.h"

namespace pedro {
namespace {

const std::string kFiles = "cache/pedrocli/vocab-files/";
const std::string kAdded = "data/pedrocli/vocab/";

// The line that begins with the name, with repeated blanks removed.
std::string row_of(const std::string& out, const std::string& name) {
  for (const std::string_view line : split_lines(out)) {
    if (!line.starts_with(name + " ")) continue;
    std::string row;
    for (const char c : line) {
      if (c != ' ' || !row.ends_with(' ')) row += c;
    }
    return row;
  }
  return "";
}

void write_vocabularies(const Program& program) {
  program.folder.write(kFiles + "r50k_base.tiktoken", rank_file({"ab", "abc"}));
  program.folder.write("project/my.tiktoken", rank_file({"ab"}));
  program.folder.write("project/cl100k_base.tiktoken", rank_file({"ab", "abc"}));
}

}  // namespace

TEST_CASE("vocab list: names, tokens once they are known, formats, places") {
  Program program;
  write_vocabularies(program);
  const std::string file = program.folder.at(kFiles + "r50k_base.tiktoken");
  program.folder.write("project/.pedrocli.json",
                       R"({"vocabularies": [{"name": "gone", "file": "gone.json"}]})");
  ProcessResult result = program.run({"vocab", "list"});
  CHECK(row_of(result.out, "gone") == "gone - - missing");
  CHECK(result.exit_code == 0);
  CHECK(row_of(result.out, "r50k_base") == "r50k_base - tiktoken " + file);
  CHECK(result.err.find(" missing: get them with scripts/fetch-vocab of the source tree, or "
                        "`pedrocli vocab add FILE -name NAME`\n") != std::string::npos);
  REQUIRE(program.run({"tokens", "count", "-vocab", "r50k_base", "-"}, "abc").exit_code == 0);
  result = program.run({"vocab", "list"});
  CHECK(row_of(result.out, "r50k_base") == "r50k_base 50257 tiktoken " + file);
  result = program.run({"vocab", "list", "-json"});
  CHECK(result.out.find("{\"name\":\"r50k_base\",\"format\":\"tiktoken\",\"tokens\":50257,"
                        "\"path\":\"" +
                        file + "\"}\n") != std::string::npos);
  CHECK(result.err.empty());
}

TEST_CASE("vocab add: a file is found under its name, without the file") {
  Program program;
  write_vocabularies(program);
  const std::string folder = program.folder.at("data/pedrocli/vocab");
  ProcessResult result = program.run({"vocab", "add", "cl100k_base.tiktoken", "-name", "my-model"});
  CHECK(result.out == "my-model: 100277 tokens, in " + folder + "\n");
  CHECK(result.err.empty());
  CHECK(result.exit_code == 0);
  std::filesystem::remove(program.folder.at("project/cl100k_base.tiktoken"));
  CHECK(program.run({"tokens", "encode", "-vocab", "my-model", "-"}, "abc").out == "257\n");
  CHECK(program.run({"tokens", "encode", "-model", "my-model", "-"}, "abc").out == "257\n");
  CHECK(row_of(program.run({"vocab", "list"}).out, "my-model") ==
        "my-model 100277 compiled " + folder + "/my-model.pvoc");

  result = program.run({"vocab", "add", "-json", "r50k_base"});  // the name of a fetched vocabulary
  CHECK(result.out ==
        "{\"name\":\"r50k_base\",\"tokens\":50257,\"path\":\"" + folder + "/r50k_base.pvoc\"}\n");
  result = program.run({"vocab", "add", "-all", "-to", program.folder.at("all")});
  CHECK(result.out == "r50k_base: 50257 tokens, in " + program.folder.at("all") + "\n");
}

TEST_CASE("vocab add: errors are reported") {
  struct Row {
    const char* name;
    std::vector<std::string> args;
    int exit_code;
    std::string message;  // "": the text after the file's name is not checked
  };
  Program program;
  write_vocabularies(program);
  for (const Row& row : {
           Row{"nothing to add", {}, 2, "name a file, or give -all"},
           Row{"all and a file", {"-all", "my.tiktoken"}, 2, "name a file, or give -all"},
           Row{"a name for two", {"-name", "x", "a", "b"}, 2, "-name needs exactly one file"},
           Row{"a bad name",
               {"-name", "a/b", "cl100k_base.tiktoken"},
               2,
               "'a/b' is not a vocabulary name: expected up to 64 letters, digits, '.', '_' and "
               "'-'"},
           Row{"no file", {"nothing"}, 2, "nothing: No such file or directory"},
           Row{"ranks of nobody knows what",
               {"my.tiktoken"},
               3,
               "my.tiktoken: a file of ranks does not define how text is split, and 'my' is not "
               "the name of a known one, such as 'cl100k_base'"},
       }) {
    CAPTURE(row.name);
    std::vector<std::string> args = {"vocab", "add"};
    args.insert(args.end(), row.args.begin(), row.args.end());
    const ProcessResult result = program.run(args);
    CHECK(result.exit_code == row.exit_code);
    CHECK(result.err == "pedrocli: " + row.message + "\n");
    CHECK(result.out.empty());
  }
  std::filesystem::remove_all(program.folder.at("cache"));
  CHECK(program.run({"vocab", "add", "-all"}).err ==
        "pedrocli: there are no vocabulary files in " +
            program.folder.at("cache/pedrocli/vocab-files") +
            ": scripts/fetch-vocab of the source tree downloads them\n");
}

TEST_CASE("vocab verify: intact and damaged vocabularies") {
  Program program;
  write_vocabularies(program);
  const std::string block = program.folder.at(kAdded + "mine.pvoc");
  REQUIRE(program.run({"vocab", "add", "cl100k_base.tiktoken", "-name", "mine"}).exit_code == 0);
  ProcessResult result = program.run({"vocab", "verify", "mine"});
  CHECK(result.out == "ok     mine  " + block + "\n");
  CHECK(result.exit_code == 0);

  const std::string file = program.folder.at(kFiles + "r50k_base.tiktoken");
  result = program.run({"vocab", "verify", "r50k_base", "nothing"});
  CHECK(result.out ==
        "wrong  r50k_base: " + file +
            " is not the published file: its SHA-256 differs\nwrong  nothing: it does not exist\n");
  CHECK(result.exit_code == 1);

  std::filesystem::resize_file(block, 4096);
  program.folder.write("cache/pedrocli/vocab/0.pvoc", "no vocabulary");
  std::filesystem::remove(file);
  result = program.run({"vocab", "verify"});
  CHECK(result.out.find("wrong  mine: " + block + " is truncated, or has trailing data\n") !=
        std::string::npos);
  CHECK(result.out.find("swept  cache: " + program.folder.at("cache/pedrocli/vocab/0.pvoc") +
                        " is too short for a compiled vocabulary; it is recreated when needed\n") !=
        std::string::npos);
  result = program.run({"vocab", "verify", "mine", "-json"});
  CHECK(result.out == "{\"name\":\"mine\",\"ok\":false,\"path\":\"" + block + "\",\"error\":\"" +
                          block + " is truncated, or has trailing data\"}\n");
}

TEST_CASE("vocab: those installed beside the program are found, wherever it is") {
  Program program;
  write_vocabularies(program);
  const std::string installed = program.folder.at("prefix/share/pedrocli/vocab");
  REQUIRE(program.run({"vocab", "add", "r50k_base", "-to", installed}).exit_code == 0);
  std::filesystem::remove_all(program.folder.at("cache"));
  std::filesystem::create_directories(program.folder.at("prefix/bin"));
  std::filesystem::copy_file(PEDROCLI_PROGRAM, program.folder.at("prefix/bin/pedrocli"));
  std::filesystem::create_symlink(program.folder.at("prefix/bin/pedrocli"),
                                  program.folder.at("link"));
  Command command{.argv = {program.folder.at("link"), "vocab", "list"},
                  .folder = program.project()};
  command.environment = program.environment();
  const auto result = program.processes.run(command, program.cancel);
  REQUIRE(result.ok());
  CHECK(row_of(result->out, "r50k_base") ==
        "r50k_base 50257 compiled " + installed + "/r50k_base.pvoc");
}

TEST_CASE("vocab: the configuration's rows come before those that are built in") {
  Program program;
  write_vocabularies(program);
  program.folder.write("project/.pedrocli.json", R"({
    "vocabularies": [{"name": "mine", "file": ")" + program.folder.at("project/my.tiktoken") +
                                                     R"(", "scanner": "gpt2"}],
    "models": [{"pattern": "gpt-4o*", "provider": "me", "vocabulary": "mine"},
               {"pattern": "odd*", "provider": "me", "vocabulary": "mine", "estimate": 10}]})");
  CHECK(program.run({"tokens", "count", "-model", "gpt-4o", "-"}, "abab").out == "      2\n");
  CHECK(program.run({"tokens", "count", "-model", "odd-1", "-"}, "abab").out == "    \u224820\n");
  CHECK(row_of(program.run({"vocab", "list"}).out, "mine") ==
        "mine 257 tiktoken " + program.folder.at("project/my.tiktoken"));

  program.folder.write(
      "project/.pedrocli.json",
      "{\n\"models\": [{\"pattern\": \"x\", \"provider\": \"y\", \"window\": -1}]}");
  const ProcessResult result = program.run({"tokens", "count", "-model", "x", "-"}, "abab");
  CHECK(result.exit_code == 3);
  CHECK(result.err == "pedrocli: " + program.folder.at("project/.pedrocli.json") +
                          ":2: /models/0/window: expected a number of at least 0\n");
}

TEST_CASE("vocab: help and completion know its commands") {
  Program program;
  CHECK(program.run({"vocab"}).exit_code == 2);
  for (const char* name : {"list", "add", "verify"}) {
    CAPTURE(name);
    CHECK(program.run({"help", "vocab"}).out.find(name) != std::string::npos);
    CHECK(program.run({"vocab", name, "-help"}).exit_code == 0);
  }
  CHECK(program.run({"completion", "bash"}).out.find("\"vocab add \"*") != std::string::npos);
}

}  // namespace pedro
