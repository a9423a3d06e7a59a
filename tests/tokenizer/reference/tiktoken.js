// Encodes with tiktoken; to be started by `run`.
'use strict';
const fs = require('fs');
const { parameters, run } = require('./texts.js');

const given = parameters();
const { Tiktoken, get_encoding } = require(given.library);

function own_encoding() {
  const { encoder } = given;
  const encoding = get_encoding(encoder);
  return (text) => encoding.encode_ordinary(text);
}

// Mistral: the first 1000 ids are control tokens, a rank is an id less 1000.
function tekken({ config, bpe_ranks }) {
  const encoding = new Tiktoken(bpe_ranks, {}, config.pattern);
  return (text) => encoding.encode_ordinary(text).map((rank) => rank + 1000);
}

function claude({ pat_str, special_tokens, bpe_ranks }) {
  const encoding = new Tiktoken(bpe_ranks, special_tokens, pat_str);
  return (text) => encoding.encode_ordinary(text.normalize('NFKC'));
}

const with_file = { tekken, claude }[given.encoder];
run(
  given,
  with_file ? with_file(JSON.parse(fs.readFileSync(given.vocabulary, 'utf8'))) : own_encoding(),
);
