// Reading texts and printing ids, for the programs beside this one; what the formats are, `run`
// says.
'use strict';
const crypto = require('crypto');
const fs = require('fs');

// The arguments that `run` gives to every program.
function parameters() {
  const [library, encoder, vocabulary, added, input, output, file] = process.argv.slice(2);
  return { library, encoder, vocabulary, added, input, output, file };
}

function read_texts({ file, input }) {
  const bytes = fs.readFileSync(file);
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  if (input === 'whole') return [text];
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  return input === 'lines' ? lines : lines.map((line) => JSON.parse(line));
}

class Printer {
  constructor({ output }) {
    this.output = output;
    this.count = 0;
    this.hash = crypto.createHash('sha256');
    this.lines = [];
  }

  add(ids) {
    const bytes = Buffer.alloc(4 * ids.length);
    for (let i = 0; i < ids.length; i++) bytes.writeUInt32LE(ids[i], 4 * i);
    if (this.output === 'hash') {
      this.hash.update(bytes);
      this.count += ids.length;
    } else if (this.output === 'sums') {
      const digest = crypto.createHash('sha256').update(bytes).digest('hex');
      this.lines.push(`${ids.length} ${digest.slice(0, 16)}`);
    } else {
      this.lines.push(Array.from(ids).join(' '));
    }
  }

  finish() {
    if (this.output === 'hash') this.lines.push(`${this.count} ${this.hash.digest('hex')}`);
    for (let rest = Buffer.from(this.lines.map((line) => line + '\n').join('')); rest.length; ) {
      rest = rest.subarray(fs.writeSync(1, rest));
    }
  }
}

// Prints the ids of all texts; encode(text) gives those of one, or a promise of them.
async function run(parameters, encode) {
  try {
    const printer = new Printer(parameters);
    for (const text of read_texts(parameters)) printer.add(await encode(text));
    printer.finish();
  } catch (error) {
    console.error(`${parameters.encoder}: ${parameters.file}: ${error.message}`);
    process.exitCode = 1;
  }
}

module.exports = { parameters, run };
