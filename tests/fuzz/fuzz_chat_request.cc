// Reads any bytes as a chat request, and as JSON for Python. Every valid request is rendered in
// every format. The parts must be consistent, and JSON in them must be readable by Python. In
// message formats the result must be JSON with the same meaning.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <variant>

#include "base/json.h"
#include "base/utf8.h"
#include "chat_format/format_family.h"
#include "chat_format/python_json.h"
#include "fuzz/require.h"
#include "messages_api/message_format.h"
#include "messages_api/read_chat_request.h"

namespace {

using namespace pedro;

void check_text(const PromptText& text, std::string_view file) {
  require(!text.text.empty(), "an empty text", file);
  require(is_valid_utf8(text.text), "a text that is no UTF-8", file);
  std::size_t at = 0;
  for (const ByteRange& range : text.content) {
    const bool fits = range.begin < range.end && range.end <= text.text.size();
    require(fits && (range.begin > at || (at == 0 && range.begin == 0)), "a range", file);
    at = range.end;
  }
}

void check(const ChatRequest& request, std::string_view file) {
  for (const FormatFamily& family : format_families()) {
    const ChatRequest mapped = with_native_call_ids(family, request);
    const Status valid = check_conversation(family, mapped);
    require(valid.ok() || is_valid_utf8(valid.error().message), "a reason", file);
    const auto prompt = render_conversation(family, mapped);
    if (!prompt) continue;
    for (const PromptPart& part : prompt->parts) {
      if (const auto* text = std::get_if<PromptText>(&part)) check_text(*text, file);
    }
    require(to_text(*prompt).size() <= to_marked_text(*prompt).size(), "marks", file);
  }
}

void check_messages_of(const ChatRequest& request, std::string_view file) {
  for (const MessageFormatRow& row : message_formats()) {
    const ChatRequest mapped = with_native_call_ids(row.format, request);
    const Status valid = check_messages(row.format, mapped);
    require(valid.ok() || is_valid_utf8(valid.error().message), "a reason", file);
    const auto body = render_messages(row.format, mapped);
    require(body.ok() || !valid.ok(), "a valid conversation that cannot be written", file);
    if (!body) continue;
    require(parse_json(*body, {.max_depth = 300}).ok(), "a body that is no JSON", file);
    if (row.format != MessageFormat::kOpenAi) continue;
    const auto again = read_chat_request(*body);
    require(again.ok() && render_messages(row.format, *again).value() == *body, "another body",
            file);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view file(reinterpret_cast<const char*>(data), size);
  if (const auto request = read_chat_request(file)) {
    check(*request, file);
    check_messages_of(*request, file);
  } else {
    require(request.error().kind == ErrorKind::kUsage, "another error", file);
  }
  if (!is_valid_utf8(file)) return 0;
  if (const auto json = python_json(file)) {
    require(python_json(*json) == json, "it is not the same again", file);
  }
  return 0;
}
