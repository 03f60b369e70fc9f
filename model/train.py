"""Trains the embedding on what prepare.ts wrote, and writes data/embedding.bin.

    python3 model/train.py <prepared> <output file> [--steps 5000 ...]

Needs Python 3.10, numpy and torch; a large GPU takes five minutes, a CPU hours.
A text is the normalised sum of the rows of its tokens; pairs are pulled together against the rest of their batch.
"""

import argparse
import gzip
import json
import math
import time

import numpy as np
import torch
import torch.nn.functional as F

A_TOKENS, B_TOKENS, TRANSLATIONS = 48, 64, 6
START_DIMENSIONS = 100
MAGIC = 0x31424D45  # "EMB1"

# How often a source is drawn, times its number of pairs to the power of --size-power.
WEIGHTS = dict(
    edict_common=2.0, edict_rest=1.0, wordnet_gloss=1.2, wordnet_synonym=0.8, wordnet_broader=0.6, wordnet_example=0.4,
    cldr_keywords=0.4, cldr_names=0.3, debian_summary=1.5, debian_name=0.4, debian_ja=2.0, debian_ja_mono=0.8,
    libreoffice_help=1.5, libreoffice_screens=1.2, tanaka=1.5, tldr=1.1, tools_q=1.2, tool_cat=1.4, bfcl=1.0,
    api_ops=1.1, api_opdesc=0.7, php_ja=0.8, php_entry=0.5, php_entry_mono=0.6, php_entry_ja=0.8, python_ja=0.6,
    postgres_ja=0.6, mdn_ja=0.8, mdn_title=0.4, mdn_title_ja=0.5, k8s_ja=0.8, k8s_title=0.4, k8s_title_ja=0.3,
    software_ja=0.6, software_title=0.4, software_title_ja=0.4, ethereum_ja=0.8, ethereum_title=0.4,
    ethereum_title_ja=0.4, ethereum_screens=0.5, wallets_ja=0.5, automation_ja=1.5, tools_ja=1.0, tools_label=0.4,
    places_ja=0.8, places_term=0.6, ruby_mono=0.4, connectors=0.8, graph_entry=0.3,
    graph_entry_mono=0.3, graph_entry_ja=0.4, mcp_ja=0.6, mcp_name=0.6, jglue_same=0.3, jglue_question=0.3, clinc=0.5,
    lexicon=1.5, kinds=1.5, **{f"requests_{i}": 4.0 for i in range(16)},  # see own-text.ts
)
# Sources whose Japanese side is translated by the other: they give Japanese rows their start.
TRANSLATED = ["edict_common", "edict_rest", "cldr_keywords", "cldr_names", "libreoffice_screens", "libreoffice_help",
              "debian_ja", "tanaka", "k8s_ja", "mdn_ja", "php_ja", "python_ja", "postgres_ja", "software_ja", "ethereum_ja",
              "ethereum_screens", "wallets_ja", "automation_ja", "tools_ja", "places_ja", "mcp_ja", "lexicon"]


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("prepared")
    parser.add_argument("output")
    parser.add_argument("--dimensions", type=int, default=192)
    parser.add_argument("--steps", type=int, default=5000)
    parser.add_argument("--batch", type=int, default=4096)
    parser.add_argument("--rate", type=float, default=0.1)
    parser.add_argument("--weight-rate", type=float, default=0.3, help="of the token weights, relative to --rate")
    parser.add_argument("--temperature", type=float, default=0.09)
    parser.add_argument("--drop", type=float, default=0.15, help="share of tokens left out at random")
    parser.add_argument("--drop-shared", type=float, default=0.3, help="share of queries that lose the words of their answer")
    parser.add_argument("--switch", type=float, default=0.5, help="share of texts whose English words turn Japanese")
    parser.add_argument("--phrases", type=float, default=0.3, help="share of queries that get words of asking")
    parser.add_argument("--join", type=float, default=0.1, help="share of queries that ask for two things at once")
    parser.add_argument("--runs", type=int, default=5, help="runs from one start in different order, averaged")
    parser.add_argument("--plain-runs", type=int, default=2, help="how many of them go without the loss over single words")
    parser.add_argument("--words", type=float, default=0.1, help="weight of the loss over single words")
    parser.add_argument("--words-batch", type=int, default=256)
    parser.add_argument("--words-temperature", type=float, default=0.05)
    parser.add_argument("--size-power", type=float, default=0.4)
    parser.add_argument("--weights", type=json.loads, default={}, help="JSON of source weights that differ")
    parser.add_argument("--earlier", help="folder of embedding.bin and embedding.txt to go on from, same words")
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


