#include "policy/plain_commands.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "base/text.h"
#include "support/read_file.h"
#include "support/temp_folder.h"
#include "sys/process.h"

using namespace pedro;
using namespace pedro::policy;

namespace {

using Commands = std::vector<CommandWords>;

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

/// Returns all lines of up to `most` of the parts.
std::vector<std::string> all_lines(const std::vector<std::string>& parts, std::size_t most) {
  std::vector<std::string> lines = {""};
  for (std::size_t begin = 0, round = 0; round < most; ++round) {
    const std::size_t end = lines.size();
    for (; begin < end; ++begin) {
      for (const std::string& part : parts) lines.push_back(lines[begin] + part);
    }
  }
  return lines;
}

/// Returns the calls "<a><b>" of the function `a` that a shell makes for each line.
std::vector<std::vector<std::string>> calls_made(const std::string& shell,
                                                 const std::vector<std::string>& lines) {
  TempFolder folder;
  std::string input;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    input += "run " + std::to_string(i) + " " + quoted_for_shell(lines[i]) + "\n";
  }
  const std::string script = folder.write(
      "script",
      "exec 9>calls </dev/null >/dev/null 2>&1\n"
      "a() { t=; for w; do t=\"$t<$w>\"; done; printf '%s <a>%s\\036' $n \"$t\" >&9; }\n"
      "run() { n=$1; (eval \"$2\"); }\n" +
          input);
  RealProcessRunner processes;
  const auto ran = processes.run({.argv = {shell, script}, .folder = folder.path()}, CancelToken());
  REQUIRE(ran.ok());
  std::vector<std::vector<std::string>> calls(lines.size());
  const std::string written = read_file(folder.at("calls"));
  for (const std::string_view line : split(written, '\036')) {
    const std::size_t blank = line.find(' ');
    if (blank == line.npos) continue;  // after the last call
    calls.at(std::stoul(std::string(line.substr(0, blank)))).emplace_back(line.substr(blank + 1));
  }
  return calls;
}

std::string shown_call(const CommandWords& command) {
  std::string text;
  for (const std::string& word : command) text += "<" + word + ">";
  return text;
}

}  // namespace

TEST_CASE("plain commands: words, quotes, lists, pipelines, line ends and redirections") {
  struct Row {
    const char* line;
    Commands commands;
  };
  const Row rows[] = {
      {"", {}},
      {"ls -l src", {{"ls", "-l", "src"}}},
      {"a && b || c; d | e\nf", {{"a"}, {"b"}, {"c"}, {"d"}, {"e"}, {"f"}}},
      {"a&&b||c;d|e", {{"a"}, {"b"}, {"c"}, {"d"}, {"e"}}},
      {"a &&\n\n b", {{"a"}, {"b"}}},
      {"r'm' -rf x", {{"rm", "-rf", "x"}}},
      {"\"r\"m \"a b\" 'c $d'", {{"rm", "a b", "c $d"}}},
      {"\\rm a\\ b \\$x", {{"rm", "a b", "$x"}}},
      {"r\\\nm x \\\n y", {{"rm", "x", "y"}}},
      {"a \"b\\\"c\\\\d\\e\\\nf\"", {{"a", "b\"c\\d\\ef"}}},
      {"a '' \"\"", {{"a", "", ""}}},
      {"'' x", {{"", "x"}}},
      {"a 'b\nc'", {{"a", "b\nc"}}},
      {"a 'x # y' --b='*' c^d x=y !z", {{"a", "x # y", "--b=*", "c^d", "x=y", "!z"}}},
      {"make -k 2>&1 | tail -5", {{"make", "-k"}, {"tail", "-5"}}},
      {"a >out 2>>'e r r' <in b 2>/dev/null", {{"a", "b"}}},
      {"a 2 >b x2>c '2'>d", {{"a", "2", "x2", "2"}}},
      {">out rm x", {{"rm", "x"}}},
      {"a >&2; b 2>&-; c <&0", {{"a"}, {"b"}, {"c"}}},
      {"git commit -m \"\xc3\xa9\"", {{"git", "commit", "-m", "\xc3\xa9"}}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.line);
    const auto commands = plain_commands(row.line);
    REQUIRE(commands.has_value());
    CHECK(*commands == row.commands);
  }
}

