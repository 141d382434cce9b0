"""Train the base-size judge: ``python -m training.verifier.mpnet_train --run FOLDER --mix FOLDER --weights FOLDER``.

Without ``--weights`` the small graph that the product ships is trained on; ``RUN/verifier.pt`` is then what
``training.verifier.average`` and ``training.verifier.export`` read.

The same command resumes at the same place with the same order of data. Another ``--mix`` begins at its first pass with
the weights as they are. It runs as one process of one thread and saves on SIGTERM.
"""

from __future__ import annotations

import argparse
import fcntl
import signal
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from training.verifier.mpnet_ids import MPNET, Marks, Tokenizer, encode, encode_units, tensors, tokenizer
from training.verifier.mpnet_run import Plan, Run, arithmetic
from training.verifier.mpnet_start import Judge, SmallJudge, judge, small_judge
from training.verifier.objective import is_right
from training.verifier.products import use_faster_products
from training.verifier.start import WEIGHTS
from training.verifier.units import Encoded, batches
from training.verifier.wide_mix import one_pass, read, sample_held, shares_of

TOKENS = 1536
LOG_EVERY, SAVE_EVERY, CHECK_EVERY = 60.0, 300.0, 2400.0
"""Seconds by the clock. A check of 1,284 held-out pairs took nine minutes beside the work of others."""
SNAPSHOT_EVERY = 30000
"""Pairs."""
HELD = 8
"""Held-out pairs of a source."""


@torch.no_grad()
def logits_of(model: Judge | SmallJudge, pairs: Sequence[Encoded], kind: torch.dtype, rows: int = 24) -> torch.Tensor:
    """Logits (n, 3) of ``pairs`` in their order."""
    model.eval()
    order = sorted(range(len(pairs)), key=lambda at: len(pairs[at].ids))
    found = torch.empty(len(pairs), 3)
    for start in range(0, len(order), rows):
        chosen = order[start : start + rows]
        ids, mask, _ = tensors([pairs[at] for at in chosen], model.marks.pad)
        with arithmetic(kind):
            found[chosen] = model(ids, mask).float()
    model.train()
    return found


def held_accuracy(model: Judge | SmallJudge, pairs: Sequence[Encoded], kind: torch.dtype) -> dict[str, Any]:
    """Accuracy on held-out pairs: of all, mean over sources, by source."""
    right = is_right(logits_of(model, pairs, kind), torch.tensor([pair.label for pair in pairs])).tolist()
    rows: dict[str, list[float]] = defaultdict(list)
    for pair, ok in zip(pairs, right, strict=True):
        rows[pair.source].append(float(ok))
    by_source = {name: round(float(np.mean(told)), 3) for name, told in sorted(rows.items())}
    return {"n": len(pairs), "all": round(float(np.mean(right)), 4),
            "by_source_mean": round(float(np.mean(list(by_source.values()))), 4), "by_source": by_source}  # fmt: skip


class Stream:
    """Batches of a mix from a position on: pass after pass, each encoded when it begins."""

    def __init__(self, mix: Path, words: Tokenizer, seed: int, marks: Marks = MPNET) -> None:
        self._shares = shares_of(mix)
        self._marks = marks
        self._parts = read(mix, list(self._shares))
        self._words, self._seed = words, seed

    def after(self, state: dict[str, Any]) -> Iterator[list[Encoded]]:
        """Batches after ``state``, which is moved on before each is given."""
        while True:
            chosen = one_pass(self._parts, self._shares, state["pass"], self._seed)
            units = encode_units(chosen, self._words, marks=self._marks)
            done = state["batch"]
            order = batches(units, tokens=TOKENS, seed=self._seed + state["pass"])
            for at, batch in enumerate(order):
                if at >= done:
                    state["batch"] = at + 1
                    yield batch
            state.update({"pass": state["pass"] + 1, "batch": 0})


