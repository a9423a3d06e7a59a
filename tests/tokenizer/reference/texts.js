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

// Cut behind lines, into pieces of about 4 KB.
function pieces_of(bytes) {
  const pieces = [];
  for (let begin = 0; begin < bytes.length; ) {
    const line = bytes.indexOf(10, begin + Math.min(4096, bytes.length - begin) - 1);
    const end = line < 0 ? bytes.length : line + 1;
    pieces.push(bytes.toString('utf8', begin, end));
    begin = end;
  }
  return pieces;
}

// MB for a second of the processor's time, of three runs the one in the middle.
async function rate_of(bytes, texts, encode) {
  const seconds = [];
  for (let i = 0; i < 3; i++) {
    const before = process.cpuUsage();
    for (const text of texts) await encode(text);
    const { user, system } = process.cpuUsage(before);
    seconds.push((user + system) / 1e6);
  }
  return bytes.length / 1e6 / seconds.sort((a, b) => a - b)[1];
}

async function measure({ file }, encode) {
  const bytes = fs.readFileSync(file);
  const whole = await rate_of(bytes, [bytes.toString('utf8')], encode);
  const pieces = await rate_of(bytes, pieces_of(bytes), encode);
  console.log(`${whole.toFixed(2)} ${pieces.toFixed(2)}`);
}

// Prints the ids of all texts; encode(text) gives those of one, or a promise of them.
async function run(parameters, encode) {
  try {
    if (parameters.output === 'time') return await measure(parameters, encode);
    const printer = new Printer(parameters);
    for (const text of read_texts(parameters)) printer.add(await encode(text));
    printer.finish();
  } catch (error) {
    console.error(`${parameters.encoder}: ${parameters.file}: ${error.message}`);
    process.exitCode = 1;
  }
}

module.exports = { parameters, run };
