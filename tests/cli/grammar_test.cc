// Tests the exact output and every exit code of `pedrocli grammar`.
#include "base/json.h"
#include "base/text.h"
#include "cli/program.h"
#include "sys/file_system.h"

namespace pedro {
namespace {

struct GrammarRow {
  std::string name;
  std::vector<std::string> args;  // after `grammar`
  std::string input;
  int exit_code;
  std::string out;
  std::string err;
};

const std::string kPerson =
    R"({"type":"object","properties":{"age":{"type":"integer","minimum":0},)"
    R"("tags":{"type":"array","items":{"enum":["a","b"]},"uniqueItems":true}},)"
    R"("required":["age"],"additionalProperties":false})";

const std::string kPersonGrammar =
    R"gbnf(root ::= "{" who-then-2 "}"
integer-from-0 ::= "0" | [1-9] [0-9]{0,15}
who-tags-item ::= "\"" ("a\"" | "b\"")
who-tags-next ::= "," " "? who-tags-item
who-tags ::= "[" ("]" | who-tags-item who-tags-next* "]")
who-age ::= "\"age\":" " "? integer-from-0
who-tags-2 ::= "\"tags\":" " "? who-tags
who-then ::= "" | "," " "? who-tags-2
who-then-2 ::= who-age who-then | who-tags-2 "," " "? who-age
)gbnf";

void write_grammar_files(const Program& program) {
  program.folder.write("project/ab.gbnf", "root ::= \"a\" [b-d]* \"\\n\"?\n");
  program.folder.write("project/call.gbnf",
                       "root ::= \"{\\\"tool\\\": \\\"\" (\"grep\" | \"get\") \"\\\"}\"\n");
  program.folder.write("project/unknown.gbnf", "root ::= \"a\" [\n");
  program.folder.write("project/no-root.gbnf", "start ::= \"a\"\n");
  program.folder.write("project/check", "root ::= \"x\"\n");
}

void check_rows(const std::vector<GrammarRow>& rows) {
  Program program;
  write_grammar_files(program);
  for (const GrammarRow& row : rows) {
    CAPTURE(row.name);
    std::vector<std::string> args = {"grammar"};
    args.insert(args.end(), row.args.begin(), row.args.end());
    const ProcessResult result = program.run(args, row.input);
    CHECK(result.exit_code == row.exit_code);
    CHECK(result.out == row.out);
    CHECK(result.err == row.err);
  }
}

}  // namespace

TEST_CASE("grammar: match reports the first mismatch and the accepted alternatives") {
  check_rows({
      {"the whole text", {"match", "ab.gbnf", "-"}, "abcd\n", 0, "matches\n", ""},
      {"a file whose name is a command's", {"match", "check", "-"}, "x", 0, "matches\n", ""},
      {"a byte that does not fit",
       {"match", "ab.gbnf", "-"},
       "abe",
       1,
       "standard input:1:3: does not match at byte 2\n"
       "  abe\n"
       "    ^\n"
       "expected: the end of the text, '\\n', 'b'-'d'\n",
       ""},
      {"on a later line",
       {"match", "ab.gbnf", "-"},
       "ab\nb",
       1,
       "standard input:2:1: does not match at byte 3\n"
       "  b\n"
       "  ^\n"
       "expected: the end of the text\n",
       ""},
      {"an end that comes too early, with what must follow",
       {"match", "call.gbnf", "-"},
       R"({"tool": "gr)",
       1,
       "standard input:1:13: ends too early at byte 12\n"
       "  {\"tool\": \"gr\n"
       "              ^\n"
       "expected: 'e'\n"
       "must follow: \"ep\\\"}\"\n",
       ""},
      {"a line end too many",
       {"match", "check", "-"},
       "x\n",
       1,
       "standard input:1:2: does not match at byte 1\n"
       "  x\n"
       "   ^\n"
       "expected: the end of the text\n"
       "without the final line end it matches\n",
       ""},
      {"what steers a terminal does not reach it",
       {"match", "ab.gbnf", "-"},
       "\x1b[31ma",
       1,
       "standard input:1:1: does not match at byte 0\n"
       "  \xEF\xBF\xBD[31ma\n"
       "  ^\n"
       "expected: 'a'\n"
       "must follow: \"a\"\n",
       ""},
      {"bytes that are not UTF-8",
       {"match", "ab.gbnf", "-"},
       "a\xff",
       1,
       "standard input:1:2: does not match at byte 1\n"
       "  a\xEF\xBF\xBD\n"
       "   ^\n"
       "expected: the end of the text, '\\n', 'b'-'d'\n",
       ""},
      {"for programs",
       {"match", "call.gbnf", "-", "-json"},
       "{\"tool\": \"gx",
       1,
       R"({"matches":false,"ends_too_early":false,"offset":11,"line":1,"column":12,)"
       R"("expected":["'e'","'r'"],"forced":""})"
       "\n",
       ""},
      {"for programs, where it matches",
       {"match", "call.gbnf", "-", "-json"},
       R"({"tool": "get"})",
       0,
       R"({"matches":true,"ends_too_early":false,"offset":15,"line":1,"column":16,)"
       R"("expected":["the end of the text"],"forced":""})"
       "\n",
       ""},
  });
}

