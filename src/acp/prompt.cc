#include "acp/prompt.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/base64.h"
#include "base/text.h"
#include "base/utf8.h"
#include "sys/file_system.h"

namespace pedro::acp {
namespace {

constexpr std::size_t kShortestCutBytes = 400;

// Returns the path of a file URI relative to the session's folder, if it is below; else the URI.
std::string shown_uri(const std::string& uri, std::string_view cwd) {
  constexpr std::string_view kScheme = "file://";
  if (!uri.starts_with(kScheme)) return uri;
  const std::string path =
      percent_decoded(std::string_view(uri).substr(kScheme.size(), uri.find('#') - kScheme.size()));
  if (!is_below(path, cwd) || path.size() <= cwd.size() + 1) return path;
  return path.substr(cwd.size() + (cwd.ends_with('/') ? 0 : 1));
}

class PromptReader {
 public:
  explicit PromptReader(std::string_view cwd) : cwd_(cwd) {}

  // Returns the reason why a block cannot be used; "" if it was added.
  std::string add(const Json& block) {
    const std::string type = text_of(block, "type");
    if (type == "text" && member(block, "text").is_string()) {
      prompt_.text += text_of(block, "text");
    } else if (type == "resource_link" && member(block, "uri").is_string()) {
      prompt_.text += shown_uri(text_of(block, "uri"), cwd_);
    } else if (type == "resource" && member(member(block, "resource"), "text").is_string()) {
      const Json& resource = member(block, "resource");
      const std::string name = shown_uri(text_of(resource, "uri"), cwd_);
      prompt_.text += name;
      prompt_.material += fmt::format("{}:\n{}\n\n", name, text_of(resource, "text"));
    } else if (type == "image" && member(block, "data").is_string()) {
      return add_image(text_of(block, "data"));
    } else {
      return fmt::format(
          "expected a block of text, an image, a link or an embedded text, got \"{}\"",
          type.empty() ? block.type_name() : std::string(truncate_utf8(type, 40)));
    }
    return "";
  }

  Prompt take() {
    prompt_.text = make_printable(trim(prompt_.text));
    prompt_.material = make_printable(trim(prompt_.material));
    return std::move(prompt_);
  }

 private:
  // Takes the type from the bytes: it decides what a server accepts.
  std::string add_image(const std::string& data) {
    std::string bytes;
    if (!append_base64(bytes, data)) return "data: expected base64";
    Result<Image> image = image_of(std::move(bytes));
    if (!image) return image.error().message;
    if (prompt_.images.size() == ImageFolder::kMaxImages) {
      return fmt::format("a prompt has at most {} images", ImageFolder::kMaxImages);
    }
    prompt_.images.push_back(*std::move(image));
    return "";
  }

  std::string_view cwd_;
  Prompt prompt_;
};

json_rpc::RpcError prompt_error(std::string message) {
  return {json_rpc::kInvalidParams, "session/prompt: " + std::move(message)};
}

}  // namespace

std::variant<Prompt, json_rpc::RpcError> read_prompt(const Json& blocks, std::string_view cwd) {
  if (!blocks.is_array()) return prompt_error("prompt: expected a list of content blocks");
  PromptReader reader(cwd);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const std::string problem = reader.add(blocks[i]);
    if (!problem.empty()) return prompt_error(fmt::format("prompt/{}: {}", i, problem));
  }
  Prompt prompt = reader.take();
  if (prompt.text.empty()) return prompt_error("the prompt has no text");
  if (prompt.text.size() > kMaxPromptBytes) {
    return prompt_error(fmt::format(
        "the prompt has {} bytes of text, but the limit is {}; link a file of the project instead",
        prompt.text.size(), kMaxPromptBytes));
  }
  if (prompt.material.size() > kMaxMaterialBytes) {
    return prompt_error(
        fmt::format("the embedded files have {} bytes, but the limit is {}; link them instead",
                    prompt.material.size(), kMaxMaterialBytes));
  }
  return prompt;
}

std::pair<std::string, std::string> split_command(std::string_view text,
                                                  const std::vector<std::string>& names) {
  if (text.starts_with('/')) {
    const std::size_t end = std::min(text.find_first_of(" \n\t"), text.size());
    const std::string name(text.substr(1, end - 1));
    if (std::find(names.begin(), names.end(), name) != names.end()) {
      return {name, std::string(trim(text.substr(end)))};
    }
  }
  return {"", std::string(text)};
}

std::vector<Exchange> newest_exchanges(const std::vector<Exchange>& all, std::size_t max_bytes) {
  std::vector<Exchange> chosen;
  std::size_t left = max_bytes;
  for (auto at = all.rbegin(); at != all.rend() && left >= kShortestCutBytes; ++at) {
    Exchange one = *at;
    if (one.user.size() + one.agent.size() > left) {
      one.user = cut_middle(one.user, left / 2, "");
      one.agent = cut_middle(one.agent, left - std::min(left, one.user.size()), "");
    }
    left -= std::min(left, one.user.size() + one.agent.size());
    chosen.push_back(std::move(one));
  }
  std::reverse(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace pedro::acp
