#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "call_parser/call_scan.h"

namespace pedro {

/// The tags of a syntax. The heads of calls and parameters end with '>'.
struct TagDialect {
  std::string_view blocks[2];  // around one or more calls; "" for none
  std::string_view block_ends[2];
  std::string_view call;
  std::string_view call_end;
  std::string_view parameter;
  std::string_view parameter_end;
  bool on_lines = false;    // a line end at each end of a value is not part of it
  bool is_token = false;    // other texts than calls do not contain the tags
  bool has_quotes = false;  // heads have quoted names, and perhaps string="true" or "false"
};

inline constexpr TagDialect kFunctionTags[] = {{
    .blocks = {kToolCall, kToolCall},
    .block_ends = {kToolCallEnd, kToolCallEnd},
    .call = "<function=",
    .call_end = "</function>",
    .parameter = "<parameter=",
    .parameter_end = "</parameter>",
    .on_lines = true,
}};

inline constexpr TagDialect kInvokeTags[] = {
    {.blocks = {"<minimax:tool_call>", "<function_calls>"},
     .block_ends = {"</minimax:tool_call>", "</function_calls>"},
     .call = "<invoke name=",
     .call_end = "</invoke>",
     .parameter = "<parameter name=",
     .parameter_end = "</parameter>",
     .has_quotes = true},
    {.blocks = {"<｜DSML｜tool_calls>", "<｜DSML｜function_calls>"},
     .block_ends = {"</｜DSML｜tool_calls>", "</｜DSML｜function_calls>"},
     .call = "<｜DSML｜invoke name=",
     .call_end = "</｜DSML｜invoke>",
     .parameter = "<｜DSML｜parameter name=",
     .parameter_end = "</｜DSML｜parameter>",
     .is_token = true,
     .has_quotes = true},
    {.blocks = {"<|DSML|tool_calls>", "<|DSML|function_calls>"},
     .block_ends = {"</|DSML|tool_calls>", "</|DSML|function_calls>"},
     .call = "<|DSML|invoke name=",
     .call_end = "</|DSML|invoke>",
     .parameter = "<|DSML|parameter name=",
     .parameter_end = "</|DSML|parameter>",
     .is_token = true,
     .has_quotes = true},
};

// The markers of each dialect: blocks, a call, the end of a parameter.
inline constexpr std::size_t kMarkersOfDialect = 4;

inline std::vector<std::string_view> markers_of(std::span<const TagDialect> dialects) {
  std::vector<std::string_view> all;
  for (const TagDialect& one : dialects) {
    all.insert(all.end(), {one.blocks[0], one.blocks[1], one.call, one.parameter_end});
  }
  return all;
}

}  // namespace pedro
