#include "llm/model_file.h"

#include <algorithm>

#include "sys/mapped_file.h"
#include "tokenizer/gguf_file.h"

namespace pedro {
namespace {

constexpr std::string_view kSuffix = ".gguf";
// Limits for hostile files, so that products cannot overflow.
constexpr std::uint64_t kMaxLayers = 10'000;
constexpr std::uint64_t kMaxWidth = 1'000'000;
constexpr std::uint64_t kHalfFloatBytes = 2;
constexpr std::uint64_t kMaxTokenBytes = std::uint64_t{1} << 33;

std::uint64_t size_in(const GgufFile& file, std::string_view key, std::uint64_t fallback,
                      std::uint64_t limit) {
  const auto value = file.integer(std::string(file.architecture()) + std::string(key));
  const bool is_there = value && value->has_value();
  return std::min(is_there ? **value : fallback, limit);
}

// Returns the sum over all layers of the heads with keys and values. Hybrid models have a number
// for each layer.
std::uint64_t heads_in(const GgufFile& file, std::uint64_t layers, std::uint64_t heads) {
  const std::string key = std::string(file.architecture()) + ".attention.head_count_kv";
  const auto each = file.numbers(key);
  if (!each || !each->has_value()) {
    return layers * size_in(file, ".attention.head_count_kv", heads, kMaxWidth);
  }
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < (*each)->size() && i < kMaxLayers; ++i) {
    const float count = (*each)->real(i);
    if (count > 0) sum += static_cast<std::uint64_t>(std::min(count, 1e6F));  // NaN is not above 0
  }
  return sum;
}

std::uint64_t cache_bytes_in(const GgufFile& file) {
  const std::uint64_t layers = size_in(file, ".block_count", 0, kMaxLayers);
  const std::uint64_t heads = size_in(file, ".attention.head_count", 0, kMaxWidth);
  const std::uint64_t width = size_in(file, ".embedding_length", 0, kMaxWidth);
  const std::uint64_t usual = heads == 0 ? 0 : width / heads;
  const std::uint64_t key = size_in(file, ".attention.key_length", usual, kMaxWidth);
  const std::uint64_t value = size_in(file, ".attention.value_length", usual, kMaxWidth);
  const std::uint64_t bytes =
      heads_in(file, layers, heads) * std::min(key + value, kMaxWidth) * kHalfFloatBytes;
  return std::min(bytes, kMaxTokenBytes);
}

// Returns the bytes of a model that is split into "NAME-00001-of-00003.gguf" and so on. Missing
// parts do not count: the server reports them.
std::uint64_t bytes_of_parts(const FileSystem& files, const std::string& path) {
  constexpr std::size_t kNumberDigits = 5;
  const std::string_view name = base_name(path);
  const std::size_t of = name.rfind("-of-");
  const std::uint64_t alone = files.info(path).bytes;
  if (of == name.npos || of < kNumberDigits + 1) return alone;
  const std::string_view begin = name.substr(0, of - kNumberDigits);
  const std::string_view end = name.substr(of);
  const auto entries = files.list(std::string(folder_name(path)));
  if (!entries) return alone;
  std::uint64_t sum = 0;
  for (const FolderEntry& entry : *entries) {
    const bool is_part = entry.name.size() == name.size() && entry.name.starts_with(begin) &&
                         entry.name.ends_with(end);
    if (is_part) sum += files.info(join_path(folder_name(path), entry.name)).bytes;
  }
  return std::max(sum, alone);
}

}  // namespace

Result<ModelFile> read_model_file(const FileSystem& files, const std::string& path) {
  PEDRO_TRY(const MappedFile bytes, MappedFile::open(path));
  const Result<GgufFile> file = GgufFile::open(bytes.bytes());
  if (!file) return Error{ErrorKind::kUsage, file.error().message}.at(path);
  if (file->tensors() == 0) return usage_error(path + ": it has a vocabulary, but no weights");
  if (file->architecture() == "clip") {
    return usage_error(path + ": it converts images for a model; name the model itself");
  }
  ModelFile model;
  model.path = path;
  model.name = base_name(path);
  if (model.name.ends_with(kSuffix)) model.name.resize(model.name.size() - kSuffix.size());
  model.bytes = bytes_of_parts(files, path);
  model.trained_tokens = static_cast<long long>(
      std::min<std::uint64_t>(file->context_length().value_or(0), 1ULL << 40U));
  model.has_template = !file->chat_template().empty();
  model.cache_bytes_per_token = cache_bytes_in(*file);
  return model;
}

}  // namespace pedro
