#include "messages_api/message_tokens.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "base/json.h"
#include "base/text.h"

namespace pedro {
namespace {

// Schemas are untrusted: a type at this depth is "any".
constexpr int kMostTypeDepth = 32;
// Only properties with a smaller indent, those of the top level, get descriptions.
constexpr int kMostDescribedIndent = 2;

constexpr long long kOpenAiMessage = 3;
constexpr long long kOpenAiName = 1;
constexpr long long kOpenAiCall = 3;
constexpr long long kOpenAiResult = -2;
constexpr long long kOpenAiReply = 3;
constexpr long long kOpenAiTools = 9;
constexpr long long kOpenAiToolsBesideSystem = -4;
constexpr long long kOpenAiNoTool = 1;
constexpr long long kOpenAiThisTool = 4;

constexpr long long kAnthropicRequest = 6;
constexpr long long kAnthropicMessage = 2;
constexpr long long kAnthropicTools = 549;
constexpr long long kAnthropicFurtherTool = 53;
constexpr long long kAnthropicFirstProperty = 13;
constexpr long long kAnthropicFurtherProperty = 12;

std::string type_of(const Json& schema, int indent, int depth);

std::string enum_of(const Json& values) {
  std::vector<std::string> texts;
  for (const Json& value : values) texts.push_back(to_line(value));
  return join(texts, " | ");
}

std::string properties_of(const Json& schema, int indent, int depth) {
  std::set<std::string> required;
  for (const Json& name : member(schema, "required")) {
    if (name.is_string()) required.insert(name.get<std::string>());
  }
  std::vector<std::string> lines;
  const std::string margin(static_cast<std::size_t>(indent), ' ');
  for (const auto& [name, property] : member(schema, "properties").items()) {
    const std::string description = text_of(property, "description");
    if (!description.empty() && indent < kMostDescribedIndent) {
      lines.push_back(fmt::format("{}// {}", margin, description));
    }
    lines.push_back(fmt::format("{}{}{}: {},", margin, name, required.contains(name) ? "" : "?",
                                type_of(property, indent, depth)));
  }
  return join(lines, "\n");
}

std::string type_of(const Json& schema, int indent, int depth) {
  const std::string type = text_of(schema, "type");
  if (depth >= kMostTypeDepth) return "any";
  const Json& values = member(schema, "enum");
  const bool has_values = values.is_array() && !values.empty();
  if (type == "string") return has_values ? enum_of(values) : "string";
  if (type == "integer" || type == "number") return has_values ? enum_of(values) : "number";
  if (type == "boolean" || type == "null") return type;
  if (type == "array") {
    const Json& items = member(schema, "items");
    return (items.is_object() ? type_of(items, indent, depth + 1) : "any") + "[]";
  }
  if (type != "object") return "any";
  return fmt::format("{{\n{}\n{}}}", properties_of(schema, indent + 2, depth + 1),
                     std::string(static_cast<std::size_t>(indent), ' '));
}

Json schema_of(const DeclaredTool& tool) {
  const Result<Json> schema = parse_json(tool.parameters);
  return schema && schema->is_object() ? *schema : Json::object();
}

long long sum_of_calls(const ChatMessage& message, const CountTokensOf& count, long long around) {
  long long tokens = 0;
  for (const RequestedCall& call : message.calls) {
    tokens += count(call.name) + count(call.arguments) + around;
  }
  return tokens;
}

class OpenAiTokens : public MessageTokens {
 public:
  explicit OpenAiTokens(CountTokensOf count) : count_(std::move(count)) {}

  long long of_message(const ChatMessage& message) const override {
    long long tokens = kOpenAiMessage + count_(to_string(message.role)) + count_(text_of(message)) +
                       sum_of_calls(message, count_, kOpenAiCall);
    if (message.name) tokens += kOpenAiName + count_(*message.name);
    if (message.role == Role::kTool) tokens += kOpenAiResult;
    return tokens;
  }

  long long of_the_rest(const ChatRequest& request) const override {
    long long tokens = kOpenAiReply;
    if (!request.tools.empty()) {
      tokens +=
          kOpenAiTools + count_(typescript_of(request.tools)) + beside_tools(request.messages);
    }
    const ToolChoice& choice = request.tool_choice;
    if (choice.kind == ToolChoice::Kind::kNone) tokens += kOpenAiNoTool;
    if (choice.kind == ToolChoice::Kind::kTool) tokens += kOpenAiThisTool + count_(choice.tool);
    return tokens;
  }

