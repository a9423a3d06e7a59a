#pragma once

namespace CLI {
class App;
}

namespace pedro {

/// Names the values of all flags of a command and its subcommands: "DURATION" instead of CLI11's
/// "INT". A flag without a row in the table gets its own name in capitals: "BRANCH".
void name_flag_values(CLI::App& app);

}  // namespace pedro
