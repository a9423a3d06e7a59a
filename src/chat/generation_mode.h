#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace pedro {

/// How a reply that has to be a call is held to that. What a server cannot do is done without, in
/// the order of kGrammar, kSchema, kUnconstrained, and that is told; whatever comes is checked.
enum class GenerationMode {
  kUnconstrained,  ///< not at all: calls are found in free text
  kGrammar,        ///< by a grammar of ours, as far as there is none by the server's own tools
  kSchema,         ///< by a JSON Schema that the server makes a grammar of
  kHybrid          ///< as kGrammar; a reply that fails that way is asked for as free text
};

namespace generation_mode {
inline constexpr std::array<std::string_view, 4> kNames = {"unconstrained", "grammar", "schema",
                                                           "hybrid"};
}  // namespace generation_mode

constexpr std::string_view to_string(GenerationMode mode) {
  return generation_mode::kNames[static_cast<std::size_t>(mode)];
}

/// Nothing of another text.
constexpr std::optional<GenerationMode> parse_generation_mode(std::string_view text) {
  for (std::size_t i = 0; i < generation_mode::kNames.size(); ++i) {
    if (generation_mode::kNames[i] == text) return static_cast<GenerationMode>(i);
  }
  return std::nullopt;
}

}  // namespace pedro
