#include "llm/cache_shift.h"

#include <algorithm>
#include <array>

#include "sys/mapped_file.h"
#include "tokenizer/gguf_file.h"

namespace pedro {
namespace {

// Keys of models with a recurrent state, without the prefix of the architecture.
constexpr std::array<std::string_view, 5> kStateKeys = {
    ".ssm.conv_kernel", ".ssm.state_size", ".wkv.head_size", ".shortconv.l_cache", ".kda.head_dim"};

}  // namespace

std::size_t kept_by_shift(std::span<const TokenId> cached, std::span<const TokenId> prompt,
                          std::size_t shortest) {
  const auto same_from = [&](std::size_t old, std::size_t at) {
    return static_cast<std::size_t>(
               std::mismatch(cached.begin() + static_cast<std::ptrdiff_t>(old), cached.end(),
                             prompt.begin() + static_cast<std::ptrdiff_t>(at), prompt.end())
                   .first -
               cached.begin()) -
           old;
  };
  std::size_t kept = same_from(0, 0);
  for (std::size_t old = kept; old < cached.size() && kept < prompt.size();) {
    const std::size_t run = same_from(old, kept);
    if (run >= shortest) {
      kept += run;
      old += run;
    } else {
      ++old;
    }
  }
  return kept;
}

bool has_no_state(const std::string& path) {
  const Result<MappedFile> file = MappedFile::open(path);
  if (!file) return false;
  const Result<GgufFile> model = GgufFile::open(file->bytes());
  if (!model || model->architecture().empty()) return false;
  return std::none_of(kStateKeys.begin(), kStateKeys.end(), [&](std::string_view key) {
    const auto value = model->integer(std::string(model->architecture()) + std::string(key));
    return !value || value->has_value();
  });
}

}  // namespace pedro
