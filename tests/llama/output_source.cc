#include "llama/output_source.h"

#include <array>

namespace pedro {
namespace {

// Qwen's vocabulary ends with its control tokens, starting with this one.
constexpr const char* kFirstControlToken = "<|endoftext|>";
constexpr std::array<const char*, 2> kEnds = {kFirstControlToken, "<|im_end|>"};
constexpr std::array<const char*, 12> kClosing = {"\"", "]",  "}",  "\"]", "\"}",  "}}",
                                                  "]}", "}]", "]]", "}}}", "\"}}", "\"]}"};

Error no_vocabulary(const std::string& why) {
  return Error{ErrorKind::kModel, "this is not the vocabulary that is expected: " + why};
}

}  // namespace

Result<HttpResponse> OutputSource::post(const std::string& path, const Json& body) {
  HttpRequest request;
  request.method = "POST";
  request.url = url_ + path;
  request.headers = {"Content-Type: application/json"};
  request.body = to_line(body);
  request.timeout_s = 180;
  return http_.send(request, {}, cancel_);
}

Result<std::vector<int>> OutputSource::tokens_of(const std::string& text) {
  const auto response = post("/tokenize", Json{{"content", text}});
  if (!response) return response.error();
  const auto json = parse_json(response->body);
  if (!json || response->status != 200) return no_vocabulary(response->body);
  return member(*json, "tokens").get<std::vector<int>>();
}

Status OutputSource::open() {
  std::vector<int> ends;
  for (const char* text : kEnds) {
    const auto tokens = tokens_of(text);
    if (!tokens) return tokens.error();
    if (tokens->size() != 1) return no_vocabulary(text);
    ends.push_back(tokens->front());
  }
  const auto models = http_.send(HttpRequest{.url = url_ + "/v1/models"}, {}, cancel_);
  if (!models) return models.error();
  const auto json = parse_json(models->body);
  if (!json || !member(*json, "data").is_array()) return no_vocabulary(models->body);
  const long long size = number_of(member(member(*json, "data").at(0), "meta"), "n_vocab");
  for (int token = ends[0]; token < size; ++token) {
    if (token != ends[0] && token != ends[1]) banned_.push_back(Json::array({token, false}));
  }
  for (const char* text : kClosing) {
    const auto tokens = tokens_of(text);
    if (!tokens) return tokens.error();
    if (tokens->size() == 1) closing_.push_back(tokens->front());
  }
  return {};
}

Result<Output> OutputSource::next(const OutputRequest& request) {
  Json bias = banned_;
  for (const int token : closing_) bias.push_back(Json::array({token, request.lean_to_end}));
  Json body{{"prompt", " "},         {"n_predict", request.max_tokens},
            {"temperature", 1.0},    {"seed", request.seed},
            {"cache_prompt", false}, {"logit_bias", std::move(bias)}};
  if (request.is_json_schema) {
    const auto schema = parse_json(request.constraint);
    if (!schema) return schema.error();
    body["json_schema"] = *schema;
  } else {
    body["grammar"] = request.constraint;
  }
  const auto response = post("/completion", body);
  if (!response) return response.error();
  Output output;
  output.status = response->status;
  output.text = response->body;
  if (response->status != 200) return output;
  const auto json = parse_json(response->body);
  if (!json) return json.error();
  output.text = text_of(*json, "content");
  output.ended = text_of(*json, "stop_type") == "eos";
  output.tokens = static_cast<int>(number_of(*json, "tokens_predicted"));
  output.ms_per_token = real_of(member(*json, "timings"), "predicted_per_token_ms");
  return output;
}

}  // namespace pedro
