#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pedro {

/// The byte alphabet of GPT-2 and all later byte-level vocabularies: a printable character for each
/// byte. Source: https://github.com/openai/gpt-2, encoder.py, bytes_to_unicode. Printable Latin-1
/// bytes are themselves; the other 68 bytes are U+0100 and up. Example: " \n" is "ĠĊ".

/// The byte that `code_point` represents; nothing if it is not in the alphabet.
std::optional<char> byte_of_letter(char32_t code_point);

/// The character that represents `byte`.
char32_t letter_of_byte(char byte);

/// Decodes `text` to bytes. Returns nothing if `text` is not UTF-8 or has a character outside the
/// alphabet. The result is never longer than `text`.
std::optional<std::string> bytes_of_letters(std::string_view text);

/// Decodes a text that bytes_of_letters() rejects like llama.cpp's detokenizer. Each character
/// outside the alphabet becomes "[UNK_BYTE_0x" + its bytes in hexadecimal + the whole text + "]".
/// So does U+FFFD for each byte that is not UTF-8. No encoding produces such a token. Returns
/// nothing if the result exceeds `max_bytes`.
std::optional<std::string> bytes_as_llama_cpp(std::string_view text, std::size_t max_bytes);

/// Parses "<0x0A>", the name of a byte token in character-level vocabularies.
std::optional<char> byte_of_name(std::string_view name);

}  // namespace pedro