class Prepared:
    def __init__(self, folder, device):
        self.folder, self.device = folder, device
        meta = json.load(open(f"{folder}/meta.json"))
        self.rows, self.hashed, self.english = meta["rows"], meta["hashed"], meta["hashed"] + meta["english"]
        self.pairs = {name: self.read_pairs(name) for name in meta["sources"]}
        counts = torch.from_numpy(self.read("counts", np.float32)).to(device)
        self.counts = torch.cat([counts, torch.zeros(1, device=device)])
        self.start = torch.from_numpy(self.read("start", np.int8)).to(device).float().view(-1, START_DIMENSIONS)
        self.translations = torch.from_numpy(self.read("translations", np.int32)).to(device).view(-1, TRANSLATIONS)
        self.translated = (self.translations >= 0).sum(1)
        phrases = meta["phrases"]["en"] + meta["phrases"]["ja"]
        self.phrases, self.phrase_mask = self.pad(phrases, fill=self.rows)
        self.japanese_phrases = len(meta["phrases"]["ja"])
        self.watched = {name: self.read_watched(value) for name, value in json.load(open(f"{folder}/watched.json")).items()}

    def read(self, name, dtype):
        return np.frombuffer(gzip.open(f"{self.folder}/{name}.gz").read(), dtype).copy()

    def read_pairs(self, name):
        raw = gzip.open(f"{self.folder}/pairs-{name}.gz").read()
        count, total = np.frombuffer(raw[:8], np.uint32).astype(int)
        lengths = np.frombuffer(raw[8:8 + 2 * count], np.uint8).astype(np.int64)
        packed = np.frombuffer(raw[8 + 2 * count:], np.uint8).reshape(-1, 3).astype(np.int32)
        rows = packed[:, 0] | packed[:, 1] << 8 | packed[:, 2] << 16
        starts = np.concatenate([[0], np.cumsum(lengths)])
        assert starts[-1] == total == len(rows)
        tensors = dict(rows=np.concatenate([rows, np.zeros(B_TOKENS, np.int32)]), starts=starts, lengths=lengths)
        return dict(count=int(count), **{k: torch.from_numpy(v).to(self.device) for k, v in tensors.items()})

    def pad(self, lists, fill=0):
        width = max(1, max(len(x) for x in lists))
        rows, mask = np.full((len(lists), width), fill, np.int64), np.zeros((len(lists), width), bool)
        for i, x in enumerate(lists):
            rows[i, :len(x)], mask[i, :len(x)] = x, True
        return torch.from_numpy(rows).to(self.device), torch.from_numpy(mask).to(self.device)

    def read_watched(self, value):
        relevant = torch.zeros(len(value["queries"]), len(value["docs"]), device=self.device)
        bm25 = torch.zeros_like(relevant)
        for i, docs in enumerate(value["relevant"]):
            relevant[i, docs] = 1
        for i, (docs, scores) in enumerate(value["bm25"]):
            bm25[i, docs] = torch.tensor(scores, device=self.device).float() / 1000
        return self.pad(value["docs"]), self.pad(value["queries"]), relevant, bm25

    def side(self, source, picked, side, width):
        at = picked * 2 + side
        span = torch.arange(width, device=self.device)
        mask = span[None] < source["lengths"][at].clamp(max=width)[:, None]
        rows = source["rows"][(source["starts"][at][:, None] + span[None]).clamp(max=len(source["rows"]) - 1)].long()
        return torch.where(mask, rows, torch.full_like(rows, self.rows)), mask


class Bag(torch.autograd.Function):
    """Sums rows per text. Written out because the stock backward pass is some twenty times slower."""

    @staticmethod
    def forward(ctx, table, rows, texts, count):
        ctx.save_for_backward(rows, texts)
        ctx.shape = table.shape
        return torch.zeros(count, table.shape[1], device=table.device).index_add_(0, texts, table[rows])

    @staticmethod
    def backward(ctx, gradient):
        rows, texts = ctx.saved_tensors
        return torch.zeros(ctx.shape, device=gradient.device).index_add_(0, rows, gradient[texts]), None, None, None


def embed(table, rows, mask):
    texts, columns = mask.nonzero(as_tuple=True)
    return F.normalize(Bag.apply(table, rows[texts, columns], texts, len(rows)), dim=1)


