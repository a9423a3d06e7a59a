#include <algorithm>
#include <limits>
#include <map>
#include <span>
#include <string_view>

#include "chat_format/message_text.h"
#include "chat_format/mistral_format.h"

namespace pedro {
namespace {

// Joins adjacent texts, also across messages.
std::vector<ContentChunk> joined(std::span<const ChatMessage> messages) {
  std::vector<ContentChunk> chunks;
  for (const ChatMessage& message : messages) {
    for (const ContentChunk& chunk : message.content) {
      const bool is_text = chunk.kind == ContentChunk::Kind::kText;
      if (is_text && chunk.text.empty()) continue;
      if (is_text && !chunks.empty() && chunks.back().kind == chunk.kind) {
        chunks.back().text += kEmptyLine;
        chunks.back().text += chunk.text;
      } else {
        chunks.push_back(chunk);
      }
    }
  }
  return chunks;
}

// Spells a missing id like the reference, so all missing ids are equal.
std::string or_absent(const std::string& id) {
  return id.empty() ? "null" : id;
}

std::string first_text(const std::vector<ContentChunk>& chunks) {
  return chunks.empty() ? "" : chunks.front().text;
}

// Joins messages of one role into one message.
ChatMessage joined_message(std::span<const ChatMessage> messages) {
  ChatMessage one;
  one.role = messages.front().role;
  one.content = joined(messages);
  for (const ChatMessage& message : messages) {
    one.calls.insert(one.calls.end(), message.calls.begin(), message.calls.end());
    one.prefix = one.prefix || message.prefix;
  }
  return one;
}

/// Joins each run of messages with the same role.
class RunJoiner {
 public:
  explicit RunJoiner(const MistralRules& rules) : rules_(rules) {}

  MistralTurns of(const ChatRequest& request) {
    const std::span<const ChatMessage> messages = request.messages;
    for (std::size_t begin = 0; begin < messages.size();) {
      std::size_t end = begin + 1;
      while (end < messages.size() && messages[end].role == messages[begin].role) ++end;
      add(messages.subspan(begin, end - begin));
      begin = end;
    }
    std::vector<ChatMessage>& turns = out_.messages;
    const bool lacks_user = rules_.begins_with_user && !turns.empty();
    if (turns.empty() || (lacks_user && turns.front().role != Role::kUser)) {
      turns.insert(turns.begin(), ChatMessage{});
    }
    return std::move(out_);
  }

 private:
  void add(std::span<const ChatMessage> run) {
    switch (run.front().role) {
      case Role::kSystem:
        for (const ChatMessage& message : run) add_system(message);
        break;
      case Role::kTool:
        add_results(run);
        break;
      case Role::kUser:
        out_.messages.push_back(joined_message(run));
        break;
      case Role::kAssistant:
        out_.messages.push_back(joined_message(run));
        for (const RequestedCall& call : out_.messages.back().calls) {
          place_of_call_[or_absent(call.id)] = calls_++;
        }
        break;
    }
  }

  void add_system(const ChatMessage& message) {
    ChatMessage one = message;
    one.content = joined(std::span(&message, 1));
    if (rules_.system == MistralRules::System::kInPlace) {
      out_.messages.push_back(std::move(one));
    } else if (!message.content.empty()) {
      if (has_system_) out_.system += kEmptyLine;
      has_system_ = true;
      out_.system += first_text(one.content);
    }
  }

  void add_results(std::span<const ChatMessage> run) {
    std::vector<ChatMessage> results(run.begin(), run.end());
    for (ChatMessage& result : results) {
      const ChatMessage whole = result;
      result.content = joined(std::span(&whole, 1));
    }
    if (rules_.results_in_order) sort(results);
    out_.messages.insert(out_.messages.end(), results.begin(), results.end());
    place_of_call_.clear();
  }

  // Sorts results by their calls. Results of unknown calls come last.
  void sort(std::vector<ChatMessage>& results) const {
    const auto place = [this](const ChatMessage& result) {
      const auto at = place_of_call_.find(or_absent(result.call_id.value_or("")));
      return at == place_of_call_.end() ? std::numeric_limits<std::size_t>::max() : at->second;
    };
    std::stable_sort(
        results.begin(), results.end(),
        [&](const ChatMessage& a, const ChatMessage& b) { return place(a) < place(b); });
  }

  const MistralRules& rules_;
  MistralTurns out_;
  bool has_system_ = false;
  std::size_t calls_ = 0;
  std::map<std::string, std::size_t> place_of_call_;  // since the last results
};

}  // namespace

MistralTurns mistral_turns(const MistralRules& rules, const ChatRequest& request) {
  return RunJoiner(rules).of(request);
}

}  // namespace pedro