 private:
  // Tools follow the first system message on a new line.
  long long beside_tools(const std::vector<ChatMessage>& messages) const {
    for (const ChatMessage& message : messages) {
      if (message.role != Role::kSystem) continue;
      const std::string text = text_of(message);
      const bool ends_line = text.empty() || text.ends_with('\n');
      return kOpenAiToolsBesideSystem + (ends_line ? 0 : count_(text + '\n') - count_(text));
    }
    return 0;
  }

  CountTokensOf count_;
};

class AnthropicTokens : public MessageTokens {
 public:
  explicit AnthropicTokens(CountTokensOf count) : count_(std::move(count)) {}

  long long of_message(const ChatMessage& message) const override {
    return kAnthropicMessage + count_(text_of(message)) + sum_of_calls(message, count_, 0);
  }

  long long of_the_rest(const ChatRequest& request) const override {
    long long tokens = kAnthropicRequest;
    for (std::size_t i = 0; i < request.tools.size(); ++i) {
      tokens += (i == 0 ? kAnthropicTools : kAnthropicFurtherTool) + of_tool(request.tools[i]);
    }
    return tokens;
  }

 private:
  long long of_tool(const DeclaredTool& tool) const {
    long long tokens = count_(tool.name) + count_(tool.description);
    const Json schema = schema_of(tool);
    bool first = true;
    for (const auto& [name, property] : member(schema, "properties").items()) {
      tokens += std::exchange(first, false) ? kAnthropicFirstProperty : kAnthropicFurtherProperty;
      tokens += count_(name) + count_(text_of(property, "description"));
    }
    return tokens;
  }

  CountTokensOf count_;
};

// Weight of the newest ratio, and limits of the ratio. Limits the influence of a server that counts
// something else.
constexpr double kNewest = 0.5;
constexpr double kLeastRatio = 0.5;
constexpr double kMostRatio = 3;

}  // namespace

std::unique_ptr<MessageTokens> openai_message_tokens(CountTokensOf count) {
  return std::make_unique<OpenAiTokens>(std::move(count));
}

std::unique_ptr<MessageTokens> anthropic_message_tokens(CountTokensOf count) {
  return std::make_unique<AnthropicTokens>(std::move(count));
}

std::string typescript_of(std::span<const DeclaredTool> tools) {
  std::string text = "namespace functions {\n\n";
  for (const DeclaredTool& tool : tools) {
    const Json schema = schema_of(tool);
    if (!tool.description.empty()) text += fmt::format("// {}\n", tool.description);
    text += fmt::format("type {} = (", tool.name);
    const std::string properties = properties_of(schema, 0, 0);
    if (!properties.empty()) text += fmt::format("_: {{\n{}\n}}", properties);
    text += ") => any;\n\n";
  }
  return text + "} // namespace functions";
}

void PromptEstimate::begin_anew() {
  sums_ = {0};
  rest_ = -1;
  counted_messages_ = 0;
  counted_tokens_ = 0;
  reply_tokens_.reset();
}

long long PromptEstimate::of(const ChatRequest& request) {
  for (std::size_t i = sums_.size() - 1; i < request.messages.size(); ++i) {
    sums_.push_back(sums_.back() + tokens_->of_message(request.messages[i]));
  }
  if (rest_ < 0) rest_ = tokens_->of_the_rest(request);
  const std::size_t known = std::min(counted_messages_, sums_.size() - 1);
  const long long unknown = sums_.back() - sums_[known] + (known == 0 ? rest_ : 0);
  return counted_tokens_ + std::llround(ratio_ * static_cast<double>(unknown));
}

void PromptEstimate::counted(const ChatRequest& request, long long prompt_tokens,
                             long long generated_tokens) {
  reply_tokens_.reset();
  if (prompt_tokens <= 0) return;
  const long long estimated = sums_.back() + std::max(0LL, rest_);
  if (estimated > 0 && sums_.size() == request.messages.size() + 1) {
    const double ratio = static_cast<double>(prompt_tokens) / static_cast<double>(estimated);
    const double believed = has_ratio_ ? kNewest : 1;
    ratio_ += believed * (std::clamp(ratio, kLeastRatio, kMostRatio) - ratio_);
    has_ratio_ = true;
  }
  counted_tokens_ = prompt_tokens + generated_tokens;
  counted_messages_ = request.messages.size() + 1;
  reply_tokens_ = generated_tokens;
}

void PromptEstimate::withdraw() {
  if (!reply_tokens_) return;
  counted_tokens_ -= *reply_tokens_;
  --counted_messages_;
  reply_tokens_.reset();
}

}  // namespace pedro
