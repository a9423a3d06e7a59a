// Tests tests/data/bodies, in the form of tests/data/calls. The tool `edit` allows its texts `old`
// and `new` after the call; the tool `look` has no such texts.
#include "call_parser/raw_body.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "call_parser/call_examples.h"
#include "call_parser/call_parser.h"
#include "chat_format/format_family.h"
#include "support/read_file.h"

namespace pedro {
namespace {

namespace fs = std::filesystem;

Schema schema_of(const char* text) {
  auto schema = parse_schema(*parse_json(text));
  REQUIRE(schema.ok());
  return *std::move(schema);
}

struct Tools {
  Schema edit = schema_of(R"({"type": "object", "properties": {"path": {"type": "string"},
      "old": {"type": "string"}, "new": {"type": "string"}}, "required": ["path", "old", "new"]})");
  Schema look = schema_of(R"({"type": "object", "properties": {"path": {"type": "string"}}})");
  std::vector<CallBranch> branches = {{"edit", "", &edit, {"old", "new"}}, {"look", "", &look}};
};

// Converts parts to JSON, with byte ranges if `exactly`.
Json in_json(const std::vector<CallPart>& parts, bool exactly) {
  Json list = Json::array();
  for (const CallPart& part : parts) {
    Json json;
    if (const auto* call = std::get_if<ParsedCall>(&part)) {
      json = {{"tool", call->tool}, {"args", call->args}};
    } else {
      json = {{"rejected", to_string(std::get<RejectedText>(part).problem)}};
    }
    const ByteRange where = std::visit([](const auto& one) { return one.where; }, part);
    if (exactly) json["where"] = {where.begin, where.end};
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace

TEST_CASE("raw bodies: text after calls, whole and cut at every byte") {
  const Tools tools;
  std::size_t count = 0;
  for (const auto& file : fs::recursive_directory_iterator(fs::path(TEST_DATA) / "bodies")) {
    if (file.path().extension() != ".txt") continue;
    CAPTURE(file.path().string());
    ++count;
    const CallSyntax syntax = *call_syntax_of(file.path().parent_path().filename().string());
    const std::string reply = read_file(file.path());
    const auto expected = parse_json(read_file(fs::path(file.path()).replace_extension(".json")));
    REQUIRE(expected.ok());
    const auto whole = parse_calls(reply, syntax, tools.branches);
    CHECK(in_json(whole, false) == *expected);

    for (std::size_t cut = 0; cut <= reply.size(); ++cut) {
      CallParser parser(syntax, tools.branches);
      parser.feed(std::string_view(reply).substr(0, cut));
      parser.feed(std::string_view(reply).substr(cut));
      parser.finish();
      CAPTURE(cut);
      REQUIRE(in_json(parser.parts(), true) == in_json(whole, true));
    }
    CallParser parser(syntax, tools.branches);
    for (const char byte : reply) parser.feed({&byte, 1});
    parser.finish();
    CHECK(in_json(parser.parts(), true) == in_json(whole, true));
  }
  CHECK(count == 40);
}

TEST_CASE("raw bodies: they are text if no parameter is marked") {
  Tools tools;
  tools.branches[0].bodies.clear();
  const auto parts =
      parse_calls("{\"tool\": \"look\", \"args\": {\"path\": \"p\"}}\n<<<RAW path\nq\nRAW>>>",
                  CallSyntax::kJson, tools.branches);
  CHECK(in_json(parts, false) == *parse_json(R"([{"tool": "look", "args": {"path": "p"}}])"));
}

TEST_CASE("raw bodies: a text of many lines is read in one go") {
  const Tools tools;
  std::string text;
  for (int i = 0; i < 30'000; ++i) text += "RAW>>\n";
  CallParser parser(CallSyntax::kJson, tools.branches);
  parser.feed("{\"tool\": \"edit\", \"args\": {\"path\": \"p\", \"old\": \"\"}}\n<<<RAW new\n");
  for (std::size_t at = 0; at < text.size(); at += 3) parser.feed(text.substr(at, 3));
  parser.feed("RAW>>>");
  parser.finish();
  REQUIRE(parser.parts().size() == 1);
  CHECK(std::get<ParsedCall>(parser.parts()[0]).args["new"] == text.substr(0, text.size() - 1));
}

TEST_CASE("raw bodies: many blanks after a closing line are read in one go") {
  const Tools tools;
  const std::string text = "RAW>>>" + std::string(400'000, ' ') + "x\nRAW>>>y";
  CallParser parser(CallSyntax::kJson, tools.branches);
  parser.feed("{\"tool\": \"edit\", \"args\": {\"path\": \"p\", \"old\": \"\"}}\n<<<RAW new\n");
  for (std::size_t at = 0; at < text.size(); at += 3) parser.feed(text.substr(at, 3));
  parser.feed("\nRAW>>> \t\r\n");
  parser.finish();
  REQUIRE(parser.parts().size() == 1);
  CHECK(std::get<ParsedCall>(parser.parts()[0]).args["new"] == text);
}

}  // namespace pedro
