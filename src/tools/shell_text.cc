#include "tools/shell_text.h"

#include "tools/shell_reader.h"

namespace pedro {

ShellText parse_shell_text(const NestedText& text) {
  if (text.text.size() > kMaxShellBytes) return {{}, {}, "it is longer than 64 KiB"};
  if (text.text.find('\0') != std::string::npos) return {{}, {}, "there is a NUL byte in it"};
  return ShellReader(text).read();
}

}  // namespace pedro
