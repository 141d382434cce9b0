"""Train the verifier: ``python -m training.verifier.train --run FOLDER --data FOLDER``; the same command resumes.

Two phases share one learning-rate schedule: short pairs (128 tokens), then long ones (320 tokens) with a replay of
short ones. ``running.py`` has the run itself; ``gpu.py`` trains on a GPU.

Each core runs one worker process of one thread on its own batches and the gradients are averaged: two threads on one
batch wait for each other at every operation and reach a quarter of that as soon as anything else wants a core.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections import defaultdict
from pathlib import Path

import torch
import torch.distributed as dist
from torch import multiprocessing

from training.verifier import mix
from training.verifier.batches import Encoded, encode
from training.verifier.negatives import unrelated
from training.verifier.place import Workers
from training.verifier.running import LIMITS, Options, Phase, Run, train
from training.verifier.start import SHIPPED, STARTS, carried, classifier

LONG_SHARES = {"unrelated": 0.35, "scifact_windows": 1.0, "scifact_train_abstract": 0.5, "pubmedqa_conclusion": 1.0}
LONG_OTHER = 0.45
UNRELATED_SHARE = 0.1
REPLAY = 0.5
ATTENTION = "eager"
"""The second phase: shares of the long pairs by source, of the other sources, and short pairs for each long one.
``ATTENTION``: plain products of matrices. On a CPU the backward pass of torch's fused attention takes 35 % of a step of
64 to 128 tokens; without it a core sees 2,500 tokens a second and not 1,570."""


def phases(parts: dict[str, list[Encoded]], seed: int, long_share: float) -> tuple[Phase, Phase]:
    """The short and the long phase; ``long_share`` of the run is for long pairs."""
    rng = random.Random(seed)
    long = [pair for pair in parts["long"] if rng.random() < LONG_SHARES.get(pair.source, LONG_OTHER)]
    replay = rng.sample(parts["short"], min(len(parts["short"]), int(REPLAY * len(long))))
    return (
        Phase(parts["short"], LIMITS[0], 1 - long_share, seed),
        Phase([*long, *replay], LIMITS[1], 1.0, seed + 500),
    )


def prepare(run: Path, data: Path, seed: int, most_held: int) -> dict[str, list[Encoded]]:
    """The mix as token ids; held-out pairs are at most ``most_held`` a source."""
    pairs = mix.load(run, data, seed)
    held: dict[str, int] = defaultdict(int)
    kept = []
    for pair in pairs["held"]:
        held[pair.source] += 1
        if held[pair.source] <= most_held:
            kept.append(pair)
    pairs["held"] = kept
    for part in ("short", "long"):
        pairs[part] += unrelated(pairs[part], UNRELATED_SHARE, seed)
    tokenizer = carried("ms-marco-MiniLM-L-12-v2") / "tokenizer.json"
    return {name: encode(rows, tokenizer) for name, rows in pairs.items()}


def work(rank: int, args: argparse.Namespace, meeting: str) -> None:
    """One worker: joins the others, then trains."""
    torch.set_num_threads(1)
    dist.init_process_group("gloo", init_method=f"file://{meeting}", rank=rank, world_size=args.workers)
    parts = prepare(args.run, args.data, args.seed, args.held)
    torch.manual_seed(args.seed)
    options = Options(
        folder=args.run, start=args.start, name=args.name, seconds=args.seconds, rate=args.rate, tokens=args.tokens,
        dropout=args.dropout, seed=args.seed, train_embeddings=args.train_embeddings, check_every=args.check_every,
    )  # fmt: skip
    model = classifier(args.start, dropout=args.dropout)
    model.config._attn_implementation = ATTENTION
    run = Run(options, Workers(), model)
    run.log(event="start", start=args.start, parts={name: len(rows) for name, rows in parts.items()})
    train(run, phases(parts, args.seed, args.long_share), parts["held"])
    dist.destroy_process_group()


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", type=Path, required=True, help="folder for the mix, checkpoints and the log")
    parser.add_argument("--data", type=Path, required=True, help="the shared data folder")
    parser.add_argument("--name", default="verifier", help="name of the checkpoint and log")
    parser.add_argument("--start", choices=(*STARTS, SHIPPED), default=STARTS[0])
    parser.add_argument("--seconds", type=float, default=4500.0, help="seconds of training")
    parser.add_argument("--long-share", type=float, default=0.3, help="share of the seconds for long pairs")
    parser.add_argument("--rate", type=float, default=1e-4)
    parser.add_argument("--tokens", type=int, default=1536, help="tokens a batch of one worker")
    parser.add_argument("--dropout", type=float, default=0.0)
    parser.add_argument("--held", type=int, default=60, help="held-out pairs a source that are checked during training")
    parser.add_argument("--check-every", type=float, default=600.0, help="seconds between held-out checks")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--workers", type=int, default=2, help="processes of one thread")
    parser.add_argument("--without", nargs="*", default=(), metavar="SET", help="sets that are not trained on")
    parser.add_argument("--train-embeddings", action="store_true")
    args = parser.parse_args()
    mix.load(args.run, args.data, args.seed, args.without)  # built once, before the workers read it
    with tempfile.TemporaryDirectory() as folder:
        multiprocessing.spawn(work, (args, f"{folder}/meeting"), nprocs=args.workers)


if __name__ == "__main__":
    main()
