// Tests the exact output and every exit code of `pedrocli format`. The vocabulary is a tekken file:
// all bytes, and the special tokens of every such file.
#include <span>

#include "base/json.h"
#include "base/text.h"
#include "cli/program.h"

namespace pedro {
namespace {

// Builds {"rank": 0, "token_bytes": "AA=="} and so on.
std::string tekken_file() {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string ranks = "!";
  ranks += " 0";
  for (std::size_t byte = 0; byte < 256; ++byte) {
    ranks += ' ';
    ranks += kDigits[byte >> 2];
    ranks += kDigits[(byte & 3) << 4];
    ranks += "==";
  }
  return R"({"config":{"pattern":"\\S+","default_vocab_size":296,"default_num_special_tokens":40},)"
         "\"bpe_ranks\":\"" +
         ranks + "\"}";
}

void write_files(const Program& program) {
  program.folder.write("project/bytes.json", tekken_file());
  program.folder.write("project/hi.json", R"({"messages":[{"role":"user","content":"Hi"}]})");
  program.folder.write("project/call.json", R"({"messages":[{"role":"user","content":"x</s>"},
      {"role":"assistant","tool_calls":[{"id":"call_1","function":{"name":"f","arguments":"{}"}}]},
      {"role":"tool","tool_call_id":"call_1","content":"4"}]})");
}

struct Row {
  std::string name;
  std::vector<std::string> args;  // after `format`
  std::string input;
  int exit_code;
  std::string out;
  std::string err;
};

void check_rows(Program& program, std::span<const Row> rows) {
  for (const Row& row : rows) {
    CAPTURE(row.name);
    std::vector<std::string> args = {"format"};
    args.insert(args.end(), row.args.begin(), row.args.end());
    const ProcessResult result = program.run(args, row.input);
    CHECK(result.exit_code == row.exit_code);
    CHECK(result.out == row.out);
    CHECK(result.err == row.err);
  }
}

}  // namespace

