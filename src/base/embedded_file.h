#pragma once

#include <cstddef>
#include <string_view>

namespace pedro {

/// A data file that was compiled into the program; see cmake/EmbedFiles.cmake.
struct EmbeddedFile {
  std::string_view path;  ///< below the folder it was embedded from, with '/'
  std::string_view bytes;
};

}  // namespace pedro