TEST_CASE("grammar: bytes are shown as ranges, those beyond ASCII in words") {
  struct Expected {
    const char* grammar;
    const char* input;
    const char* line;
  };
  for (const Expected& row : {
           Expected{R"(root ::= [^"\\\x00-\x1F])", "\n",
                    "expected: ' ', '!', '#'-'[', ']'-'~', 0x7F, any character beyond ASCII\n"},
           Expected{"root ::= \"ä\"", "a", "expected: 0xC3\n"},
           Expected{"root ::= [^a]", "\xC3", "expected: the rest of a character\n"},
           Expected{R"(root ::= ['\\\t\r])", "a", "expected: '\\t', '\\r', '\\'', '\\\\'\n"},
           Expected{"root ::= [acegikmoqsuwyACEGIKMOQSUWY]", "b",
                    "expected: 'A', 'C', 'E', 'G', 'I', 'K', 'M', 'O', 'Q', 'S', 'U', 'W', 'Y', "
                    "'a', 'c', 'e', 'g', 'i' and 8 more\n"},
           Expected{R"(root ::= "a" [^\x00-\U0010FFFF])", "b",
                    "expected: nothing: no text can follow here\n"},
       }) {
    CAPTURE(row.grammar);
    Program program;
    program.folder.write("project/g", row.grammar);
    const ProcessResult result = program.run({"grammar", "match", "g", "-"}, row.input);
    CAPTURE(result.out);
    CHECK(result.exit_code == 1);
    CHECK(result.out.find(row.line) != std::string::npos);
  }
}