TEST_CASE("format: list, render") {
  Program program;
  write_files(program);
  const std::vector<std::string> nemo = {"render", "-format=mistral-v3-tekken"};
  const auto with = [](std::vector<std::string> args, std::initializer_list<const char*> more) {
    args.insert(args.end(), more.begin(), more.end());
    return args;
  };
  const std::string foreign_id =
      "pedrocli: not valid: messages[1]: an id of a call is nine ASCII letters and digits, got "
      "'call_1'\n";
  const Row rows[] = {
      {"prints the reference's text", with(nemo, {"hi.json"}), "", 0, "<s>[INST]Hi[/INST]\n", ""},
      {"reads standard input",
       {"render", "-format=mistral-v1", "-"},
       R"({"messages":[{"role":"user","content":"Hi"}]})",
       0,
       "<s> [INST] Hi [/INST]\n",
       ""},
      {"marks control tokens", with(nemo, {"-mark", "-"}),
       R"({"messages":[{"role":"user","content":"[INST]\u001b[2J"}]})", 0,
       "«<s>»«[INST]»[INST]\uFFFD[2J«[/INST]»\n", ""},
      {"prints ids", with(nemo, {"-ids", "-vocab=bytes.json", "hi.json"}), "", 0, "1 3 112 145 4\n",
       ""},
      {"prints ids as JSON", with(nemo, {"-ids", "-json", "-vocab=bytes.json", "hi.json"}), "", 0,
       "[1,3,112,145,4]\n", ""},
      {"prints parts as JSON", with(nemo, {"-json", "-map-call-ids", "call.json"}), "", 0,
       R"({"control":"<s>"}
{"control":"[INST]"}
{"text":"x</s>","content":[[0,5]]}
{"control":"[/INST]"}
{"control":"[TOOL_CALLS]"}
{"text":"[{\"name\": \"f\", \"arguments\": {}, \"id\": \"9gD2Dimct\"}]","content":[[10,13],[28,30],[38,49]]}
{"control":"</s>"}
{"control":"[TOOL_RESULTS]"}
{"text":"{\"content\": 4, \"call_id\": \"9gD2Dimct\"}","content":[[12,13],[26,37]]}
{"control":"[/TOOL_RESULTS]"}
)",
       ""},
      {"prints what is not valid, and why it is not", with(nemo, {"call.json"}), "", 1,
       "<s>[INST]x</s>[/INST][TOOL_CALLS][{\"name\": \"f\", \"arguments\": {}, \"id\": "
       "\"call_1\"}]</s>[TOOL_RESULTS]{\"content\": 4, \"call_id\": \"call_1\"}[/TOOL_RESULTS]\n",
       foreign_id},
      {"says why what cannot be written is not valid",
       {"render", "-format=mistral-v1", "call.json"},
       "",
       1,
       "",
       "pedrocli: not valid: this conversation cannot be written: the format has no calls\n"},
      {"uses tokens that old files do not name",
       {"render", "-format=mistral-v13-tekken", "-ids", "-vocab=bytes.json", "-"},
       R"({"messages":[{"role":"user","content":"x"},{"role":"assistant","prefix":true,"tool_calls":)"
       R"([{"id":"c","function":{"name":"f"}}]}]})",
       0,
       "1 3 160 4 9 142 32 163 165\n",
       ""},
      {"names a control token that the vocabulary lacks",
       {"render", "-format=mistral-v13-tekken", "-ids", "-vocab=bytes.json", "-"},
       R"({"messages":[{"role":"user","content":"x"},{"role":"assistant","reasoning":"h","content":"y"},)"
       R"({"role":"user","content":"x"}]})",
       2,
       "",
       "pedrocli: bytes: the vocabulary has no control token [THINK]: it is not one of the "
       "format's\n"},
      {"knows close formats",
       {"render", "-format=mistral-v4", "hi.json"},
       "",
       2,
       "",
       "pedrocli: no format is called 'mistral-v4' (did you mean 'mistral-v1'?): see `pedrocli "
       "format list`\n"},
      {"refuses what is no request", with(nemo, {"-"}), "{\"messages\":[{\"role\":\"root\"}]}", 2,
       "",
       "pedrocli: standard input: messages[0]: 1:22: expected \"system\", \"user\", \"assistant\" "
       "or \"tool\" as \"role\"\n"},
      {"names a file that is not there", with(nemo, {"nothing"}), "", 2, "",
       "pedrocli: nothing: No such file or directory\n"},
      {"prints a body of OpenAI's",
       {"render", "-format=openai", "call.json"},
       "",
       0,
       R"({"messages":[{"role":"user","content":"x</s>"},{"role":"assistant","content":null,"tool_calls":)"
       R"([{"id":"call_1","type":"function","function":{"name":"f","arguments":"{}"}}]},)"
       R"({"role":"tool","tool_call_id":"call_1","content":"4"}]})"
       "\n",
       ""},
      {"prints a body of Anthropic's, with ids that it takes",
       {"render", "-format=anthropic", "-map-call-ids", "-"},
       R"({"messages":[{"role":"user","content":"x"},{"role":"assistant","tool_calls":[{"id":"a.b",)"
       R"("function":{"name":"f","arguments":"{\"n\": 1.0}"}}]},)"
       R"({"role":"tool","tool_call_id":"a.b","content":"4"}]})",
       0,
       R"({"messages":[{"role":"user","content":[{"type":"text","text":"x"}]},{"role":"assistant",)"
       R"("content":[{"type":"tool_use","id":"Mt1Oagint","name":"f","input":{"n": 1.0}}]},)"
       R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"Mt1Oagint","content":)"
       R"([{"type":"text","text":"4"}]}]}]})"
       "\n",
       ""},
      {"says why messages are not valid",
       {"render", "-format=anthropic", "-"},
       R"({"messages":[{"role":"user","content":" "}]})",
       1,
       "{\"messages\":[]}\n",
       "pedrocli: not valid: messages: none has a text\n"},
      {"has no ids of messages",
       {"render", "-format=openai", "-ids", "hi.json"},
       "",
       2,
       "",
       "pedrocli: -ids cannot be used with format openai: the server makes the tokens of "
       "messages\n"},
      {"has no vocabulary of messages",
       {"render", "-format=openai", "-vocab=bytes.json", "hi.json"},
       "",
       2,
       "",
       "pedrocli: a vocabulary cannot be used with format openai: the server makes the tokens of "
       "messages\n"},
      {"has no marks in messages",
       {"render", "-format=anthropic", "-mark", "hi.json"},
       "",
       2,
       "",
       "pedrocli: -mark cannot be used with format anthropic: messages have no control tokens\n"},
      {"wants one vocabulary",
       with(nemo, {"-ids", "-vocab=bytes.json", "-server=http://127.0.0.1:1", "hi.json"}), "", 2,
       "", "pedrocli: only one of -vocab, -model and -server can be given\n"},
  };
  check_rows(program, rows);
  const ProcessResult list = program.run({"format", "list"});
  CHECK(list.exit_code == 0);
  CHECK(list.out.starts_with("mistral-v1          "));
  const ProcessResult json = program.run({"format", "list", "-json"});
  for (const std::string_view line : split_lines(json.out)) {
    const auto format = parse_json(line);
    REQUIRE(format.ok());
    CHECK(list.out.find("\n" + text_of(*format, "name") + " ") + 1 ==
          list.out.find(text_of(*format, "name") + " "));
  }
  CHECK(split_lines(json.out).size() == split_lines(list.out).size());
}

