// make_model VOCAB.gguf OUT.gguf [SEED [TEMPLATE.jinja [TOKEN…]]]
//
// TOKENs that the vocabulary lacks replace its padding tokens ("[PAD…]"), or are added after its
// last token. They are control tokens; the prefix '=' marks a user-defined token, and '^' a control
// token that ends a reply. The first TOKEN without a prefix begins a text (BOS), but is not added
// automatically; '+' marks a control token that is not BOS. With them a vocabulary can represent a
// family whose own vocabulary is not available.
//
// Writes a tiny qwen2 model with random weights around a real vocabulary. It gives the tests a real
// llama-server with real token ids: 64 wide, 2 layers, f16, 25 MB, loaded in a second. Its text is
// noise, made of real tokens.
//
// Equal arguments always give equal bytes: the generator uses only integers and exact scaling.
// Format: GGUF v2/v3 in, v3 out (ggml's docs/gguf.md), little-endian on every machine. The input
// may be hostile: every size and count is compared with the rest of the file before its use. Errors
// state the offset.

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace pedro {
namespace {

constexpr uint64_t kMaxInputBytes = 256u << 20;
constexpr uint64_t kMaxTokens = 1u << 20;
constexpr uint64_t kAlignment = 32;

// The shape of the model.
constexpr uint32_t kWidth = 64;
constexpr uint32_t kLayers = 2;
constexpr uint32_t kHeads = 4;
constexpr uint32_t kKvHeads = 2;
constexpr uint32_t kKvWidth = kWidth / kHeads * kKvHeads;
constexpr uint32_t kFeedForward = 128;
constexpr uint32_t kContextLength = 131072;

// GGUF value types.
enum ValueType : uint32_t {
  kUint32 = 4,
  kInt32 = 5,
  kFloat32 = 6,
  kBool = 7,
  kString = 8,
  kArray = 9,
  kLastValueType = 12,
};
constexpr std::array<uint8_t, kLastValueType + 1> kValueBytes = {1, 1, 2, 2, 4, 4, 4,
                                                                 1, 0, 0, 8, 8, 8};

// GGML tensor types.
enum TensorType : uint32_t { kF32 = 0, kF16 = 1 };

constexpr std::string_view kTokensKey = "tokenizer.ggml.tokens";
constexpr std::string_view kTokenTypeKey = "tokenizer.ggml.token_type";
constexpr std::string_view kScoresKey = "tokenizer.ggml.scores";
constexpr std::string_view kBosKey = "tokenizer.ggml.bos_token_id";
constexpr std::string_view kAddBosKey = "tokenizer.ggml.add_bos_token";
constexpr std::string_view kEosKey = "tokenizer.ggml.eos_token_id";
constexpr std::string_view kTemplateKey = "tokenizer.chat_template";
constexpr std::string_view kNameKey = "general.name";  // llama.cpp's tokenizer depends on it
constexpr std::string_view kTurnEnd = "<|im_end|>";
constexpr std::string_view kPadding = "[PAD";
constexpr int32_t kNormalToken = 1;
constexpr int32_t kControlToken = 3;
constexpr int32_t kUserDefinedToken = 4;

/// Reads the bytes of a file. The first error persists: later reads return zero or nothing. So
/// callers check ok() only in loops and at the end.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  bool ok() const { return error_.empty(); }
  const std::string& error() const { return error_; }
  uint64_t offset() const { return offset_; }
  uint64_t left() const { return bytes_.size() - offset_; }

  /// `what` describes the value in error messages, here and below.
  std::string_view take(uint64_t count, std::string_view what) {
    if (!ok()) return {};
    if (count > left()) {
      fail(offset_, "expected " + std::string(what) + " of " + std::to_string(count) +
                        " bytes, got the end of the file after " + std::to_string(left()));
      return {};
    }
    const std::string_view taken = bytes_.substr(offset_, count);
    offset_ += count;
    return taken;
  }

  template <class UInt>
  UInt number(std::string_view what) {
    UInt value = 0;
    int shift = 0;
    for (const char byte : take(sizeof(UInt), what)) {
      value |= static_cast<UInt>(static_cast<UInt>(static_cast<unsigned char>(byte)) << shift);
      shift += 8;
    }
    return value;
  }

  std::string_view text(std::string_view what) {
    const auto size = number<uint64_t>(what);
    return take(size, what);
  }

  void fail(uint64_t offset, const std::string& message) {
    if (ok()) error_ = "offset " + std::to_string(offset) + ": " + message;
  }

 private:
  std::string_view bytes_;
  uint64_t offset_ = 0;
  std::string error_;
};

/// The tokenizer part of a GGUF file. The views point into the file's bytes.
struct Vocabulary {
  std::map<std::string_view, std::string_view> metadata;  // key → type and value, unchanged
  std::vector<std::string_view> tokens;
  std::vector<int32_t> token_types;
  std::optional<uint32_t> bos;  // replaces the file's BOS
  std::optional<uint32_t> eos;
  uint64_t added = 0;    // added after the file's last token
  bool changed = false;  // tokens and types differ from `metadata`
};

/// Skips one value. Keeps the elements of the two arrays that the model needs.
void read_value(Reader& reader, std::string_view key, Vocabulary& vocabulary) {
  const uint64_t start = reader.offset();
  uint32_t type = reader.number<uint32_t>("a value type");
  uint64_t count = 1;
  if (type == kArray) {
    type = reader.number<uint32_t>("an element type");
    count = reader.number<uint64_t>("an array length");
  }
  if (type > kLastValueType || type == kArray) {
    return reader.fail(start, "value of '" + std::string(key) + "' has the unsupported type " +
                                  std::to_string(type));
  }
  const uint64_t least = type == kString ? 8 : kValueBytes[type];
  if (count > reader.left() / least) {
    return reader.fail(start, "array '" + std::string(key) + "' of " + std::to_string(count) +
                                  " elements is longer than the file");
  }
  if (type != kString && key != kTokenTypeKey) {
    reader.take(count * least, "a value");
    return;
  }
  for (uint64_t i = 0; i < count && reader.ok(); ++i) {
    if (type == kString) {
      const std::string_view text = reader.text("a string");
      if (key == kTokensKey) vocabulary.tokens.push_back(text);
    } else if (type == kInt32) {
      vocabulary.token_types.push_back(std::bit_cast<int32_t>(reader.number<uint32_t>("a type")));
    } else {
      return reader.fail(start, "expected '" + std::string(key) + "' to be an array of int32");
    }
  }
}

void read_vocabulary(Reader& reader, std::string_view bytes, Vocabulary& vocabulary) {
  if (reader.take(4, "the magic") != "GGUF") return reader.fail(0, "expected the magic 'GGUF'");
  const auto version = reader.number<uint32_t>("the version");
  if (version != 2 && version != 3) {
    return reader.fail(4, "expected GGUF version 2 or 3, got " + std::to_string(version));
  }
  reader.number<uint64_t>("the tensor count");
  const auto pairs = reader.number<uint64_t>("the metadata count");
  for (uint64_t i = 0; i < pairs && reader.ok(); ++i) {
    const uint64_t key_offset = reader.offset();
    const std::string_view key = reader.text("a key");
    const uint64_t value_offset = reader.offset();
    read_value(reader, key, vocabulary);
    if (!reader.ok() || (!key.starts_with("tokenizer.") && key != kNameKey)) continue;
    const auto value = bytes.substr(value_offset, reader.offset() - value_offset);
    if (!vocabulary.metadata.emplace(key, value).second) {
      reader.fail(key_offset, "key '" + std::string(key) + "' occurs twice");
    }
  }
  const uint64_t count = vocabulary.tokens.size();
  if (count == 0 || count > kMaxTokens) {
    reader.fail(reader.offset(), "expected 1 to " + std::to_string(kMaxTokens) + " tokens, got " +
                                     std::to_string(count));
  }
  if (vocabulary.token_types.size() != count) {
    reader.fail(reader.offset(), "expected a type for each of " + std::to_string(count) +
                                     " tokens, got " +
                                     std::to_string(vocabulary.token_types.size()));
  }
}

/// Little-endian output.
class Writer {
 public:
  template <class UInt>
  void number(UInt value) {
    for (size_t i = 0; i < sizeof(UInt); ++i) {
      bytes_.push_back(static_cast<char>(value >> (8 * i) & 0xff));
    }
  }
  void text(std::string_view text) {
    number<uint64_t>(text.size());
    bytes_ += text;
  }
  void raw(std::string_view bytes) { bytes_ += bytes; }
  void pad() { bytes_.resize((bytes_.size() + kAlignment - 1) / kAlignment * kAlignment); }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

/// Encodes a metadata value for GGUF: its type, then its bytes.
std::string encoded(uint32_t value) {
  Writer out;
  out.number<uint32_t>(kUint32);
  out.number(value);
  return out.bytes();
}
std::string encoded(float value) {
  Writer out;
  out.number<uint32_t>(kFloat32);
  out.number(std::bit_cast<uint32_t>(value));
  return out.bytes();
}
std::string encoded(bool value) {
  Writer out;
  out.number<uint32_t>(kBool);
  out.number<uint8_t>(value ? 1 : 0);
  return out.bytes();
}
std::string encoded(std::string_view value) {
  Writer out;
  out.number<uint32_t>(kString);
  out.text(value);
  return out.bytes();
}

std::string encoded(const std::vector<std::string_view>& texts) {
  Writer out;
  out.number<uint32_t>(kArray);
  out.number<uint32_t>(kString);
  out.number<uint64_t>(texts.size());
  for (const std::string_view text : texts) out.text(text);
  return out.bytes();
}
std::string encoded(const std::vector<int32_t>& values) {
  Writer out;
  out.number<uint32_t>(kArray);
  out.number<uint32_t>(kInt32);
  out.number<uint64_t>(values.size());
  for (const int32_t value : values) out.number(std::bit_cast<uint32_t>(value));
  return out.bytes();
}

/// Returns an array of the file with `count` more elements of 4 bytes, all 0.
std::string with_zeros(std::string_view array, uint64_t count) {
  Reader reader(array);
  Writer out;
  out.raw(reader.take(8, "types"));
  out.number<uint64_t>(reader.number<uint64_t>("a length") + count);
  out.raw(reader.take(reader.left(), "elements"));
  for (uint64_t i = 0; i < count; ++i) out.number<uint32_t>(0);
  return out.bytes();
}

/// Returns the index of a token: its present one, that of a padding token, or a new one.
size_t place_of(std::string_view text, Vocabulary& vocabulary) {
  auto& all = vocabulary.tokens;
  auto place = std::find(all.begin(), all.end(), text);
  if (place == all.end()) {
    place = std::find_if(all.begin(), all.end(),
                         [](std::string_view one) { return one.starts_with(kPadding); });
  }
  if (place != all.end()) return static_cast<size_t>(place - all.begin());
  all.emplace_back();
  vocabulary.token_types.push_back(kNormalToken);
  ++vocabulary.added;
  return all.size() - 1;
}

/// Adds `tokens` to the vocabulary. They must outlive it.
void add_tokens(const std::vector<std::string>& tokens, Vocabulary& vocabulary) {
  for (const std::string& token : tokens) {
    const bool user_defined = token.starts_with('=');
    const bool ends = token.starts_with('^');
    const bool has_sign = user_defined || ends || token.starts_with('+');
    const std::string_view text = std::string_view(token).substr(has_sign ? 1 : 0);
    const size_t place = place_of(text, vocabulary);
    vocabulary.tokens[place] = text;
    vocabulary.token_types[place] = user_defined ? kUserDefinedToken : kControlToken;
    const auto id = static_cast<uint32_t>(place);
    if (ends) {
      vocabulary.eos = id;
    } else if (!vocabulary.bos && !has_sign) {
      vocabulary.bos = id;
    }
    vocabulary.changed = true;
  }
}

/// Rounds to nearest, ties to even. Values that are too small become zero. Weights never overflow a
/// half.
uint16_t to_half(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  const uint32_t sign = bits >> 16 & 0x8000;
  const int32_t exponent = static_cast<int32_t>(bits >> 23 & 0xff) - 127 + 15;
  if (exponent <= 0) return static_cast<uint16_t>(sign);
  const uint32_t mantissa = bits & 0x7fffff;
  const uint32_t half = static_cast<uint32_t>(exponent) << 10 | mantissa >> 13;
  const uint32_t rest = mantissa & 0x1fff;
  const uint32_t up = rest > 0x1000 || (rest == 0x1000 && (half & 1) != 0) ? 1 : 0;
  return static_cast<uint16_t>(sign | (half + up));
}

/// Bell-shaped numbers with mean 0 and variance 1: the sum of four uniform ones. The standard
/// defines the output of mt19937_64, but not that of normal_distribution.
class Noise {
 public:
  explicit Noise(uint64_t seed) : engine_(seed) {}
  float next() {
    uint64_t bits = engine_();
    int32_t sum = -2 * 0xffff;
    for (int i = 0; i < 4; ++i, bits >>= 16) sum += static_cast<int32_t>(bits & 0xffff);
    return static_cast<float>(sum) * (1.0f / 37837.0f);  // the sum's standard deviation
  }

 private:
  std::mt19937_64 engine_;
};

/// A matrix or vector of the model. Each row is noise times `scale` times its gain, if there are
/// gains. A tensor with scale 0 contains ones (the norms).
struct Tensor {
  std::string name;
  TensorType type;
  uint64_t columns;
  uint64_t rows;  // 0: a vector
  float scale;
  std::vector<float> row_gains = {};

  uint64_t size_bytes() const { return columns * (rows == 0 ? 1 : rows) * (type == kF16 ? 2 : 4); }
};

/// The relative likelihood of each token. The output matrix is the embedding itself, so a longer
/// row has wider logits and wins more often. A quote then closes a string, and the end of the turn
/// ends a reply, after about ten tokens. Plain noise would continue for 150,000. Control and
/// padding tokens get short rows, so they never win.
std::vector<float> token_gains(const Vocabulary& vocabulary) {
  std::vector<float> gains(vocabulary.tokens.size(), 1.0f);
  for (size_t id = 0; id < gains.size(); ++id) {
    const std::string_view token = vocabulary.tokens[id];
    if (token == "\"" || (vocabulary.eos ? id == *vocabulary.eos : token == kTurnEnd)) {
      gains[id] = 4.0f;
    } else if (vocabulary.token_types[id] != kNormalToken) {
      gains[id] = 0.01f;
    }
  }
  return gains;
}

/// The layers' output far outweighs the token's own embedding. Otherwise the tied output would
/// select the last token again and repeat it forever. Large queries and keys let attention select
/// single positions, so the whole prompt affects the next token.
std::vector<Tensor> model_tensors(const Vocabulary& vocabulary) {
  std::vector<Tensor> tensors;
  const uint64_t n_tokens = vocabulary.tokens.size();
  tensors.push_back({"token_embd.weight", kF16, kWidth, n_tokens, 1.0f, token_gains(vocabulary)});
  for (uint32_t layer = 0; layer < kLayers; ++layer) {
    const std::string block = "blk." + std::to_string(layer) + ".";
    const auto norm = [&](const char* name) {
      tensors.push_back({block + name + ".weight", kF32, kWidth, 0, 0.0f});
    };
    const auto matrix = [&](const char* name, uint64_t in, uint64_t out, float scale) {
      tensors.push_back({block + name + ".weight", kF16, in, out, scale});
    };
    const auto bias = [&](const char* name, uint64_t size) {
      tensors.push_back({block + name + ".bias", kF32, size, 0, 0.1f});
    };
    norm("attn_norm");
    matrix("attn_q", kWidth, kWidth, 0.25f);
    bias("attn_q", kWidth);
    matrix("attn_k", kWidth, kKvWidth, 0.25f);
    bias("attn_k", kKvWidth);
    matrix("attn_v", kWidth, kKvWidth, 0.125f);
    bias("attn_v", kKvWidth);
    matrix("attn_output", kWidth, kWidth, 4.0f);
    norm("ffn_norm");
    matrix("ffn_gate", kWidth, kFeedForward, 0.25f);
    matrix("ffn_up", kWidth, kFeedForward, 0.125f);
    matrix("ffn_down", kFeedForward, kWidth, 4.0f);
  }
  tensors.push_back({"output_norm.weight", kF32, kWidth, 0, 0.0f});
  return tensors;
}

void write_tensor(const Tensor& tensor, Noise& noise, Writer& out) {
  const uint64_t rows = tensor.rows == 0 ? 1 : tensor.rows;
  for (uint64_t row = 0; row < rows; ++row) {
    const float gain = tensor.row_gains.empty() ? 1.0f : tensor.row_gains[row];
    for (uint64_t column = 0; column < tensor.columns; ++column) {
      const float value = tensor.scale == 0 ? 1.0f : noise.next() * tensor.scale * gain;
      if (tensor.type == kF16) {
        out.number(to_half(value));
      } else {
        out.number(std::bit_cast<uint32_t>(value));
      }
    }
  }
  out.pad();
}

std::map<std::string, std::string> model_metadata(const Vocabulary& vocabulary,
                                                  const std::string& chat_template) {
  std::map<std::string, std::string> metadata = {
      {"general.architecture", encoded(std::string_view("qwen2"))},
      {std::string(kNameKey), encoded(std::string_view("pedrocli tiny random qwen2"))},
      {"general.file_type", encoded(uint32_t{1})},  // mostly f16
      {"qwen2.block_count", encoded(kLayers)},
      {"qwen2.context_length", encoded(kContextLength)},
      {"qwen2.embedding_length", encoded(kWidth)},
      {"qwen2.feed_forward_length", encoded(kFeedForward)},
      {"qwen2.attention.head_count", encoded(kHeads)},
      {"qwen2.attention.head_count_kv", encoded(kKvHeads)},
      {"qwen2.attention.layer_norm_rms_epsilon", encoded(1e-6f)},
      {"qwen2.rope.freq_base", encoded(1e6f)},
  };
  for (const auto& [key, value] : vocabulary.metadata) metadata[std::string(key)] = value;
  // The vocabulary is that of a base model. A chat model ends its turns, not the text.
  for (size_t id = 0; id < vocabulary.tokens.size(); ++id) {
    if (vocabulary.tokens[id] == kTurnEnd) {
      metadata[std::string(kEosKey)] = encoded(static_cast<uint32_t>(id));
    }
  }
  if (vocabulary.changed) {
    metadata[std::string(kTokensKey)] = encoded(vocabulary.tokens);
    metadata[std::string(kTokenTypeKey)] = encoded(vocabulary.token_types);
  }
  if (const auto scores = vocabulary.metadata.find(kScoresKey);
      vocabulary.added > 0 && scores != vocabulary.metadata.end()) {
    metadata[std::string(kScoresKey)] = with_zeros(scores->second, vocabulary.added);
  }
  if (vocabulary.eos) metadata[std::string(kEosKey)] = encoded(*vocabulary.eos);
  if (vocabulary.bos) {
    metadata[std::string(kBosKey)] = encoded(*vocabulary.bos);
    metadata[std::string(kAddBosKey)] = encoded(false);
  }
  if (!chat_template.empty()) {
    metadata[std::string(kTemplateKey)] = encoded(std::string_view(chat_template));
  }
  return metadata;
}

std::string model_file(const Vocabulary& vocabulary, const std::string& chat_template,
                       uint64_t seed) {
  const auto metadata = model_metadata(vocabulary, chat_template);
  const auto tensors = model_tensors(vocabulary);
  Writer out;
  out.raw("GGUF");
  out.number<uint32_t>(3);
  out.number<uint64_t>(tensors.size());
  out.number<uint64_t>(metadata.size());
  for (const auto& [key, value] : metadata) {
    out.text(key);
    out.raw(value);
  }
  uint64_t offset = 0;
  for (const Tensor& tensor : tensors) {
    out.text(tensor.name);
    out.number<uint32_t>(tensor.rows == 0 ? 1 : 2);
    out.number<uint64_t>(tensor.columns);
    if (tensor.rows != 0) out.number<uint64_t>(tensor.rows);
    out.number<uint32_t>(tensor.type);
    out.number<uint64_t>(offset);
    offset += (tensor.size_bytes() + kAlignment - 1) / kAlignment * kAlignment;
  }
  out.pad();
  Noise noise(seed);
  for (const Tensor& tensor : tensors) write_tensor(tensor, noise, out);
  return out.bytes();
}

std::optional<std::string> read_file(const std::string& path) {
  std::error_code error;
  const uint64_t size = std::filesystem::file_size(path, error);
  if (error || size > kMaxInputBytes) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file.good() && !file.eof()) return std::nullopt;
  return bytes;
}

/// Writes a temporary file and renames it, so that no process reads an incomplete model.
bool write_file(const std::string& path, const std::string& bytes) {
  const std::string part = path + "." + std::to_string(std::random_device{}()) + ".part";
  std::ofstream file(part, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  std::error_code error;
  if (file.good()) {
    std::filesystem::rename(part, path, error);
    if (!error) return true;
  }
  std::filesystem::remove(part, error);
  return false;
}

int fail(const std::string& message) {
  std::fprintf(stderr, "make_model: %s\n", message.c_str());
  return 1;
}

int run(const std::vector<std::string>& arguments) {
  if (arguments.size() < 2) {
    std::fputs("usage: make_model VOCAB.gguf OUT.gguf [SEED [TEMPLATE.jinja [TOKEN…]]]\n", stderr);
    return 2;
  }
  uint64_t seed = 1;
  if (arguments.size() > 2) {
    const std::string& text = arguments[2];
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
    if (error != std::errc() || end != text.data() + text.size()) {
      return fail("expected a seed of 0 to 2^64-1, got '" + text + "'");
    }
  }
  std::string chat_template;
  if (arguments.size() > 3) {
    auto text = read_file(arguments[3]);
    if (!text || text->empty()) return fail(arguments[3] + ": expected a chat template");
    chat_template = std::move(*text);
  }
  const auto bytes = read_file(arguments[0]);
  if (!bytes) return fail(arguments[0] + ": expected a readable file of at most 256 MB");
  Reader reader(*bytes);
  Vocabulary vocabulary;
  read_vocabulary(reader, *bytes, vocabulary);
  if (!reader.ok()) return fail(arguments[0] + ": " + reader.error());
  const std::vector<std::string> tokens(arguments.begin() + std::min<size_t>(arguments.size(), 4),
                                        arguments.end());
  add_tokens(tokens, vocabulary);
  if (!write_file(arguments[1], model_file(vocabulary, chat_template, seed))) {
    return fail(arguments[1] + ": cannot be written");
  }
  return 0;
}

}  // namespace
}  // namespace pedro

int main(int argc, char** argv) {
  return pedro::run({argv + 1, argv + argc});
}
