#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace pedro {

/// Help as this program's documentation writes it: "-issue TEXT", with one dash, and the kind of
/// value alone. (Two dashes are understood as well.)
class HelpFormat : public CLI::Formatter {
 public:
  std::string make_option_name(const CLI::Option* option, bool is_positional) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
};

}  // namespace pedro
