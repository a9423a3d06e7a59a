#pragma once

#include <cstddef>
#include <string_view>

namespace pedro {

/// A data file compiled into the program; see cmake/EmbedFiles.cmake.
struct EmbeddedFile {
  std::string_view path;  ///< relative to the embedded folder, with '/'
  std::string_view bytes;
};

}  // namespace pedro
