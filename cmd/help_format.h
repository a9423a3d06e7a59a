#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace pedro {

/// Formats help in the style of the documentation: "-issue TEXT", with one dash and the type of the
/// value only. The parser also accepts two dashes.
class HelpFormat : public CLI::Formatter {
 public:
  std::string make_option_name(const CLI::Option* option, bool is_positional) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
};

}  // namespace pedro
