#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace pedro {

/// Formats help in the style of the documentation: "-issue ISSUE", with one dash and the name of
/// the value. Examples of the command are at the end. The parser also accepts two dashes.
class HelpFormat : public CLI::Formatter {
 public:
  std::string make_option_name(const CLI::Option* option, bool is_positional) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
  std::string make_footer(const CLI::App* app) const override;
};

/// Names the values of all flags of a command and its subcommands: "DURATION" instead of CLI11's
/// "INT". A flag without a row in the table gets its own name in capitals: "BRANCH".
void name_flag_values(CLI::App& app);

}  // namespace pedro