class Clock:
    """What is due by the clock: a line of the log, a checkpoint, a check of held-out pairs."""

    def __init__(self) -> None:
        now = time.monotonic()
        self._last = {"log": now, "save": now, "check": now}

    def due(self, name: str, every: float) -> bool:
        """Whether ``every`` seconds have gone since it was last due."""
        if time.monotonic() - self._last[name] < every:
            return False
        self._last[name] = time.monotonic()
        return True


def train(run: Run, stream: Stream, held: Sequence[Encoded], until: int) -> None:
    """Go on until ``until`` pairs are seen or SIGTERM comes; then save."""
    stop: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, frame: stop.append(number))
    clock, losses = Clock(), list[float]()
    before = dict(run.state)
    run.model.train()
    for batch in stream.after(run.state):
        losses.append(run.step(batch))
        if clock.due("log", LOG_EVERY):
            cpu = run.state["cpu"] - before["cpu"]
            run.log(loss=round(float(np.mean(losses)), 4), rate=run.plan.rate(run.state["pairs"]),
                    tokens_per_cpu_second=round((run.state["tokens"] - before["tokens"]) / cpu, 1),
                    pairs_per_cpu_second=round((run.state["pairs"] - before["pairs"]) / cpu, 2))  # fmt: skip
            losses, before = [], dict(run.state)
        if run.waiting:
            continue
        if clock.due("save", SAVE_EVERY):
            run.save()
        if run.state["pairs"] - run.state["snapshot"] >= SNAPSHOT_EVERY:
            run.snapshot()
        if clock.due("check", CHECK_EVERY):
            run.log(event="held_out", **held_accuracy(run.model, held, run.type))
        if stop or run.state["pairs"] >= until:
            break
    run.save()
    run.log(event="stopped" if stop else "end", **held_accuracy(run.model, held, run.type) if not stop else {})


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", type=Path, required=True, help="folder of checkpoint, snapshots and log")
    parser.add_argument("--mix", type=Path, required=True, help="folder that wide_mix wrote")
    parser.add_argument("--weights", type=Path, help="folder that fetch_mpnet wrote; without it the shipped graph")
    parser.add_argument("--until", type=int, default=600_000, help="pairs seen at which the run ends")
    parser.add_argument("--rate", type=float, default=4e-5)
    parser.add_argument("--warm", type=int, default=3000, help="pairs over which the rate rises")
    parser.add_argument("--cool-from", type=int, default=10**9, help="pairs at which the rate begins to fall")
    parser.add_argument("--frozen", type=int, default=0, help="lowest layers that are not trained")
    parser.add_argument("--seed", type=int, default=21)
    args = parser.parse_args()
    torch.set_num_threads(1)
    args.run.mkdir(parents=True, exist_ok=True)
    with (args.run / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            parser.error(f"another run works in {args.run}: end it with SIGTERM and wait until it has saved")
        plan = Plan(args.rate, args.warm, cool_from=args.cool_from, cool_to=max(args.until, args.cool_from + 1))
        model = judge(args.weights, args.seed) if args.weights else small_judge()
        run = Run(args.run, model, plan, args.frozen)
        if run.state["mix"] != args.mix.name:
            run.state.update({"mix": args.mix.name, "pass": 0, "batch": 0})
        words = tokenizer(args.weights / "tokenizer.json" if args.weights else WEIGHTS / "verifier_tokenizer.json")
        rows = sample_held([pair for (pair,) in read(args.mix, ["held"])["held"]], HELD)
        held = encode(rows, words, marks=model.marks)
        products = "numpy" if run.type is torch.float32 and use_faster_products(run.model) else "torch"
        run.log(event="start", until=args.until, frozen=args.frozen, type=str(run.type), products=products,
                held=len(held))  # fmt: skip
        torch.manual_seed(args.seed + run.state["steps"])
        train(run, Stream(args.mix, words, args.seed, model.marks), held, args.until)
        if isinstance(model, SmallJudge):
            torch.save({"model": model.classifier(), "state": run.state}, args.run / "verifier.pt")


if __name__ == "__main__":
    main()