TEST_CASE("plain commands: other lines are not plain") {
  const std::string lines[] = {"$X",
                               "echo $X",
                               "echo \"$X\"",
                               "echo \"a$\"",
                               "${X}",
                               "$(rm x)",
                               "echo \"$(rm x)\"",
                               "`rm x`",
                               "echo \"`rm x`\"",
                               "$'r\\x6d' x",
                               "$\"rm\" x",
                               "echo $((1+1))",
                               "<(rm x)",
                               "a >(rm x)",
                               "ls *",
                               "ls a?",
                               "ls [a]",
                               "[ -f a ]",
                               "[[ -f a ]]",
                               "{ rm x; }",
                               "{rm,x}",
                               "a {}",
                               "~/rm",
                               "a ~",
                               "a --b=~",
                               "(rm x)",
                               "f() { rm x; }",
                               "function f",
                               "if a; then b; fi",
                               "! rm x",
                               "for a in b; do c; done",
                               "while a; do b; done",
                               "until a",
                               "case a in b) c;; esac",
                               "time rm x",
                               "coproc rm x",
                               "select a in b",
                               "then rm x",
                               "do rm x",
                               "X=1 rm x",
                               "X+=1 rm",
                               "X=1",
                               "'X'=1 a",
                               ">out X=1 a",
                               "a=",
                               "PATH=. ls",
                               "rm x # y",
                               "# y",
                               "a#b",
                               "rm x &",
                               "a & b",
                               "a |& b",
                               "a &> b",
                               "a &>> b",
                               "a >& b",
                               "a >&1b",
                               "a > & b",
                               "a >",
                               "a > | b",
                               "a > ; b",
                               "a > > b",
                               "a >| b",
                               "a <> b",
                               "a > \n b",
                               "a >&",
                               "a >&'1'",
                               "a ;; b",
                               "cat <<E\nrm x\nE",
                               "cat <<<a",
                               "cat <<-E",
                               "cat <\\\n<E",
                               "a >\\\n>b",
                               "a '",
                               "a \"",
                               "a \"\\",
                               "a \\",
                               "a\rb",
                               "rm x\r\n",
                               "a\vb",
                               "a\fb",
                               "a\x01",
                               "a\x7f",
                               "\\\t",
                               "rm\xc2\xa0x",
                               "rm\xe3\x80\x80x",
                               "\xc3\xa9",
                               "\\\xc3\xa9",
                               "a 'b\xff'",
                               "a \xc3",
                               std::string("a\0b", 3),
                               std::string("a 'b\0'", 6),
                               std::string("\0", 1),
                               std::string(kMaxPlainBytes, ' ') + "a",
                               repeated("a ", kMaxPlainWords + 1),
                               repeated("a;", kMaxPlainWords + 1),
                               repeated("$(", 5000),
                               repeated("'", 5001)};
  for (const std::string& line : lines) {
    CAPTURE(line.substr(0, 40));
    CHECK_FALSE(plain_commands(line).has_value());
  }
  CHECK(plain_commands(std::string(kMaxPlainBytes - 1, ' ') + "a").has_value());
  CHECK(plain_commands(repeated("a ", kMaxPlainWords)).has_value());
}

TEST_CASE("plain commands: bash and sh run no other command of a plain line") {
  // `a` is a function of the script; all lines of up to five parts.
  const std::vector<std::string> parts = {"a", " ", "'", "\"", "\\", "\n", ";", "&", "|",
                                          ">", "<", "2", "=",  "#",  "$",  "(", ")", "!"};
  std::vector<std::string> lines;
  for (std::string& line : all_lines(parts, 4)) {
    if (line.find('a') != line.npos && plain_commands(line)) lines.push_back(std::move(line));
  }
  REQUIRE(lines.size() > 2000);
  for (const std::string shell : {"bash", "sh"}) {
    CAPTURE(shell);
    const auto calls = calls_made(shell, lines);
    std::size_t made = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      CAPTURE(lines[i]);
      std::vector<std::string> listed;
      const auto commands = plain_commands(lines[i]);
      for (const CommandWords& command : *commands) {
        listed.push_back(shown_call(command));
      }
      for (const std::string& call : calls[i]) {
        CHECK(std::count(listed.begin(), listed.end(), call) > 0);
        ++made;
      }
    }
    CHECK(made > 500);
  }
}