def meet(table, rows, mask, width, random):
    """The directions of up to `width` words of each text, picked at random, and what each counts."""
    order = torch.rand(mask.shape, device=mask.device, generator=random).masked_fill(~mask, 2.0)
    picked = order.argsort(1)[:, :width]
    rows, mask = rows.gather(1, picked), mask.gather(1, picked)
    vectors = table[rows]
    length = vectors.norm(dim=2)
    return vectors / length.clamp(min=1e-6)[..., None] * mask[..., None], length * mask


def word_scores(table, a, a_mask, b, b_mask, random):
    """For every pair of texts: how near the words of one come to their nearest words in the other."""
    x, x_weight = meet(table, a, a_mask, 16, random)
    y, _ = meet(table, b, b_mask, 32, random)
    near = torch.einsum("iad,jbd->ijab", x.bfloat16(), y.bfloat16()).amax(3).float().clamp(min=0) ** 2
    return (near * x_weight[:, None, :]).sum(2) / x_weight.sum(1).clamp(min=1e-6)[:, None]


def start(data, dimensions, seed):
    """English rows from GloVe, Japanese rows from the mean of what translates them; weights from frequency."""
    torch.manual_seed(seed)
    device = data.device
    table = torch.randn(data.rows + 1, dimensions, device=device) * 0.5 / math.sqrt(dimensions)
    share = data.counts / data.counts.sum()
    weight = 1e-4 / (1e-4 + share)
    weight[:data.hashed] *= 0.3
    known = data.start.abs().sum(1) > 0
    centred = data.start[known] - data.start[known].mean(0)
    basis = torch.linalg.svd(centred[torch.randperm(len(centred), device=device)[:30000]], full_matrices=False).Vh
    width = min(dimensions, START_DIMENSIONS)
    english = torch.arange(data.hashed, data.english, device=device)[known]
    table[english] *= 0.15
    table[english, :width] += F.normalize(centred @ basis[:width].T, dim=1)

    sums, total = torch.zeros_like(table), torch.zeros(len(table), device=device)
    for name in TRANSLATED:
        if name not in data.pairs:
            continue
        source = data.pairs[name]
        for first in range(0, source["count"], 65536):
            picked = torch.arange(first, min(first + 65536, source["count"]), device=device)
            a, a_mask = data.side(source, picked, 0, 32)
            b, b_mask = data.side(source, picked, 1, 32)
            meaning = F.normalize((table[b] * (weight[b] * b_mask)[..., None]).sum(1), dim=1)
            part = weight[a] * a_mask
            part = part / part.sum(1, keepdim=True).clamp(min=1e-6) * (4.0 if name.startswith("edict") else 1.0)
            texts, columns = ((a >= data.english) & a_mask).nonzero(as_tuple=True)
            rows, part = a[texts, columns], part[texts, columns]
            sums.index_add_(0, rows, meaning[texts] * part[:, None])
            total.index_add_(0, rows, part)
    found = (total > 0).nonzero()[:, 0]
    table[found] = table[found] * 0.15 + F.normalize(sums[found] / total[found, None], dim=1)
    return torch.nn.Parameter(table), torch.nn.Parameter(torch.log(weight.clamp(min=0.02)))


