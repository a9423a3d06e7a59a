#include "tokenizer/scanner.h"

#include <cstring>

#include "tokenizer/scan_parts.h"
#include "tokenizer/scanners.h"

namespace pedro {
namespace {

const char* next_lines(const char* at, const char* end) {
  if (*at == '\n') {
    while (at != end && *at == '\n') ++at;
    return at;
  }
  const void* newline = std::memchr(at, '\n', static_cast<std::size_t>(end - at));
  return newline == nullptr ? end : static_cast<const char*>(newline);
}

const char* whole_text(const char*, const char* end) {
  return end;
}

struct NamedScanner {
  std::string_view name;
  ScanPieces reference;
  ScanPieces llama_cpp;
};

const NamedScanner kNamedScanners[] = {
    {"gpt2", kScanGpt2, kScanGpt2},
    {"cl100k", kScanCl100k, kScanLlama3InLlamaCpp},
    {"llama3", kScanLlama3, kScanLlama3InLlamaCpp},
    {"qwen2", kScanQwen2, kScanQwen2InLlamaCpp},
    {"qwen35", kScanQwen35, kScanQwen35InLlamaCpp},
    {"o200k", kScanO200k, kScanO200kInLlamaCpp},
    {"tekken", kScanTekken, kScanTekkenInLlamaCpp},
    {"deepseek3", kScanDeepseek3, kScanDeepseek3},
    {"starcoder", kScanStarcoder, kScanStarcoder},
    {"newlines", scan_by<next_lines>, scan_by<next_lines>},
    {"none", scan_by<whole_text>, scan_by<whole_text>},
};

}  // namespace

ScanPieces scanner_named(std::string_view name, Fidelity fidelity) {
  for (const NamedScanner& row : kNamedScanners) {
    if (row.name == name) {
      return fidelity == Fidelity::kReference ? row.reference : row.llama_cpp;
    }
  }
  return nullptr;
}

}  // namespace pedro
