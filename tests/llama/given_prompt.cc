#include "llama/given_prompt.h"

#include "chat_format/prompt_encoder.h"
#include "messages_api/read_chat_request.h"

namespace pedro {
namespace {

constexpr std::string_view kDay = "22 Nov 2026";  // kDate

}  // namespace

Given by_server(LlamaClient& client, const Json& conversation, Thinking thinking) {
  Json body = conversation;
  body.erase("name");
  body["chat_template_kwargs"] = {{"date_string", kDay},
                                  {"enable_thinking", thinking == Thinking::kOn}};
  const Result<Json> prompt = client.post("/apply-template", body);
  if (!prompt) return {"", {}, prompt.error().message};
  Given out;
  out.text = text_of(*prompt, "prompt");
  const Result<Json> ids = client.post(
      "/tokenize", {{"content", out.text}, {"add_special", false}, {"parse_special", true}});
  if (!ids) return {"", {}, ids.error().message};
  out.ids = member(*ids, "tokens").get<std::vector<TokenId>>();
  return out;
}

Given by_us(const FormatFamily& family, Tokenizer& tokenizer, const Json& conversation,
            std::string_view date) {
  Result<ChatRequest> request = read_chat_request(to_line(conversation));
  if (!request) return {"", {}, request.error().message};
  request->date = date;
  if (const Status valid = check_conversation(family, *request); !valid) {
    return {"", {}, valid.error().message};
  }
  const Result<Prompt> prompt = render_conversation(family, *request);
  if (!prompt) return {"", {}, prompt.error().message};
  const auto ids = encode_prompt(*prompt, tokenizer);
  if (!ids) return {"", {}, ids.error().message};
  return {to_text(*prompt), *ids, ""};
}

}  // namespace pedro
