#include "llm/server_refusal.h"

#include <doctest/doctest.h>

namespace pedro {

TEST_CASE("server refusal: the kind of error, by status and text") {
  struct Row {
    const char* name;
    int status;
    const char* body;
    ErrorKind kind;
    std::optional<Overflow> overflow;
  };
  for (const Row& row : {
           Row{"a key", 401, R"({"error":{"message":"m"}})", ErrorKind::kConfig, {}},
           Row{"a permission", 403, "{}", ErrorKind::kConfig, {}},
           Row{"an address or a model", 404, "<html>", ErrorKind::kConfig, {}},
           Row{"a route for other methods", 405, "", ErrorKind::kConfig, {}},
           Row{"a flag of the server's", 501, "{}", ErrorKind::kConfig, {}},
           Row{"a request that it does not like", 400, "{}", ErrorKind::kModel, {}},
           Row{"too much", 429, "{}", ErrorKind::kModel, {}},
           Row{"a failure", 500, "{}", ErrorKind::kModel, {}},
           Row{"llama-server's window", 400,
               R"({"error":{"code":400,"message":"m","type":"exceed_context_size_error",)"
               R"("n_prompt_tokens":1024,"n_ctx":1000}})",
               ErrorKind::kLimit, Overflow{1024, 1000}},
           Row{"the same as it was in 2025", 500,
               R"({"error":{"message":"m","type":"exceed_context_size_error"}})", ErrorKind::kLimit,
               Overflow{}},
           Row{"a sentence about it", 400,
               R"({"error":{"message":"This model's maximum context length is 9"}})",
               ErrorKind::kLimit, Overflow{0, 9}},
       }) {
    CAPTURE(row.name);
    const Error error = to_error(read_refusal(row.status, row.body), {"KEY", "is it there?"});
    CHECK(error.kind == row.kind);
    CHECK(error.overflow == row.overflow);
    CHECK(error.at("place").overflow == row.overflow);
  }
}

TEST_CASE("server refusal: what passes is no refusal for length") {
  struct Row {
    const char* body;
    bool passes;
  };
  for (const Row& row : {
           Row{R"({"error":{"code":429,"message":"m"}})", true},
           Row{R"({"error":{"code":"503","message":"m"}})", true},
           Row{R"({"error":{"type":"overloaded_error","message":"m"}})", true},
           Row{R"({"error":{"type":"rate_limit_error","message":"m"}})", true},
           Row{R"({"error":{"message":"Service temporarily unavailable"}})", true},
           Row{R"({"error":{"message":"The server is busy, try again later"}})", true},
           Row{R"({"error":{"code":400,"message":"kaputt"}})", false},
           Row{R"({"error":{"message":"jinja"}})", false},
       }) {
    CAPTURE(row.body);
    const ServerRefusal refusal = read_refusal(200, row.body);
    CHECK(is_passing(refusal) == row.passes);
    CHECK(may_be_length(refusal) == !row.passes);
  }
}

TEST_CASE("server refusal: FastAPI's details have their place") {
  struct Row {
    const char* body;
    const char* parameter;
    const char* message;
  };
  for (
      const Row& row : {
          Row{R"({"detail":[{"loc":["body","messages",2,"content"],"msg":"none is not allowed"}]})",
              "messages.2.content", "messages.2.content: none is not allowed"},
          Row{R"({"detail":[{"loc":["body"],"msg":"Field required"}]})", "", "Field required"},
          Row{R"({"message":{"detail":[{"loc":["body","x"],"msg":"no"}]}})", "x", "x: no"},
          Row{R"({"detail":"Not Found"})", "", "Not Found"},
          Row{R"({"detail":{"loc":["body","x"],"msg":"no"}})", "x", "x: no"},
          Row{R"({"text":"no","error_code":40303})", "", "no"},
          Row{R"({"error":{"message":"m","param":"p"},"detail":[{"loc":["q"],"msg":"r"}]})", "p",
              "m"},
      }) {
    CAPTURE(row.body);
    const ServerRefusal refusal = read_refusal(422, row.body);
    CHECK(refusal.parameter == row.parameter);
    CHECK(refusal.message == row.message);
  }
}

}  // namespace pedro
