// Reads any bytes as a reply, in every syntax, with and without known tools. Each call found must
// be a valid part of the reply, in order. Parsing the reply in pieces must give the same result.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/utf8.h"
#include "call_parser/call_parser.h"
#include "chat_format/callable_tools.h"
#include "fuzz/require.h"

namespace {

using namespace pedro;

constexpr std::string_view kTools = R"([
  {"name": "search", "parameters": {"type": "object", "additionalProperties": false,
    "required": ["pattern"], "properties": {"pattern": {"type": "string", "minLength": 1},
      "path": {"type": "string"}, "max_results": {"type": "integer", "minimum": 1}}}},
  {"name": "write", "parameters": {"type": "object", "required": ["path", "content"],
    "properties": {"path": {"type": "string"}, "content": {"type": "string"}}}},
  {"name": "set", "parameters": {"type": "object", "properties": {
    "values": {"type": "array", "items": {"type": "integer"}}, "options": {"type": "object"},
    "level": {"enum": ["low", "high"]}, "note": {"type": ["string", "null"]}}}},
  {"name": "done"}])";

std::string shown(const CallPart& part) {
  if (const auto* call = std::get_if<ParsedCall>(&part)) {
    return call->tool + " " + to_line(call->args) + " " + to_line(call->id);
  }
  return to_string(std::get<RejectedText>(part).problem);
}

ByteRange where(const CallPart& part) {
  return std::visit([](const auto& one) { return one.where; }, part);
}

bool same(const std::vector<CallPart>& a, const std::vector<CallPart>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return where(x) == where(y) && shown(x) == shown(y);
  });
}

void check(const std::vector<CallPart>& parts, const KnownTools& known, std::string_view reply) {
  std::size_t at = 0;
  for (const CallPart& part : parts) {
    const ByteRange range = where(part);
    require(at <= range.begin && range.begin <= range.end && range.end <= reply.size(), "a range",
            reply);
    at = range.begin;
    if (const auto* call = std::get_if<ParsedCall>(&part)) {
      require(call->args.is_object(), "arguments that are no object", reply);
      require(!known.check(call->tool, call->args), "a call that there is not", reply);
    } else {
      const CallProblem& problem = std::get<RejectedText>(part).problem;
      require(is_valid_utf8(to_string(problem)), "a reason that is no UTF-8", reply);
      require(!problem.expected.empty() && !problem.found.empty(), "a reason without words", reply);
      require(to_string(problem).size() <= 1400, "a long reason", reply);
    }
  }
}

// Parses the reply in pieces: of one byte, or with lengths derived from the reply.
std::vector<CallPart> in_pieces(std::string_view reply, CallSyntax syntax,
                                std::span<const CallBranch> branches, bool bytes) {
  CallParser parser(syntax, branches);
  for (std::size_t at = 0; at < reply.size();) {
    const std::size_t size = bytes ? 1 : 1 + static_cast<unsigned char>(reply[at]) % 7;
    parser.feed(reply.substr(at, size));
    at += size;
  }
  parser.finish();
  return parser.parts();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const CallableTools tools = *CallableTools::read(kTools);
  const std::string_view reply(reinterpret_cast<const char*>(data), size);
  for (const CallSyntax syntax : call_syntaxes()) {
    for (const auto branches : {tools.branches(), std::span<const CallBranch>()}) {
      const KnownTools known(branches);
      const std::vector<CallPart> whole = parse_calls(reply, syntax, branches);
      check(whole, known, reply);
      require(same(whole, in_pieces(reply, syntax, branches, true)), "bytes differ", reply);
      require(same(whole, in_pieces(reply, syntax, branches, false)), "pieces differ", reply);
    }
  }
  return 0;
}
