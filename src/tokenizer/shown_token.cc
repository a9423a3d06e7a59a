#include "tokenizer/shown_token.h"

#include <fmt/format.h>

#include "base/json.h"
#include "base/utf8.h"

namespace pedro {

std::string shown_token(std::string_view bytes) {
  std::string out = "\"";
  while (!bytes.empty()) {
    const std::size_t size = utf8_sequence_length(bytes);
    if (size == 0) {
      out += fmt::format("\\x{:02X}", static_cast<unsigned char>(bytes[0]));
      bytes.remove_prefix(1);
    } else {
      const std::string inner = to_line(Json(bytes.substr(0, size)));
      out += std::string_view(inner).substr(1, inner.size() - 2);
      bytes.remove_prefix(size);
    }
  }
  return make_printable(out + "\"");
}

}  // namespace pedro
