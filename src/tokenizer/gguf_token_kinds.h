#pragma once

#include <vector>

#include "base/result.h"
#include "tokenizer/gguf_file.h"
#include "tokenizer/token_index.h"
#include "tokenizer/token_list.h"

namespace pedro {

/// Changes kinds of tokens as llama.cpp does after it has read them, going by their text:
///   - what ends a turn in some model ("<|im_end|>", "</s>") is control;
///   - of the tokens for filling in the middle, control is the first that is found for each part,
///     unless the file names one. Where several are there, which one is "first" is chance in
///     llama.cpp; here it is the lowest id;
///   - gpt-oss' "<|channel|>", "<|message|>", "<|start|>" and "<|constrain|>" are user-defined, and
///     "<|end|>" where "<|return|>" and "<|call|>" (or "<|calls|>" and "<|flush|>") are there too;
///   - "</s>" is normal where "<|tool_response>" is there.
/// `index` is of the tokens' texts as they stand in the file.
Status correct_gguf_kinds(const GgufFile& file, const TokenIndex& index, TokenList& tokens);

/// Special tokens that take the white space behind them: those of Phi-3, which llama.cpp knows by
/// the model's name, all but "<unk>", "<s>" and "<|endoftext|>". Of tokens whose kinds are correct.
std::vector<TokenId> gguf_strip_behind(const GgufFile& file, const TokenList& tokens);

}  // namespace pedro
