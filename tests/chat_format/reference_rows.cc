#include "chat_format/reference_rows.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/json.h"
#include "base/text.h"
#include "chat_format/format_family.h"
#include "chat_format/prompt_encoder.h"
#include "messages_api/read_chat_request.h"
#include "support/read_file.h"

namespace pedro {
namespace {

Json parsed(std::string_view text) {
  const Result<Json> json = parse_json(text);
  REQUIRE_MESSAGE(json.ok(), json.error().message);
  return *json;
}

void add_result(const Json& json, ReferenceRow& row) {
  if (json.contains("valid")) row.valid = truth_of(json, "valid");
  if (member(json, "text").is_string()) row.text = text_of(json, "text");
  if (member(json, "ids").is_array()) row.ids = json["ids"].get<std::vector<TokenId>>();
}

// Converts a request in which the reference has already joined messages.
Json without_instruct_members(Json request) {
  if (const std::string system = text_of(request, "system_prompt"); !system.empty()) {
    Json& messages = request["messages"];
    const Json message = {{"role", "system"}, {"content", system}};
    messages.insert(messages.begin(), message);
  }
  if (request.contains("available_tools")) request["tools"] = request["available_tools"];
  for (Json& message : request["messages"]) {
    if (message["role"] != "tool" || !message["content"].is_array()) continue;
    std::string text;  // joined without separator, unlike in ordinary requests
    for (const Json& chunk : message["content"]) text += text_of(chunk, "text");
    message["content"] = text;
  }
  return request;
}

// Prints text like SentencePiece's reference: U+2581 for a space, and <0xNN> for bytes without a
// piece.
std::string as_printed(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == ' ') {
      out += "\u2581";
    } else if (byte < 0x20 || byte >= 0x7F) {
      out += fmt::format("<0x{:02X}>", byte);
    } else {
      out += c;
    }
  }
  return replace_all(out, "<0xE2><0x96><0x81>", "\u2581");
}

// Applies the same notation to printed text, which contains some characters as bytes.
std::string as_bytes(std::string_view printed) {
  std::string out;
  for (const char c : printed) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte >= 0x20 && byte < 0x7F;
    out += plain ? std::string(1, c) : fmt::format("<0x{:02X}>", byte);
  }
  return replace_all(out, "<0xE2><0x96><0x81>", "\u2581");
}

std::string first_difference(std::string_view expected, std::string_view got) {
  const auto at = static_cast<std::size_t>(
      std::mismatch(expected.begin(), expected.end(), got.begin(), got.end()).first -
      expected.begin());
  return fmt::format("from byte {} on: expected …{}, got …{}", at, expected.substr(at, 60),
                     got.substr(std::min(at, got.size()), 60));
}

std::string text_difference(const Prompt& prompt, const std::string& expected) {
  const std::string got = prompt.spaced ? as_printed(to_text(prompt)) : to_text(prompt);
  const std::string want = prompt.spaced ? as_bytes(expected) : expected;
  return got == want ? "" : "text " + first_difference(want, got);
}

// Older vocabularies have no fixed id for [THINK], so ids are not compared if it occurs.
bool thinks(const Prompt& prompt) {
  return std::any_of(prompt.parts.begin(), prompt.parts.end(), [](const PromptPart& part) {
    const auto* control = std::get_if<ControlToken>(&part);
    return control != nullptr && control->name == "[THINK]";
  });
}

std::string ids_difference(const Prompt& prompt, const std::vector<TokenId>& expected,
                           Tokenizer& tokenizer) {
  const auto ids = encode_prompt(prompt, tokenizer);
  if (!ids) return ids.error().message;
  if (*ids == expected) return "";
  return fmt::format("ids: expected {}, got {}", fmt::join(expected, " "), fmt::join(*ids, " "));
}

}  // namespace

std::vector<ReferenceRow> read_reference_rows(const std::string& path,
                                              const std::string& requests) {
  std::map<std::string, std::string> named;
  const std::string request_lines = requests.empty() ? "" : read_file(requests);
  for (const std::string_view line : split_lines(request_lines)) {
    const Json json = parsed(line);
    named[text_of(json, "name")] = to_line(member(json, "request"));
  }
  std::vector<ReferenceRow> rows;
  const std::string lines = read_file(path);
  for (const std::string_view line : split_lines(lines)) {
    const Json json = parsed(line);
    ReferenceRow row{text_of(json, "name"), text_of(json, "format"), "", {}, {}, {}};
    row.request = json.contains("request") ? to_line(json["request"]) : named[row.name];
    add_result(json, row);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<ReferenceRow> read_reference_vectors(const std::string& path) {
  const Json file = parsed(read_file(path));
  std::vector<ReferenceRow> rows;
  for (const Json& json : member(file, "expected")) {
    const std::string id = text_of(json, "id");
    ReferenceRow row{id, "mistral-" + text_of(json, "tokenizer"), "", {}, {}, {}};
    row.request = to_line(file["requests"][id]);
    add_result(json, row);
    rows.push_back(std::move(row));
  }
  for (const Json& json : member(file, "upstream_tests")) {
    const bool tekken = text_of(json, "tokenizer") == "Tekkenizer";
    ReferenceRow row{text_of(json, "source"),
                     "mistral-" + text_of(json, "version") + (tekken ? "-tekken" : ""),
                     "",
                     {},
                     {},
                     {}};
    const bool instruct = text_of(json, "input_kind") == "InstructRequest";
    const Json& request = member(json, "request");
    row.request = to_line(instruct ? without_instruct_members(request) : request);
    add_result(json, row);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string difference_from(const ReferenceRow& row, Tokenizer* tokenizer) {
  const auto family = find_format(row.format);
  if (!family) return family.error().message;
  const auto request = read_chat_request(row.request);
  if (!request) return request.error().message;
  const Status valid = check_conversation(**family, *request);
  const auto prompt = render_conversation(**family, *request);
  const bool good = valid.ok() && prompt.ok();
  if (row.valid && good != *row.valid) {
    return !good ? "we take it to be not valid: " + (valid ? prompt.error() : valid.error()).message
                 : "we take it to be valid";
  }
  if (!row.text) return "";
  if (!prompt) return prompt.error().message;
  if (std::string difference = text_difference(*prompt, *row.text); !difference.empty()) {
    return difference;
  }
  const bool with_ids = tokenizer != nullptr && row.ids && !thinks(*prompt);
  return with_ids ? ids_difference(*prompt, *row.ids, *tokenizer) : "";
}

}  // namespace pedro