def read_earlier(folder, data):
    """The rows of earlier weights in the order of the vocabulary, as directions and their weights."""
    raw = open(f"{folder}/embedding.bin", "rb").read()
    _, count, dimensions, _ = np.frombuffer(raw[:16], np.uint32).astype(int)
    factors = np.frombuffer(raw, np.float32, count, 16)
    packed = np.frombuffer(raw, np.uint8, count * dimensions // 2, 16 + 4 * count).reshape(count, dimensions // 2)
    table = np.empty((count, dimensions), np.float32)
    table[:, 0::2] = ((packed & 15) ^ 8).astype(np.int16) - 8
    table[:, 1::2] = ((packed >> 4) ^ 8).astype(np.int16) - 8
    table *= factors[:, None]
    words = lambda path: open(path, encoding="utf8").read().split("\n")[:-1]
    places = {word: data.hashed + i for i, word in enumerate(words(f"{folder}/embedding.txt"))}
    order = list(range(data.hashed)) + [places[word] for word in words(f"{data.folder}/vocabulary.txt")]
    rows = torch.from_numpy(table[order]).to(data.device)
    return torch.cat([rows, torch.zeros(1, dimensions, device=data.device)])


def go_on(data, folder):
    table = read_earlier(folder, data)
    length = table.norm(dim=1).clamp(min=0.02)
    return torch.nn.Parameter(table / length[:, None]), torch.nn.Parameter(torch.log(length))


class Augment:
    def __init__(self, data, options, run):
        self.data, self.options = data, options
        self.random = torch.Generator(device=data.device)
        self.random.manual_seed(options.seed + run)

    def uniform(self, *shape):
        return torch.rand(*shape, device=self.data.device, generator=self.random)

    def switch(self, rows, mask, share):
        """In a share of the texts, turns at least half of the English words into a dictionary's Japanese ones."""
        data = self.data
        chance = (self.uniform(len(rows), 1) < share) * self.uniform(len(rows), 1).clamp(min=0.5)
        english = (rows >= data.hashed) & (rows < data.english) & mask
        word = (rows - data.hashed).clamp(0, len(data.translations) - 1)
        known = data.translated[word]
        choice = (self.uniform(*rows.shape) ** 1.5 * known).long().minimum((known - 1).clamp(min=0))
        swap = english & (known > 0) & (self.uniform(*rows.shape) < chance)
        return torch.where(swap, data.translations[word, choice].long(), rows)

    def ask(self, rows, mask, share):
        """Adds the words of one or two ways of asking, in the language of the text."""
        data = self.data
        if share <= 0:
            return rows, mask
        japanese = ((rows >= data.english) & mask).sum(1) * 2 > mask.sum(1)
        english_phrases = len(data.phrases) - data.japanese_phrases
        extra, extra_mask = [], []
        for chance in (share, share / 2):
            pick = self.uniform(len(rows))
            pick = torch.where(japanese, english_phrases + pick * data.japanese_phrases, pick * english_phrases)
            pick = pick.long().clamp(max=len(data.phrases) - 1)  # rounding can reach the end
            chosen = (self.uniform(len(rows)) < chance)[:, None]
            extra.append(data.phrases[pick])
            extra_mask.append(data.phrase_mask[pick] & chosen)
        return torch.cat([rows, *extra], 1), torch.cat([mask, *extra_mask], 1)

    def join(self, rows, mask, share):
        """Puts another text of the batch behind a share of them; also returns which belong together now."""
        partner = torch.randperm(len(rows), device=self.data.device, generator=self.random)
        chosen = self.uniform(len(rows)) < share
        together = torch.zeros(len(rows), len(rows), dtype=torch.bool, device=self.data.device)
        together[chosen, partner[chosen]] = True
        both = torch.cat([rows, rows[partner]], 1)
        return both, torch.cat([mask, mask[partner] & chosen[:, None]], 1), together

    def drop(self, a, a_mask, b, b_mask):
        options = self.options
        a_kept = a_mask & (self.uniform(*a.shape) > options.drop)
        b_kept = b_mask & (self.uniform(*b.shape) > options.drop)
        shared = ((a[:, :, None] == b[:, None, :]) & b_mask[:, None, :]).any(2) & a_mask
        poorer = a_kept & ~(shared & (self.uniform(len(a)) < options.drop_shared)[:, None])
        a_kept = torch.where(poorer.any(1)[:, None], poorer, a_kept)
        whole = lambda kept, mask: torch.where(kept.any(1)[:, None], kept, mask)
        return whole(a_kept, a_mask), whole(b_kept, b_mask)


def train(data, options, run):
    device = data.device
    table, weight = go_on(data, options.earlier) if options.earlier else start(data, options.dimensions, options.seed)
    rates = [options.rate, options.rate * options.weight_rate]
    groups = [dict(params=[p], lr=rate) for p, rate in zip([table, weight], rates)]
    optimiser = torch.optim.Adagrad(groups, initial_accumulator_value=1e-6)
    augment = Augment(data, options, run)
    weights = {**WEIGHTS, **options.weights}
    names = [name for name in data.pairs if weights.get(name, 0.5) > 0]
    share = np.array([weights.get(name, 0.5) * data.pairs[name]["count"] ** options.size_power for name in names])
    order = np.random.default_rng(options.seed + run).choice(len(names), size=options.steps, p=share / share.sum())
    began = time.time()
    for step in range(options.steps):
        source = data.pairs[names[order[step]]]
        picked = torch.randperm(source["count"], device=device, generator=augment.random)[:options.batch]
        a, a_mask = data.side(source, picked, 0, A_TOKENS)
        b, b_mask = data.side(source, picked, 1, B_TOKENS)
        a_kept, b_kept = augment.drop(a, a_mask, b, b_mask)
        a, b = augment.switch(a, a_mask, options.switch), augment.switch(b, b_mask, options.switch * 0.4)
        a, a_kept = augment.ask(a, a_kept, options.phrases)
        a, a_kept, together = augment.join(a, a_kept, options.join)
        scaled = table * torch.exp(weight)[:, None]
        x, y = embed(scaled, a, a_kept), embed(scaled, b, b_kept)
        with torch.no_grad():
            same = torch.eye(len(x), device=device, dtype=torch.bool)
            twins = ((y @ y.T > 0.98) | (x @ x.T > 0.98) | together) & ~same
        scores = (x @ y.T / options.temperature).masked_fill(twins, -1e4)
        target = torch.arange(len(x), device=device)
        loss = (F.cross_entropy(scores, target) + F.cross_entropy(scores.T, target)) / 2
        if options.words > 0 and run >= options.plain_runs:
            few = slice(0, options.words_batch)
            words = word_scores(scaled, a[few], a_kept[few], b[few], b_kept[few], augment.random)
            words = (words / options.words_temperature).masked_fill(twins[few, few], -1e4)
            both = F.cross_entropy(words, target[few]) + F.cross_entropy(words.T, target[few])
            loss = loss + options.words * both / 2
        pace = min(1, (step + 1) / 200) * (0.49 * (1 + math.cos(math.pi * step / options.steps)) + 0.02)
        for group, rate in zip(optimiser.param_groups, rates):
            group["lr"] = rate * pace
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        if (step + 1) % 1000 == 0:
            print(f"step {step + 1}: {time.time() - began:.0f} s, loss {loss.item():.2f}", flush=True)
    return (table * torch.exp(weight)[:, None]).detach()[:-1]


def quantise(table):
    """Int4 with one factor a row, the best of a few clippings."""
    best = None
    for clip in (1.0, 0.9, 0.8, 0.7, 0.6):
        factor = table.abs().amax(1, keepdim=True).clamp(min=1e-9) / 7 * clip
        levels = (table / factor).round().clamp(-7, 7)
        error = ((levels * factor - table) ** 2).sum(1, keepdim=True)
        if best is None:
            best = [error, levels, factor]
        else:
            better = error < best[0]
            best = [torch.where(better, new, old) for new, old in zip([error, levels, factor], best)]
    return best[1].to(torch.int8), best[2][:, 0]


def ndcg(scores, relevant, depth=10):
    top = scores.topk(min(depth, scores.shape[1]), 1).indices
    gain = 1 / torch.log2(torch.arange(2, 2 + top.shape[1], device=scores.device).float())
    ideal = torch.cat([torch.zeros(1, device=scores.device), gain.cumsum(0)])[relevant.sum(1).clamp(max=len(gain)).long()]
    judged = ideal > 0
    return ((relevant.gather(1, top) * gain).sum(1)[judged] / ideal[judged]).mean().item()


def watch(data, table):
    padded = torch.cat([table, torch.zeros(1, table.shape[1], device=table.device)])
    for name, (docs, queries, relevant, bm25) in data.watched.items():
        scores = embed(padded, *queries) @ embed(padded, *docs).T
        figures = [ndcg(bm25, relevant), ndcg(scores, relevant), ndcg(bm25 + 0.5 * scores, relevant)]
        print(f"{name:24}" + "".join(f"{figure:8.3f}" for figure in figures), flush=True)


def write(path, levels, factors):
    nibbles = (levels.cpu().numpy().astype(np.int16) & 15).astype(np.uint8)
    with open(path, "wb") as file:
        file.write(np.array([MAGIC, levels.shape[0], levels.shape[1], 0], np.uint32).tobytes())
        file.write(factors.float().cpu().numpy().tobytes())
        file.write((nibbles[:, 0::2] | nibbles[:, 1::2] << 4).tobytes())


def main():
    chosen = options()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.backends.cuda.matmul.allow_tf32 = True
    data = Prepared(chosen.prepared, device)
    table = sum(train(data, chosen, run) for run in range(chosen.runs)) / chosen.runs
    levels, factors = quantise(table)
    table = levels.float() * factors[:, None]
    print(f"{'nDCG@10, quantised':24}{'bm25':>8}{'model':>8}{'both':>8}")
    watch(data, table)
    write(chosen.output, levels, factors)


if __name__ == "__main__":
    main()