TEST_CASE("format: parse") {
  Program program;
  program.folder.write("project/tools.json", R"({"messages":[],"tools":[{"type":"function",
      "function":{"name":"f","parameters":{"type":"object","properties":{"n":{"type":"integer"}},
      "required":["n"]}}}]})");
  program.folder.write("project/bad_tools.json", R"([{"name":"f","parameters":{"type":7}}])");
  program.folder.write(
      "project/reply.txt",
      "Hi <tool_call>\n{\"name\": \"f\", \"arguments\": {\"n\": 1}}\n</tool_call>");
  const Row rows[] = {
      {"prints calls",
       {"parse", "-format=mistral-v3", "-tools=tools.json", "-"},
       R"(Look. [TOOL_CALLS][{"name": "f", "arguments": {"n": 1}, "id": "abcdefghi"}])",
       0,
       R"({"tool":"f","args":{"n":1},"id":"abcdefghi","bytes":[19,74]})"
       "\n",
       ""},
      {"takes every call where no tools are named",
       {"parse", "-format=mistral-v11-tekken", "-"},
       "[TOOL_CALLS]any[ARGS]{\"x\": \"\u202e\u009b\"}",
       0,
       R"({"tool":"any","args":{"x":"\u202e\u009b"},"bytes":[0,35]})"
       "\n",
       ""},
      {"prints what is rejected and goes on",
       {"parse", "-format=mistral-v11-tekken", "-tools=tools.json", "-"},
       R"([TOOL_CALLS]f[ARGS]{"n": "1"}[TOOL_CALLS]g[ARGS]{}[TOOL_CALLS]f[ARGS]{"n": 2}[TOOL_CALLS]f[)",
       1,
       R"({"rejected":"bad-arguments","place":"f: /n","expected":"an integer","found":"\"1\"","bytes":[0,29]}
{"rejected":"unknown-tool","place":"the tool's name","expected":"\"f\"","found":"\"g\"","bytes":[29,50]}
{"tool":"f","args":{"n":2},"bytes":[50,77]}
{"rejected":"not-a-call","place":"1:91","expected":"[ARGS] after the name","found":"\"[\" after \"[TOOL_CALLS]f\"","bytes":[77,91]}
)",
       ""},
      {"prints the calls of a body",
       {"parse", "-format=openai", "-tools=tools.json", "-"},
       R"({"choices":[{"message":{"content":"Hi","tool_calls":[{"id":"a","function":{"name":"f",)"
       R"("arguments":"{\"n\": 1}"}},{"id":"b","function":{"name":"f","arguments":"{\"n\": 1"}}]}}]})",
       1,
       R"({"tool":"f","args":{"n":1},"id":"a"}
{"rejected":"not-closed","place":"f: 1:8","expected":"',' or '}'","found":"the end of the reply"}
)",
       ""},
      {"prints the calls of a stream",
       {"parse", "-format=anthropic", "-tools=tools.json", "-"},
       "event: message_start\ndata: {\"type\":\"message_start\"}\n\n"
       "data: "
       "{\"type\":\"content_block_start\",\"content_block\":{\"type\":\"tool_use\",\"id\":\"a\","
       "\"name\":\"f\",\"input\":{\"n\":1}}}\n\n"
       "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\"}}\n\n",
       0,
       R"({"tool":"f","args":{"n":1},"id":"a"})"
       "\n",
       ""},
      {"says what is no answer",
       {"parse", "-format=openai", "-"},
       R"({"choices":7})",
       4,
       "",
       "pedrocli: standard input: reply: choices: 1:12: expected an array, got a number\n"},
      {"says what a server reported",
       {"parse", "-format=anthropic", "-"},
       R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}})",
       4,
       "",
       "pedrocli: standard input: reply: the server reports: overloaded_error: Overloaded\n"},
      {"finds nothing in plain text",
       {"parse", "-format=mistral-v3", "-tools=tools.json", "-"},
       "Hello.",
       0,
       "",
       ""},
      {"names a place in the tools",
       {"parse", "-format=mistral-v3", "-tools=bad_tools.json", "reply.txt"},
       "",
       2,
       "",
       "pedrocli: bad_tools.json: tools[0]/parameters/type: unknown type; there are object, "
       "array, string, integer, number, boolean, null\n"},
      {"wants tools",
       {"parse", "-format=mistral-v3", "-tools=-", "reply.txt"},
       "{}",
       2,
       "",
       "pedrocli: standard input: expected an array of at most 1000 tools, or a request with "
       "\"tools\"\n"},
      {"knows close formats",
       {"parse", "-format=mistral-v4", "reply.txt"},
       "",
       2,
       "",
       "pedrocli: no format is called 'mistral-v4' (did you mean 'mistral-v1'?): see `pedrocli "
       "format list`\n"},
      {"names a file that is not there",
       {"parse", "-format=mistral-v3", "nothing"},
       "",
       2,
       "",
       "pedrocli: nothing: No such file or directory\n"},
  };
  check_rows(program, rows);
}

}  // namespace pedro
