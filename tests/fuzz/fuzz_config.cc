// Reads any bytes as the .pedrocli.json of a project. It must be rejected with a location, or every
// setting must have an allowed value and a source. A second read must give the same result.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/utf8.h"
#include "config/load.h"
#include "config/show.h"
#include "fuzz/require.h"

namespace {

using namespace pedro;

constexpr const char* kFile = "/project/.pedrocli.json";

std::string shown(const LoadedConfig& loaded) {
  std::string text = render_config(loaded, ShowOrigin::kYes);
  for (const std::string& warning : loaded.warnings) text += warning + "\n";
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view file(reinterpret_cast<const char*>(data), size);
  FakeFileSystem files;
  files.folders["/project"] = true;
  files.files[kFile] = std::string(file);
  const Environment environment;
  const ConfigSources sources{files, environment, "/project"};
  const auto loaded = load_config(sources);
  if (!loaded) {
    require(loaded.error().kind == ErrorKind::kConfig, "another kind of error", file);
    const std::string& message = loaded.error().message;
    require(message.starts_with(".pedrocli.json") || message.starts_with(kFile), "no place", file);
    return 0;
  }
  require(shown(*loaded) == shown(*load_config(sources)), "it differs the second time", file);
  require(is_valid_utf8(shown(*loaded)), "settings that are no UTF-8", file);
  return 0;
}