TEST_CASE("grammar: from-schema refuses a schema whose grammar is too large to read") {
  Json schema = {{"enum", Json::array()}};
  for (int i = 0; i < 12'000; ++i) {
    schema["enum"].push_back(std::to_string(i * 2'654'435'761LL) + std::string(90, 'x') +
                             std::to_string(i * 7'919));
  }
  Program program;
  const ProcessResult result = program.run({"grammar", "from-schema", "-"}, schema.dump());
  CHECK(result.exit_code == 6);
  CHECK(result.out.empty());
  CHECK(result.err.starts_with("pedrocli: standard input: its grammar has "));
  CHECK(result.err.find("the limit is 1048576") != std::string::npos);
}

TEST_CASE("grammar: from-schema prints the grammar, and its losses to stderr") {
  const char* const kRefused = "standard input: no grammar is printed, because of -strict\n";
  const std::string loss =
      "standard input: /properties/tags: uniqueItems: the grammar allows duplicate items\n";
  check_rows({
      {"lenient", {"from-schema", "-", "-name", "who"}, kPerson, 0, kPersonGrammar, loss},
      {"quiet", {"from-schema", "-", "-name", "who", "-quiet"}, kPerson, 0, kPersonGrammar, ""},
      {"strict", {"from-schema", "-", "-strict"}, kPerson, 1, "", loss + kRefused},
      {"strict and quiet",
       {"from-schema", "-", "-strict", "-quiet"},
       kPerson,
       1,
       "",
       loss + kRefused},
      {"strict, where nothing is lost",
       {"from-schema", "-", "-strict"},
       R"({"const": 3})",
       0,
       "root ::= \"3\"\n",
       ""},
      {"a keyword of the whole document",
       {"from-schema", "-", "-strict"},
       R"({"$dynamicRef": "#x"})",
       1,
       "",
       "standard input: /: $dynamicRef: ignored: '#x' is not in this document\n" +
           std::string(kRefused)},
      {"nothing fits",
       {"from-schema", "-"},
       "false",
       0,
       "root ::= [^\\x00-\\U0010FFFF]\n",
       "standard input: no value fits this schema\n"},
      {"nothing fits, strict",
       {"from-schema", "-", "-strict"},
       R"({"type": "object", "required": ["a"], "properties": {"a": false}})",
       1,
       "",
       "standard input: no value fits this schema\n" + std::string(kRefused)},
      {"for programs",
       {"from-schema", "-", "-json"},
       R"({"const": 3, "$dynamicRef": "#x"})",
       0,
       R"({"grammar":"root ::= \"3\"\n","nothing_fits":false,"gaps":[{"pointer":"/",)"
       R"("keyword":"$dynamicRef","not_looked_at":"'#x' is not in this document"}]})"
       "\n",
       ""},
      {"what steers a terminal is escaped in the grammar",
       {"from-schema", "-"},
       R"({"const": "\u202ea\u009b"})",
       0,
       "root ::= \"\\\"\\u202Ea\\u009B\\\"\"\n",
       ""},
      {"no schema",
       {"from-schema", "-"},
       R"({"type": "strin"})",
       3,
       "",
       "pedrocli: standard input: /type: unknown type (did you mean 'string'?); there are object, "
       "array, string, integer, number, boolean, null\n"},
  });
  Program program;
  const ProcessResult no_json = program.run({"grammar", "from-schema", "-"}, "{\n\"a\"");
  CHECK(no_json.exit_code == 3);
  CHECK(no_json.err.starts_with("pedrocli: standard input:2:"));
}

TEST_CASE("grammar: check prints findings and counts them") {
  check_rows({
      {"clean", {"check", "-"}, "root ::= \"a\"", 0, "", "no findings\n"},
      {"clean and quiet", {"check", "-", "-quiet"}, "root ::= \"a\"", 0, "", ""},
      {"an error",
       {"check", "-"},
       "root ::= \"a\" items\nitem ::= \"b\"\n",
       1,
       "standard input:1:14: error: rule 'items' is not defined (did you mean 'item'?): write it, "
       "or correct the name\n  root ::= \"a\" items\n               ^\nstandard input:2:1: "
       "warning: root does not reach rule 'item': refer to it, or remove it\n  item ::= \"b\"\n  "
       "^\n1 error, 1 warning\n",
       ""},
      {"a warning is no failure",
       {"check", "-", "-json"},
       "root ::= \"a\"\nx ::= \"b\"\n",
       0,
       R"({"severity":"warning","line":2,"column":1,"offset":13,"message":"root does not reach )"
       R"(rule 'x': refer to it, or remove it"})"
       "\n",
       ""},
      {"what cannot be parsed",
       {"check", "-"},
       "root ::= \"\xff\"",
       1,
       "standard input:1:11: expected UTF-8, found the byte 0xFF\n"
       "  root ::= \"\xEF\xBF\xBD\"\n"
       "            ^\n"
       "1 error, 0 warnings\n",
       ""},
      {"what cannot be parsed, for programs",
       {"check", "-", "-json"},
       "root",
       1,
       R"({"severity":"error","message":"standard input:1:5: expected '::=' after the rule's name, )"
       R"(found the end of the grammar\n  root\n      ^"})"
       "\n",
       ""},
  });
}

