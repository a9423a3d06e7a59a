#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pedro {

/// The alphabet in which GPT-2, and all byte-level vocabularies after it, write bytes as printable
/// characters (https://github.com/openai/gpt-2, encoder.py, bytes_to_unicode): what is printable in
/// Latin-1 is itself, the other 68 bytes are U+0100 and on, so " \n" is "ĠĊ".

/// The byte that `code_point` is written for.
std::optional<char> byte_of_letter(char32_t code_point);

/// The character that is written for `byte`.
char32_t letter_of_byte(char byte);

/// The bytes that `text` is written for; nothing where a character of it is not in the alphabet or
/// it is not UTF-8. Never longer than `text`.
std::optional<std::string> bytes_of_letters(std::string_view text);

/// What llama.cpp's detokenizer makes of a text that bytes_of_letters() refuses: each character
/// that is not in the alphabet, and each byte that is not UTF-8 as U+FFFD, becomes
/// "[UNK_BYTE_0x" + its bytes as digits + the whole text + "]". No encoding leads to such a token.
/// Nothing where that is longer than `max_bytes`.
std::optional<std::string> bytes_as_llama_cpp(std::string_view text, std::size_t max_bytes);

/// The byte of "<0x0A>", as vocabularies of characters write the tokens that they fall back to.
std::optional<char> byte_of_name(std::string_view name);

}  // namespace pedro
