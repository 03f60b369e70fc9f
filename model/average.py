"""Averages newly trained weights with the earlier ones that they went on from (train.py --earlier), so that what was learnt from
text which is no longer at hand is kept.

    python3 model/average.py <prepared> <new weights> <folder of the earlier weights> <output folder>

Both have the same words. Needs Python 3.10 and numpy.
"""

import argparse
import json
import os

import numpy as np

HASHED_ROWS = 8192
MAGIC = 0x31424D45  # "EMB1"


def read(weights, words):
    raw = open(weights, "rb").read()
    _, count, dimensions, _ = np.frombuffer(raw[:16], np.uint32).astype(int)
    factors = np.frombuffer(raw, np.float32, count, 16)
    packed = np.frombuffer(raw, np.uint8, count * dimensions // 2, 16 + 4 * count).reshape(count, dimensions // 2)
    table = np.empty((count, dimensions), np.float32)
    table[:, 0::2] = ((packed & 15) ^ 8).astype(np.int16) - 8
    table[:, 1::2] = ((packed >> 4) ^ 8).astype(np.int16) - 8
    return table * factors[:, None], open(words, encoding="utf8").read().split("\n")[:-1]


def write(folder, table, words):
    """Int4 with one factor a row, the best of a few clippings, as train.py does."""
    best = None
    for clip in (1.0, 0.9, 0.8, 0.7, 0.6):
        factor = np.maximum(np.abs(table).max(1, keepdims=True), 1e-9) / 7 * clip
        levels = np.clip(np.round(table / factor), -7, 7)
        found = [((levels * factor - table) ** 2).sum(1, keepdims=True), levels, factor]
        best = found if best is None else [np.where(found[0] < best[0], x, y) for x, y in zip(found, best)]
    nibbles = (best[1].astype(np.int16) & 15).astype(np.uint8)
    os.makedirs(folder, exist_ok=True)
    with open(f"{folder}/embedding.bin", "wb") as file:
        file.write(np.array([MAGIC, len(table), table.shape[1], 0], np.uint32).tobytes())
        file.write(best[2][:, 0].astype(np.float32).tobytes())
        file.write((nibbles[:, 0::2] | nibbles[:, 1::2] << 4).tobytes())
    with open(f"{folder}/embedding.txt", "w", encoding="utf8") as file:
        file.write("\n".join(words) + "\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("prepared")
    parser.add_argument("new")
    parser.add_argument("earlier")
    parser.add_argument("output")
    parser.add_argument("--share", type=float, default=1, help="of the new weights in a row of Japanese")
    parser.add_argument("--latin", type=float, default=0.7, help="the same in other rows")
    options = parser.parse_args()
    new, words = read(options.new, f"{options.prepared}/vocabulary.txt")
    old, old_words = read(f"{options.earlier}/embedding.bin", f"{options.earlier}/embedding.txt")
    english = json.load(open(f"{options.prepared}/meta.json"))["english"]
    places = {word: HASHED_ROWS + i for i, word in enumerate(old_words)}
    old = old[list(range(HASHED_ROWS)) + [places[word] for word in words]]
    share = np.full((len(new), 1), options.latin, np.float32)
    share[HASHED_ROWS + english:] = options.share
    write(options.output, share * new + (1 - share) * old, words)


main()
