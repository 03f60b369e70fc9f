"""Averages newly trained weights with earlier ones, so that what pairs taught that are no longer at hand is kept.

    python3 model/average.py <prepared> <new weights> <folder of the earlier weights> <output folder>

Two trainings agree up to a rotation, which is found from the rows that both have. A row whose texts are nearly all in sources that
are new stands as newly trained. Every earlier word in Latin letters stays; of words that only the new pairs have, those in another script than Latin and
those of the project itself are added. Needs Python 3.10 and numpy.
"""

import argparse
import gzip
import json
import os

import numpy as np

HASHED_ROWS = 8192
MAGIC = 0x31424D45  # "EMB1"
# Sources that the earlier weights were not trained on.
NEW = ["mdn_ja", "mdn_title", "ethereum_org", "hf_docs", "mcp_ja", "mcp_name", "jglue_same", "jglue_question", "jsquad", "clinc",
       "lexicon", "kinds"]
# Those of the project itself.
OWN = ["lexicon", "kinds"]
MOSTLY_NEW = 0.75


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


def rows_of(prepared, source):
    """The rows of all texts of a source, each as often as it is in one."""
    raw = gzip.open(f"{prepared}/pairs-{source}.gz").read()
    pairs = int(np.frombuffer(raw[:4], np.uint32)[0])
    packed = np.frombuffer(raw[8 + 2 * pairs:], np.uint8).reshape(-1, 3).astype(np.int32)
    return packed[:, 0] | packed[:, 1] << 8 | packed[:, 2] << 16


def share_of_new(prepared):
    """For each row the share of its texts that are in new sources."""
    meta = json.load(open(f"{prepared}/meta.json"))
    counts = np.zeros((2, meta["rows"]))
    for name in meta["sources"]:
        counts[int(name in NEW)] += np.bincount(rows_of(prepared, name), minlength=meta["rows"])
    return counts[1] / np.maximum(1, counts.sum(0))


def our_rows(prepared):
    """The rows of the words that are written down in this project."""
    return {int(row) for source in OWN for row in rows_of(prepared, source)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("prepared")
    parser.add_argument("new")
    parser.add_argument("earlier")
    parser.add_argument("output")
    parser.add_argument("--share", type=float, default=0.35, help="of the new weights in a row that both have")
    parser.add_argument("--latin", type=float, default=0.2, help="the same in rows of Latin words and of hashed pieces")
    options = parser.parse_args()
    old, old_words = read(f"{options.earlier}/embedding.bin", f"{options.earlier}/embedding.txt")
    new, words = read(options.new, f"{options.prepared}/vocabulary.txt")
    places = {word: HASHED_ROWS + i for i, word in enumerate(old_words)}
    common = [(places[word], HASHED_ROWS + i) for i, word in enumerate(words) if word in places]
    pairs = np.array(common + [(row, row) for row in range(HASHED_ROWS)])
    u, _, v = np.linalg.svd(new[pairs[:, 1]].T.astype(np.float64) @ old[pairs[:, 0]].astype(np.float64))
    table = new @ (u @ v).astype(np.float32)
    seen = share_of_new(options.prepared)
    is_latin = np.array([True] * HASHED_ROWS + [word.isascii() for word in words])
    share = np.where(is_latin, options.latin, options.share)
    part = np.where(seen >= MOSTLY_NEW, np.maximum(share, seen), share)
    part[:HASHED_ROWS] = options.latin
    part = part[pairs[:, 1]][:, None].astype(np.float32)
    table[pairs[:, 1]] = part * table[pairs[:, 1]] + (1 - part) * old[pairs[:, 0]]
    have = set(words)
    lost = [i for i, word in enumerate(old_words) if word not in have and word.isascii()]
    table = np.concatenate([table, old[[HASHED_ROWS + i for i in lost]]])
    words = words + [old_words[i] for i in lost]
    ours = our_rows(options.prepared)
    keep = [i for i, word in enumerate(words) if word in places or not word.isascii() or HASHED_ROWS + i in ours]
    table = np.concatenate([table[:HASHED_ROWS], table[[HASHED_ROWS + i for i in keep]]])
    words = [words[i] for i in keep]
    write(options.output, table, words)


main()
