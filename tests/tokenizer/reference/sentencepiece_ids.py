# Encodes with sentencepiece; to be started by `run`, which says what the formats are.
import hashlib
import json
import struct
import sys
import time

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


def pieces_of(data):
    pieces = []
    begin = 0
    while begin < len(data):
        line = data.find(b"\n", begin + min(4096, len(data) - begin) - 1)
        end = len(data) if line < 0 else line + 1
        pieces.append(data[begin:end].decode())
        begin = end
    return pieces


def rate_of(data, texts, processor):
    seconds = []
    for _ in range(3):
        before = time.process_time()
        for text in texts:
            processor.encode(text)
        seconds.append(time.process_time() - before)
    return len(data) / 1e6 / sorted(seconds)[1]


def measure(file, processor):
    with open(file, "rb") as stream:
        data = stream.read()
    whole = rate_of(data, [data.decode()], processor)
    print(f"{whole:.2f} {rate_of(data, pieces_of(data), processor):.2f}")


def main():
    encoder, vocabulary, _, kind, output, file = sys.argv[1:]
    processor = sentencepiece.SentencePieceProcessor(model_file=vocabulary)
    if output == "time":
        return measure(file, processor)
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