TEST_CASE("grammar: explain counts only exact figures") {
  check_rows({
      {"a finite grammar",
       {"explain", "-"},
       "# a comment\nroot  ::=  x y{2,3}\nx ::= \"ab\" | \"ä\"\ny ::= [a-z]\nz ::= \"\"\n",
       0,
       "rules         4\n"
       "bytes         57, without comments and layout\n"
       "unused        1: z\n"
       "longest rule  root: 17 bytes\n"
       "deepest rule  root: 3 deep\n"
       "repetition    3 symbols of the 2000 that a server allows, at 2:15\n"
       "texts         5 bytes at most\n"
       "first bytes   2: 'a', 0xC3\n",
       ""},
      {"recursion through an alternation that can be left",
       {"explain", "-", "-json"},
       "root ::= \"(\" list \")\"\nlist ::= (root \",\")?\n",
       0,
       R"({"rules":2,"bytes":43,"longest_rule":{"rule":"root",)"
       R"("amount":21},"deepest_rule":{"rule":"list","amount":3},"recursion":["root","list"],)"
       R"("longest_text":null,"first_bytes":1,"begins_with":"("})"
       "\n",
       ""},
      {"recursion that no text can use",
       {"explain", "-"},
       "root ::= \"a\" | x\nx ::= \"b\" x\n",
       0,
       "rules         2\n"
       "bytes         29, without comments and layout\n"
       "longest rule  root: 16 bytes\n"
       "deepest rule  root: 2 deep\n"
       "texts         1 bytes at most\n"
       "first bytes   2: 'a', 'b'\n",
       ""},
      {"one that a server refuses",
       {"explain", "-"},
       "root ::= root \"a\"",
       0,
       "rules         1\n"
       "bytes         18, without comments and layout\n"
       "longest rule  root: 17 bytes\n"
       "deepest rule  root: 2 deep\n"
       "errors        a server refuses it or hangs; see `pedrocli grammar check`\n",
       ""},
  });
}

TEST_CASE("grammar: the examples in docs/grammar.md match the output") {
  const RealFileSystem files;
  const auto page = files.read(PEDROCLI_SOURCE "/docs/grammar.md", 1 << 20);
  REQUIRE(page.ok());
  Program program;
  program.folder.write("project/person.json", kPerson);
  const std::string folder(folder_name(PEDROCLI_PROGRAM));
  const std::string begin = "```\n$ ";
  int shown = 0;
  for (std::size_t at = page->find(begin); at != page->npos; at = page->find(begin, at + 1)) {
    const std::size_t command = at + begin.size();
    const std::size_t output = page->find('\n', command) + 1;
    const std::string line = page->substr(command, output - command - 1);
    CAPTURE(line);
    Command shell{.argv = {"sh", "-c", line}, .folder = program.project()};
    shell.environment = program.environment();
    shell.environment["PATH"] = folder + ":/usr/bin:/bin";
    const auto result = program.processes.run(shell, program.cancel);
    REQUIRE(result.ok());
    CHECK(result->out + result->err == page->substr(output, page->find("```", output) - output));
    ++shown;
  }
  CHECK(shown == 3);
}

TEST_CASE("grammar: tools prints the calls of a phase") {
  Program program;
  const ProcessResult printed = program.run({"grammar", "tools", "-phase", "analyze"});
  CHECK(printed.exit_code == 0);
  CHECK(printed.err.empty());
  CHECK(printed.out.starts_with("root ::= \"{\\\"tool\\\": \\\"\" ("));
}

TEST_CASE("grammar: tools lists the phases, and narrows to a tool") {
  Program program;
  const ProcessResult list = program.run({"grammar", "tools"});
  CHECK(list.exit_code == 0);
  CHECK(split_lines(list.out).size() == 6);
  CHECK(list.out.starts_with("solve "));
  CHECK(list.err == "-phase NAME prints the grammar of one\n");
  const std::string rows = program.run({"grammar", "tools", "-json"}).out;
  for (const std::string_view line : split_lines(rows)) {
    const auto row = parse_json(line);
    REQUIRE(row.ok());
    const auto one = program.run({"grammar", "tools", "-phase", text_of(*row, "phase")});
    CHECK(number_of(*row, "bytes") == static_cast<long long>(one.out.size()));
    CHECK(number_of(*row, "rules") == static_cast<long long>(split_lines(one.out).size()));
  }
  const std::string all = program.run({"grammar", "tools", "-tool", "file"}).out;
  const std::string reading =
      program.run({"grammar", "tools", "-tool", "file", "-phase", "analyze"}).out;
  CHECK(all.find("write") != std::string::npos);
  CHECK(reading.starts_with("root ::= \"{\\\"tool\\\": \\\"file\\\", \\\"args\\\": \" file"));
  CHECK(reading.find("write") == std::string::npos);
  for (const std::string& grammar : {all, reading}) {
    CHECK(program.run({"grammar", "check", "-"}, grammar).exit_code == 0);
  }
}

TEST_CASE("grammar: tools prints a family's calls, and notes tokens that need a vocabulary") {
  struct FamilyRow {
    const char* format;
    const char* lead;
    const char* tokens;
    const char* holds;
  };
  for (const FamilyRow& row :
       {FamilyRow{"hermes", "<tool_call>\n{\"name\": \"", "", "\\\"arguments\\\": "},
        FamilyRow{"mistral-v13-tekken", "[TOOL_CALLS]", "[ARGS]", "[ARGS]\" file\n"},
        FamilyRow{"qwen3-coder", "<tool_call>\n<function=", "", "<parameter="},
        FamilyRow{"chatml", "{\"tool\": \"", "", "<<<RAW "}}) {
    CAPTURE(row.format);
    Program program;
    const ProcessResult json =
        program.run({"grammar", "tools", "-tool", "file", "-json", "-format", row.format});
    CAPTURE(json.out);
    CHECK(json.exit_code == 0);
    const auto printed = parse_json(json.out);
    REQUIRE(printed.ok());
    CHECK(text_of(*printed, "lead") == row.lead);
    std::vector<std::string> tokens;
    for (const Json& token : member(*printed, "tokens")) tokens.push_back(token.get<std::string>());
    CHECK(join(tokens, " ") == row.tokens);
    const std::string grammar = text_of(*printed, "grammar");
    CHECK(grammar.find(row.holds) != std::string::npos);
    CHECK(program.run({"grammar", "check", "-"}, grammar).exit_code == 0);
    const ProcessResult text =
        program.run({"grammar", "tools", "-tool", "file", "-format", row.format});
    CHECK(text.out == grammar);
    CHECK(text.err.starts_with("the reply already starts with: \""));
    CHECK((text.err.find("ids of the model's vocabulary") != std::string::npos) == !tokens.empty());
  }
}

TEST_CASE("grammar: a parameter's text may contain its closing tag, except before the call's end") {
  Program program;
  const std::string call =
      "file>\n<parameter=action>\nwrite\n</parameter>\n<parameter=path>\nconf.xml\n</parameter>\n"
      "<parameter=content>\n";
  const std::string end = "\n</parameter>\n";
  struct Case {
    std::string content;
    bool allowed;
  };
  const Case cases[] = {
      {R"(<parameter name="retries">3</parameter>)", true},
      {"<a>\n  <parameter name=\"x\">1</parameter>\n</a>", true},
      {"x = '</parameter>'", true},
      {"a</parameter> <parameter=path>\nb", false},
      {"a</parameter></function>\n</tool_call>", false},
      {"a</parameter>\n</function>\n</tool_call>", false},
      {"<parameter=path>", false},
  };
  for (const std::string format : {"qwen3-coder", "qwen3.5"}) {
    const ProcessResult grammar = program.run(
        {"grammar", "tools", "-tool", "file", "-phase", "implement", "-format", format});
    REQUIRE(grammar.exit_code == 0);
    program.folder.write("project/g.gbnf", grammar.out);
    for (const Case& row : cases) {
      CAPTURE(format);
      CAPTURE(row.content);
      const std::string text = call + row.content + end;
      CHECK(program.run({"grammar", "match", "g.gbnf", "-"}, text).exit_code == !row.allowed);
    }
  }
}

TEST_CASE("grammar: tools shows the project's own phases and names the ones not sent") {
  Program program;
  program.folder.write("project/.pedro/prompts/build/5-validate.md",
                       "---\nmode: unconstrained\noutput: build/plan.schema.json\n---\n");
  const ProcessResult result = program.run({"grammar", "tools", "-phase", "validate"});
  CHECK(result.exit_code == 0);
  CHECK(result.err ==
        "pedrocli: warning: this phase uses mode unconstrained; this grammar is not sent\n");
  CHECK(result.out.find("\\\"steps\\\"") != std::string::npos);
}

TEST_CASE("grammar: unusable input is named, with the exit code of its kind") {
  check_rows({
      {"unknown command",
       {"mach"},
       "",
       2,
       "",
       "pedrocli: unknown command 'grammar mach' (did you mean 'match'?); `pedrocli grammar -help` "
       "lists them\n"},
      {"unknown flag",
       {"match", "-strict"},
       "",
       2,
       "",
       "pedrocli: unknown flag '-strict'; `pedrocli grammar match -help` lists them\n"},
      {"unknown phase",
       {"tools", "-phase", "pla"},
       "",
       2,
       "",
       "pedrocli: no phase 'pla' (did you mean 'plan'?); there are: solve, analyze, plan, "
       "implement, "
       "validate, deliver\n"},
      {"unknown agent",
       {"tools", "-agent", "bild"},
       "",
       2,
       "",
       "pedrocli: no agent 'bild' (did you mean 'build'?); there are: ask, blog, build, debug, "
       "review, triage\n"},
      {"a tool that the phase has not",
       {"tools", "-phase", "deliver", "-tool", "git"},
       "",
       2,
       "",
       "pedrocli: phase deliver: no tool 'git'; there are: phase_complete\n"},
      {"a missing file",
       {"check", "nope"},
       "",
       2,
       "",
       "pedrocli: nope: No such file or directory\n"},
      {"a folder", {"explain", "."}, "", 2, "", "pedrocli: .: Is a directory\n"},
      {"no input",
       {"match", "ab.gbnf"},
       "",
       2,
       "",
       "pedrocli: input is required; see `pedrocli grammar match -help`\n"},
      {"standard input twice",
       {"match", "-", "-"},
       "",
       2,
       "",
       "pedrocli: only one of grammar and input can be standard input\n"},
      {"a grammar without a root",
       {"match", "no-root.gbnf", "-"},
       "a",
       3,
       "",
       "pedrocli: no-root.gbnf: there is no rule 'root'\n"},
      {"a grammar that cannot be parsed",
       {"match", "unknown.gbnf", "-"},
       "a",
       3,
       "",
       "pedrocli: unknown.gbnf:1:14: expected ']' to close the class, found the end of the "
       "grammar\n"
       "  root ::= \"a\" [\n"
       "               ^\n"},
  });
}

TEST_CASE("grammar: limits end with 2 or 6, not with memory or the stack") {
  Program program;
  write_grammar_files(program);
  const std::string long_grammar = "root ::= \"a\"\n#" + std::string(1 << 20, 'x');
  CHECK(program.run({"grammar", "check", "-"}, long_grammar).exit_code == 2);
  program.folder.write("project/nested.gbnf", "root ::= \"(\" root \")\" | \"\"\n");
  const ProcessResult deep =
      program.run({"grammar", "match", "nested.gbnf", "-"}, std::string(300'000, '('));
  CHECK(deep.exit_code == 6);
  CHECK(deep.err == "pedrocli: standard input: nested more than 200000 deep\n");
  std::string chain = "root ::= r0\n";
  for (int i = 0; i < 20'000; ++i)
    chain += "r" + std::to_string(i) + " ::= \"a\" r" + std::to_string(i + 1) + "\n";
  const ProcessResult long_chain =
      program.run({"grammar", "explain", "-"}, chain + "r20000 ::= \"b\"\n");
  CHECK(long_chain.exit_code == 0);
  CHECK(long_chain.out.find("texts         20001 bytes at most\n") != std::string::npos);
}

TEST_CASE("grammar: help teaches every command with an example") {
  Program program;
  const ProcessResult bare = program.run({"grammar"});
  CHECK(bare.exit_code == 2);
  CHECK(bare.out == program.run({"grammar", "-h"}).out);
  for (const char* command : {"tools", "from-schema", "check", "match", "explain"}) {
    CAPTURE(command);
    CHECK(bare.out.find(std::string("\n  ") + command + " ") != std::string::npos);
    const ProcessResult help = program.run({"help", "grammar", command});
    CHECK(help.exit_code == 0);
    CHECK(help.out.find(std::string("Usage: pedrocli grammar ") + command) != std::string::npos);
    CHECK(help.out.find("Example") != std::string::npos);
    CHECK(help.out == program.run({"grammar", command, "-h"}).out);
  }
}

TEST_CASE("grammar: completion offers its commands and their flags") {
  Program program;
  program.folder.write("project/try.sh",
                       "eval \"$(" PEDROCLI_PROGRAM
                       " completion bash)\"\n"
                       "COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); COMPREPLY=()\n"
                       "_pedrocli; echo \"${COMPREPLY[*]}\"\n");
  const auto completed = [&](std::vector<std::string> words) {
    Command command{.argv = {"bash", "try.sh", "pedrocli"}, .folder = program.project()};
    command.argv.insert(command.argv.end(), words.begin(), words.end());
    command.environment = program.environment();
    const auto result = program.processes.run(command, program.cancel);
    REQUIRE(result.ok());
    return result->err + result->out;
  };
  CHECK(completed({"gr"}) == "grammar\n");
  CHECK(completed({"grammar", "m"}) == "match\n");
  CHECK(completed({"grammar", "from-schema", "-s"}) == "-strict\n");
  CHECK(completed({"grammar", "tools", "-ph"}) == "-phase\n");
  CHECK(completed({"grammar", "match", "-ph"}) == "\n");
  CHECK(completed({"tools", "-ph"}) == "\n");
  CHECK(completed({"build", "-is"}) == "-issue\n");
  CHECK(program.run({"completion", "fish"})
            .out.find("complete -c pedrocli -n '__fish_seen_subcommand_from grammar; and "
                      "__fish_seen_subcommand_from from-schema' -o strict\n") != std::string::npos);
}

}  // namespace pedro
