#pragma once

#include <vector>

#include "base/result.h"
#include "tokenizer/gguf_file.h"
#include "tokenizer/token_index.h"
#include "tokenizer/token_list.h"

namespace pedro {

/// Corrects token kinds by the tokens' texts, like llama.cpp after loading:
///   - ends of generation of any model ("<|im_end|>", "</s>") are control;
///   - one token for each fill-in-the-middle part is control, unless the file names one. If several
///     match, llama.cpp's choice is arbitrary; this function takes the lowest id;
///   - gpt-oss' "<|channel|>", "<|message|>", "<|start|>" and "<|constrain|>" are user-defined;
///   - so is "<|end|>" if "<|call|>" or "<|calls|>" exists, and "<|return|>" or "<|flush|>";
///   - "</s>" is normal if "<|tool_response>" exists.
/// `index` must contain the texts of the tokens as in the file. Errors (kConfig): an invalid key.
Status correct_gguf_kinds(const GgufFile& file, const TokenIndex& index, TokenList& tokens);

/// The special tokens that strip the white space after them. Only Phi-3 has them; llama.cpp detects
/// it by the model's name. Excludes "<unk>", "<s>" and "<|endoftext|>". Requires corrected kinds.
std::vector<TokenId> gguf_strip_behind(const GgufFile& file, const TokenList& tokens);

}  // namespace pedro
