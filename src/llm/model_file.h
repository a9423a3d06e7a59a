#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "sys/file_system.h"

namespace pedro {

/// The properties of a GGUF file with weights that decide how to serve it.
struct ModelFile {
  std::string path = {};
  std::string name = {};         ///< of the file, without ".gguf"
  std::uint64_t bytes = 0;       ///< of all parts of a split model
  long long trained_tokens = 0;  ///< context window of the training; 0: unknown
  bool has_template = false;     ///< a chat template
  /// Bytes of the KV cache for one token in f16. Counts layers with a sliding window as whole ones,
  /// so it can be too high. 0: unknown, or no such cache.
  std::uint64_t cache_bytes_per_token = 0;
};

/// Reads the metadata and the sizes of the parts. Errors (kUsage): not a GGUF file, no weights, or
/// a projector for images.
///
///     read_model_file(files, "qwen2.5-coder-0.5b.gguf")  // {.bytes = 491'400'064, …}
Result<ModelFile> read_model_file(const FileSystem& files, const std::string& path);

}  // namespace pedro
