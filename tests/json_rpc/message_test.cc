#include "json_rpc/message.h"

#include <doctest/doctest.h>

#include <vector>

namespace pedro::json_rpc {
namespace {

std::string shown(const Message& message) {
  if (const auto* error = std::get_if<RpcError>(&message)) return response(*error);
  if (const auto* answer = std::get_if<Response>(&message)) {
    return "answer " + to_line(answer->id) + " " + to_line(answer->result);
  }
  const Call& call = std::get<Call>(message);
  return (call.is_notification() ? "notification " : "request " + to_line(call.id) + " ") +
         call.method + " " + to_line(call.params);
}

std::string error_text(int code, const std::string& message, const std::string& id = "null") {
  return R"({"jsonrpc":"2.0","id":)" + id + R"(,"error":{"code":)" + std::to_string(code) +
         R"(,"message":")" + message + R"("}})";
}

}  // namespace

TEST_CASE("messages: calls, answers, and the error for everything else") {
  struct Row {
    const char* frame;
    std::string expected;
  };
  for (const Row& row : std::vector<Row>{
           {R"({"jsonrpc":"2.0","id":1,"method":"a","params":{"b":2}})", R"(request 1 a {"b":2})"},
           {R"({"jsonrpc":"2.0","id":"x","method":"a"})", R"(request "x" a {})"},
           {R"({"jsonrpc":"2.0","method":"a","params":null})", "notification a {}"},
           {R"({"jsonrpc":"2.0","id":3,"result":{"c":1}})", R"(answer 3 {"c":1})"},
           {R"({"jsonrpc":"2.0","id":3,"error":{"code":1,"message":"m"}})", "answer 3 null"},
           {"{", error_text(-32700,
                            "1:2: syntax error while parsing object key - unexpected end of "
                            "input; expected string literal")},
           {"[]", error_text(-32600, "expected one JSON-RPC object in a line")},
           {"7", error_text(-32600, "expected one JSON-RPC object in a line")},
           {R"({"id":4,"method":"a"})", error_text(-32600, R"(jsonrpc: expected \"2.0\")", "4")},
           {R"({"jsonrpc":"2.0","id":null,"method":"a"})",
            error_text(-32600, "id: expected an integer or a string")},
           {R"({"jsonrpc":"2.0","id":1.5,"method":"a"})",
            error_text(-32600, "id: expected an integer or a string")},
           {R"({"jsonrpc":"2.0","id":5})", error_text(-32600, "method: expected a string", "5")},
           {R"({"jsonrpc":"2.0","id":6,"method":7})",
            error_text(-32600, "method: expected a string", "6")},
           {R"({"jsonrpc":"2.0","id":8,"method":"a","params":[1]})",
            error_text(-32602, "a: params: expected an object", "8")},
       }) {
    CAPTURE(row.frame);
    CHECK(shown(read_message(row.frame)) == row.expected);
  }
  CHECK(shown(read_message(std::string(200, '['))).find("-32700") != std::string::npos);
}

TEST_CASE("messages: written messages are read back unchanged") {
  CHECK(shown(read_message(request(9, "m", {{"a", 1}}))) == R"(request 9 m {"a":1})");
  CHECK(shown(read_message(notification("m", {{"a", "\xff\n"}}))) ==
        "notification m {\"a\":\"\uFFFD\\n\"}");
  CHECK(shown(read_message(response("x", Json::object()))) == R"(answer "x" {})");
}

}  // namespace pedro::json_rpc
