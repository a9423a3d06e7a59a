# Encodes with sentencepiece; to be started by `run`, which says what the formats are.
import hashlib
import json
import struct
import sys

import sentencepiece


def read_texts(file, kind):
    with open(file, encoding="utf-8", newline="") as stream:
        text = stream.read()
    if kind == "whole":
        return [text]
    lines = [line + "\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    if not lines[-1]:
        lines.pop()
    return lines if kind == "lines" else [json.loads(line) for line in lines]


def main():
    encoder, vocabulary, _, kind, output, file = sys.argv[1:]
    processor = sentencepiece.SentencePieceProcessor(model_file=vocabulary)
    count = 0
    total = hashlib.sha256()
    try:
        texts = read_texts(file, kind)
    except ValueError as error:
        sys.exit(f"{encoder}: {file}: {error}")
    for text in texts:
        ids = processor.encode(text)
        packed = struct.pack(f"<{len(ids)}I", *ids)
        if output == "hash":
            count += len(ids)
            total.update(packed)
        elif output == "sums":
            print(len(ids), hashlib.sha256(packed).hexdigest()[:16])
        else:
            print(*ids)
    if output == "hash":
        print(count, total.hexdigest())


main()
