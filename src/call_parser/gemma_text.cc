#include "call_parser/gemma_text.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/json.h"
#include "base/text.h"

namespace pedro {
namespace {

constexpr int kMaxGemmaDepth = 16;

using SortedMember = std::pair<std::string_view, const Json*>;

// Returns the members in the order of their names.
std::vector<SortedMember> sorted_members(const Json& object) {
  std::vector<SortedMember> members;
  if (!object.is_object()) return members;
  for (const auto& [name, value] : object.items()) members.emplace_back(name, &value);
  std::stable_sort(members.begin(), members.end(),
                   [](const SortedMember& a, const SortedMember& b) {
                     return to_lower(a.first) < to_lower(b.first);
                   });
  return members;
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  return text;
}

/// Writes values and schemas.
class GemmaWriter {
 public:
  GemmaText take() && { return std::move(texts_); }

  void text(std::string_view text) { texts_.back() += text; }
  void quoted(std::string_view text) {
    texts_.emplace_back(text);
    texts_.emplace_back();
  }

  enum class Keys { kPlain, kQuoted };

  void value(const Json& json, Keys keys, int depth = 0) {
    if (json.is_string()) return quoted(json.get_ref<const std::string&>());
    if (json.is_null()) return text("None");
    if (!json.is_structured()) return text(to_line(json));
    if (depth > kMaxGemmaDepth) return text(json.is_object() ? "{}" : "[]");
    const char* before = json.is_object() ? "{" : "[";
    if (json.empty()) text(before);
    if (json.is_array()) {
      for (const Json& item : json) {
        text(std::exchange(before, ","));
        value(item, keys, depth + 1);
      }
      return text("]");
    }
    for (const auto& [name, item] : sorted_members(json)) {
      text(std::exchange(before, ","));
      keys == Keys::kQuoted ? quoted(name) : text(name);
      text(":");
      value(*item, keys, depth + 1);
    }
    text("}");
  }

  void tool(const DeclaredTool& tool) {
    text("declaration:" + tool.name + "{description:");
    quoted(tool.description);
    const Result<Json> schema = parse_json(tool.parameters);
    if (schema && schema->is_object() && !schema->empty()) parameters(*schema);
    text("}");
  }

 private:
  void parameters(const Json& schema) {
    text(",parameters:{");
    const Json& listed = member(schema, "properties");
    if (listed.is_object() && !listed.empty()) {
      text("properties:{");
      properties(listed, 0);
      text("},");
    }
    if (!member(schema, "required").empty()) {
      required(member(schema, "required"));
      text(",");
    }
    const std::string type = text_of(schema, "type");
    if (type.empty()) return;
    text("type:");
    quoted(upper(type));
    text("}");
  }

  void required(const Json& names) {
    text("required:");
    value(names, Keys::kQuoted);
  }

  void properties(const Json& listed, int depth) {
    constexpr std::array<std::string_view, 5> kKeywords = {"description", "type", "properties",
                                                           "required", "nullable"};
    const char* before = "";
    for (const auto& [name, schema] : sorted_members(listed)) {
      if (std::find(kKeywords.begin(), kKeywords.end(), name) != kKeywords.end()) continue;
      text(std::exchange(before, ","));
      text(name);
      text(":{");
      property(*schema, depth);
      text("}");
    }
  }

  // Writes the parts of a property, each with a comma before it except the first one.
  void property(const Json& schema, int depth) {
    const char* before = "";
    const auto part = [&] { text(std::exchange(before, ",")); };
    const std::string description = text_of(schema, "description");
    const std::string type = upper(text_of(schema, "type"));
    if (!description.empty()) {
      part();
      text("description:");
      quoted(description);
    }
    if (type == "STRING" && !member(schema, "enum").empty()) {
      part();
      text("enum:");
      value(member(schema, "enum"), Keys::kQuoted);
    }
    const Json& of_items = member(schema, "items");
    if (type == "ARRAY" && of_items.is_object() && !of_items.empty()) {
      part();
      items(of_items, depth + 1);
    }
    if (truth_of(schema, "nullable")) {
      part();
      text("nullable:true");
    }
    if (type == "OBJECT") {
      part();
      text("properties:{");
      const Json& listed = member(schema, "properties");
      if (depth < kMaxGemmaDepth) properties(listed.is_object() ? listed : schema, depth + 1);
      text("}");
      if (!member(schema, "required").empty()) {
        part();
        required(member(schema, "required"));
      }
    }
    part();
    text("type:");
    quoted(type);
  }

  void items(const Json& schema, int depth) {
    const char* before = "items:{";
    for (const auto& [name, part] : sorted_members(schema)) {
      if (part->is_null()) continue;
      text(std::exchange(before, ","));
      if (name == "properties") {
        text("properties:{");
        if (depth < kMaxGemmaDepth) properties(*part, depth + 1);
        text("}");
      } else if (name == "required") {
        required(*part);
      } else {
        text(name);
        text(":");
        value(name == "type" && part->is_string() ? Json(upper(part->get<std::string>())) : *part,
              Keys::kQuoted);
      }
    }
    text("}");
  }

  GemmaText texts_{""};
};

}  // namespace

GemmaText gemma_value(std::string_view json) {
  const Result<Json> value = parse_json(json);
  GemmaWriter out;
  if (value) out.value(*value, GemmaWriter::Keys::kPlain);
  return std::move(out).take();
}

GemmaText gemma_tool(const DeclaredTool& tool) {
  GemmaWriter out;
  out.tool(tool);
  return std::move(out).take();
}

}  // namespace pedro
