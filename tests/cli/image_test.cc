// Tests -image end to end, with servers whose models take images, or do not.
#include <fmt/format.h>

#include "base/base64.h"
#include "base/json.h"
#include "base/text.h"
#include "cli/program.h"
#include "cli/replies.h"
#include "support/loopback_server.h"

namespace pedro {
namespace {

const std::string kPng = std::string("\x89PNG\r\n\x1a\n", 8) + "pixels";

std::string stream_of(const Json& delta) {
  const Json piece = {{"choices", {{{"index", 0}, {"delta", delta}, {"finish_reason", nullptr}}}}};
  const Json end = {
      {"choices", {{{"index", 0}, {"delta", Json::object()}, {"finish_reason", "stop"}}}},
      {"usage", {{"prompt_tokens", 100}, {"completion_tokens", 20}}}};
  return "data: " + to_line(piece) + "\n\ndata: " + to_line(end) + "\n\ndata: [DONE]\n\n";
}

std::string call_of(const std::string& tool, const Json& args) {
  const Json function = {{"name", tool}, {"arguments", to_line(args)}};
  return stream_of(
      {{"tool_calls",
        {{{"index", 0}, {"id", "c1"}, {"type", "function"}, {"function", function}}}}});
}

// Answers questions, and describes images if it is asked as another model than "m".
LoopbackReply reply_to(const LoopbackRequest& request, const std::string& models) {
  if (request.target == "/v1/models") return {.body = models};
  if (request.target != "/v1/chat/completions") return {.status = 404, .body = "{}"};
  const Json body = *parse_json(request.body);
  const std::vector<std::string> header = {"Content-Type: text/event-stream"};
  if (member(body, "tools").size() == 1) {
    return {.headers = header, .body = call_of("ready", Json::object())};
  }
  if (text_of(body, "model") != "m") {
    return {.headers = header, .body = stream_of({{"content", "A red square."}})};
  }
  return {.headers = header, .body = call_of("phase_complete", {{"answer", "Red."}})};
}

struct Seen : Program {
  explicit Seen(const std::string& models)
      : server([models](const LoopbackRequest& request) { return reply_to(request, models); }) {
    commit_project_with_file();
  }
  void commit_project_with_file() {
    folder.write("project/a.txt", "a\n");
    commit_project();
  }
  ProcessResult ask(const std::vector<std::string>& more) {
    std::vector<std::string> args = {"ask",        "Which colour?", "-backend", "openai",
                                     "-model-url", server.url(""),  "-model",   "m"};
    args.insert(args.end(), more.begin(), more.end());
    return run(args);
  }
  // The bodies of requests to a model that have this text.
  int bodies_with(const std::string& model, const std::string& text) const {
    int count = 0;
    for (const LoopbackRequest& request : server.requests()) {
      const auto body = parse_json(request.body);
      if (!body || text_of(*body, "model") != model) continue;
      if (request.target != "/v1/chat/completions") continue;  // counts tokens
      if (request.body.find(text) != std::string::npos) ++count;
    }
    return count;
  }

  LoopbackServer server;
};

constexpr const char* kOnlyText =
    R"({"data":[{"id":"m","max_model_len":16000,"capabilities":["completion"]}]})";
constexpr const char* kSees =
    R"({"data":[{"id":"m","max_model_len":16000,"architecture":{"input_modalities":["text","image"]}}]})";
constexpr const char* kOtherSees =
    R"({"data":[{"id":"m","max_model_len":16000,"capabilities":["completion"]},
        {"id":"eye","max_model_len":16000,"capabilities":["completion","multimodal"]}]})";

const std::string kData = "data:image/png;base64," + to_base64(kPng);

}  // namespace

TEST_CASE("image: a model with vision gets the picture with the question") {
  Seen bench(kSees);
  const std::string path = bench.folder.write("shot.png", kPng);
  const ProcessResult result = bench.ask({"-image", path});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.out == "Red.\n");
  CHECK(bench.bodies_with("m", kData) == 1);
  CHECK(bench.bodies_with("m", "shot.png: [image ") == 1);
  const std::string job = text_of(*parse_json(bench.run({"status", "-json"}).out), "id");
  const ProcessResult later = bench.run({"ask", "And now?", "-after", job, "-backend", "openai",
                                         "-model-url", bench.server.url(""), "-model", "m"});
  CAPTURE(later.err);
  CHECK(later.exit_code == 0);
  CHECK(bench.bodies_with("m", kData) == 2);  // the picture belongs to the conversation
  CHECK(bench.ask({"-image", path, "-after", job}).exit_code == 2);
}

TEST_CASE("image: another model of the server describes it for a model without vision") {
  Seen bench(kOtherSees);
  const std::string path = bench.folder.write("shot.png", kPng);
  const ProcessResult result = bench.ask({"-image", path});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.out == "Red.\n");
  CHECK(result.err.find("the model eye describes an image") != std::string::npos);
  CHECK(bench.bodies_with("eye", kData) == 1);
  CHECK(bench.bodies_with("m", "base64") == 0);
  CHECK(bench.bodies_with("m", "A red square.") == 1);
  CHECK(bench.bodies_with("m", "[description of the image ") == 1);
}

TEST_CASE("image: without a model for it, and for other files, the job does not start") {
  Seen bench(kOnlyText);
  const std::string path = bench.folder.write("shot.png", kPng);
  const ProcessResult blind = bench.ask({"-image", path});
  CHECK(blind.exit_code == 4);
  CHECK(blind.err.find("no model there takes images") != std::string::npos);
  CHECK(bench.files_below("state/pedrocli/jobs").empty());
  struct Row {
    std::string file;
    const char* error;
  };
  for (const Row& row : std::vector<Row>{
           {bench.folder.write("a.svg", "<svg/>"), "expected a PNG, JPEG, GIF or WebP file"},
           {bench.folder.at("none.png"), "none.png"},
           {bench.folder.at("project"), "project"}}) {
    CAPTURE(row.file);
    const ProcessResult refused = bench.ask({"-image", row.file});
    CHECK(refused.exit_code == 2);
    CHECK(refused.err.find(row.error) != std::string::npos);
  }
}

}  // namespace pedro
