// Encodes with HuggingFace's tokenizers; to be started by `run`.
'use strict';
const fs = require('fs');
const { parameters, run } = require('./texts.js');

const given = parameters();
const { Tokenizer } = require(given.library);
const json = JSON.parse(fs.readFileSync(given.vocabulary, 'utf8'));
// The library looks for added tokens in every text and cannot be told not to.
const keep = { none: () => false, user: (token) => !token.special, all: () => true }[given.added];
json.added_tokens = json.added_tokens.filter(keep);
const tokenizer = Tokenizer.fromString(JSON.stringify(json));
// It numbers them in the order in which they come, whatever ids the file gives them.
const id_in_file = new Map(
  json.added_tokens.map((token) => [tokenizer.tokenToId(token.content), token.id]),
);

run(given, async (text) => {
  const encoding = await tokenizer.encode(text, null, { addSpecialTokens: false });
  return encoding.getIds().map((id) => id_in_file.get(id) ?? id);
});
