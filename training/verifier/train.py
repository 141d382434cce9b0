"""Train the verifier: ``python -m training.verifier.train --run FOLDER --data FOLDER``; the same command resumes.

Two phases share one learning-rate schedule: short pairs (128 tokens), then long ones (320 tokens) with a replay of
short ones. The length of a run is given in seconds of training (what a deadline allows) and the schedule
follows the share of
it that is used; steps and pairs seen are in the log.

Each core runs one worker process of one thread on its own batches and the gradients are averaged: two threads on one
batch wait for each other at every operation and reach a quarter of that as soon as anything else wants a core.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.distributed as dist
from torch import multiprocessing
from torch.nn import functional
from transformers import BertForSequenceClassification

from training.verifier import mix
from training.verifier.batches import Encoded, batches, encode, tensors
from training.verifier.data import NOT_SUPPORTED
from training.verifier.negatives import unrelated
from training.verifier.start import STARTS, carried, classifier

LIMITS = (128, 320)
SAVE_EVERY = 300.0
LOG_EVERY = 60.0
LONG_SHARES = {"unrelated": 0.35, "scifact_windows": 1.0, "scifact_train_abstract": 0.5, "pubmedqa_conclusion": 1.0}
LONG_OTHER = 0.12
UNRELATED_SHARE = 0.1
REPLAY = 0.5
"""The second phase: shares of the long pairs by source, of the other sources, and short pairs for each long one."""


def loss_of(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Mean cross-entropy; for NOT_SUPPORTED rows -log(1 - p(supports))."""
    log = functional.log_softmax(logits.float(), dim=-1)
    binary = labels == NOT_SUPPORTED
    known = -log.gather(1, labels.clamp(max=2).unsqueeze(1)).squeeze(1)
    apart = -torch.logsumexp(log[:, 1:], dim=-1)
    return torch.where(binary, apart, known).mean()


def is_right(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Whether the label is met; a NOT_SUPPORTED row is met by any class but supports."""
    best = logits.argmax(-1)
    return torch.where(labels == NOT_SUPPORTED, best != 0, best == labels)


@torch.no_grad()
def accuracy(model: BertForSequenceClassification, pairs: Sequence[Encoded], limit: int) -> dict[str, Any]:
    """Accuracy over all pairs, mean over sources, and by source; every worker takes its part."""
    model.eval()
    found: dict[str, list[float]] = defaultdict(list)
    order = sorted(pairs, key=lambda pair: pair.size(limit))[dist.get_rank() :: dist.get_world_size()]
    for at in range(0, len(order), 32):
        batch = order[at : at + 32]
        given = tensors(batch, limit)
        labels = given.pop("labels")
        with torch.autocast("cpu", dtype=torch.bfloat16):
            right = is_right(model(**given).logits, labels)
        for pair, ok in zip(batch, right.tolist(), strict=True):
            found[pair.source].append(float(ok))
    model.train()
    parts: list[Any] = [None] * dist.get_world_size()
    dist.all_gather_object(parts, dict(found))
    found = {name: [ok for part in parts for ok in part.get(name, [])] for name in {n for part in parts for n in part}}
    by_source = {name: round(float(np.mean(rows)), 3) for name, rows in sorted(found.items())}
    every = [ok for rows in found.values() for ok in rows]
    return {"n": len(every), "all": float(np.mean(every)), "by_source_mean": float(np.mean(list(by_source.values()))),
            "by_source": by_source}  # fmt: skip


def learning_rate(progress: float, peak: float, warm: float = 0.05) -> float:
    """Linear warm-up over ``warm`` of the run, then linear decay to 2 % of the peak."""
    return peak * (progress / warm if progress < warm else max(0.02, (1 - progress) / (1 - warm)))


class Run:
    """Model, optimiser, position; saved and restored as one file."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args
        self.folder: Path = args.run
        torch.manual_seed(args.seed)
        self.model = classifier(args.start, dropout=args.dropout)
        for parameter in self.model.bert.embeddings.parameters():
            parameter.requires_grad = args.train_embeddings
        decay = [p for n, p in self.model.named_parameters() if p.requires_grad and p.ndim > 1]
        plain = [p for n, p in self.model.named_parameters() if p.requires_grad and p.ndim == 1]
        groups = [{"params": decay, "weight_decay": 0.01}, {"params": plain, "weight_decay": 0.0}]
        self.optimiser = torch.optim.AdamW(groups, lr=args.rate, betas=(0.9, 0.98), fused=True)
        self.state: dict[str, Any] = {"seconds": 0.0, "steps": 0, "pairs": 0, "tokens": 0, "phase": 0, "batch": 0}
        self.file = self.folder / f"{args.name}.pt"
        if self.file.exists():
            kept = torch.load(self.file, weights_only=True)
            self.model.load_state_dict(kept["model"])
            self.optimiser.load_state_dict(kept["optimiser"])
            self.state = kept["state"]
            torch.manual_seed(args.seed + self.state["steps"])

    def save(self) -> None:
        """Write beside, then rename: a killed run leaves the last whole checkpoint."""
        if dist.get_rank():
            return
        staged = self.file.with_suffix(".part")
        torch.save(
            {"model": self.model.state_dict(), "optimiser": self.optimiser.state_dict(), "state": self.state}, staged
        )
        staged.rename(self.file)

    def log(self, **row: Any) -> None:
        """One JSON line."""
        if dist.get_rank():
            return
        line = json.dumps({"at": time.strftime("%H:%M:%S"), **self.state, **row})
        with (self.folder / f"{self.args.name}.jsonl").open("a") as stream:
            stream.write(line + "\n")
        print(line[:400], flush=True)

    def step(self, batch: Sequence[Encoded], limit: int, progress: float) -> float:
        """One update from this worker's batch and the others'; the loss of this worker's."""
        for group in self.optimiser.param_groups:
            group["lr"] = learning_rate(progress, self.args.rate)
        given = tensors(batch, limit)
        labels = given.pop("labels")
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits = self.model(**given).logits
        loss = loss_of(logits, labels)
        loss.backward()
        self._average()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimiser.step()
        self.optimiser.zero_grad(set_to_none=True)
        self.state["steps"] += 1
        workers = dist.get_world_size()
        self.state["pairs"] += len(batch) * workers
        self.state["tokens"] += int(given["attention_mask"].sum()) * workers
        return float(loss.detach())

    def _average(self) -> None:
        gradients = [p.grad for p in self.model.parameters() if p.grad is not None]
        flat = torch.cat([gradient.reshape(-1) for gradient in gradients])
        dist.all_reduce(flat)
        flat /= dist.get_world_size()
        at = 0
        for gradient in gradients:
            gradient.copy_(flat[at : at + gradient.numel()].view_as(gradient))
            at += gradient.numel()

    def agree(self) -> float:
        """Share of the run that is used, by the clock of the first worker, so that all stop at the same step."""
        used = torch.tensor([self.state["seconds"]], dtype=torch.float64)
        dist.broadcast(used, 0)
        self.state["seconds"] = float(used)
        return float(used) / float(self.args.seconds)


def phases(parts: dict[str, list[Encoded]], seed: int, tokens: int) -> tuple[Iterator[list[Encoded]], ...]:
    """Batches of the short and of the long phase, several passes each."""
    rng = random.Random(seed)
    long = [pair for pair in parts["long"] if rng.random() < LONG_SHARES.get(pair.source, LONG_OTHER)]
    replay = rng.sample(parts["short"], min(len(parts["short"]), int(REPLAY * len(long))))

    def passes(pairs: Sequence[Encoded], limit: int, first: int) -> Iterator[list[Encoded]]:
        for number in range(100):
            yield from batches(pairs, tokens=tokens, limit=limit, seed=first + number)

    return passes(parts["short"], LIMITS[0], seed), passes([*long, *replay], LIMITS[1], seed + 500)


def prepare(args: argparse.Namespace) -> dict[str, list[Encoded]]:
    """The mix as token ids; held-out pairs are at most ``args.held`` a source."""
    pairs = mix.load(args.run, args.data, args.seed)
    held: dict[str, int] = defaultdict(int)
    kept = []
    for pair in pairs["held"]:
        held[pair.source] += 1
        if held[pair.source] <= args.held:
            kept.append(pair)
    pairs["held"] = kept
    for part in ("short", "long"):
        pairs[part] += unrelated(pairs[part], UNRELATED_SHARE, args.seed)
    tokenizer = carried("ms-marco-MiniLM-L-12-v2") / "tokenizer.json"
    return {name: encode(rows, tokenizer) for name, rows in pairs.items()}


def train(args: argparse.Namespace) -> None:
    """Run until the seconds are used; log every minute, save and validate as told."""
    parts = prepare(args)
    run = Run(args)
    run.model.train()
    run.log(event="start", start=args.start, parts={name: len(rows) for name, rows in parts.items()})
    watch = Watch(run, parts["held"])
    for phase, stream in enumerate(phases(parts, args.seed, args.tokens)):
        if phase < run.state["phase"]:
            continue
        if phase > run.state["phase"]:
            run.state.update(phase=phase, batch=0)
        mine = itertools.islice(enumerate(stream), dist.get_rank(), None, dist.get_world_size())
        for at, batch in mine:
            if at < run.state["batch"]:
                continue
            progress = run.agree()
            if progress >= (1 - args.long_share, 1.0)[phase]:
                break
            begun = time.monotonic()
            loss = run.step(batch, LIMITS[phase], progress)
            run.state["batch"] = at - dist.get_rank() + dist.get_world_size()
            watch.after(loss, progress * args.seconds, LIMITS[phase])
            run.state["seconds"] += time.monotonic() - begun
    run.save()
    run.log(event="end", **accuracy(run.model, parts["held"], LIMITS[1]))


class Watch:
    """Logs, saves and validates by the agreed clock, so that the workers do it at the same step."""

    def __init__(self, run: Run, held: Sequence[Encoded]) -> None:
        self._run, self._held = run, held
        self._losses: list[float] = []
        self._saved = self._logged = self._checked = run.state["seconds"]
        self._pairs = run.state["pairs"]

    def after(self, loss: float, now: float, limit: int) -> None:
        """Called after each step with the seconds used when it began."""
        run = self._run
        self._losses.append(loss)
        if now - self._logged > LOG_EVERY:
            speed = (run.state["pairs"] - self._pairs) / (now - self._logged)
            run.log(loss=round(float(np.mean(self._losses)), 4), pairs_per_second=round(speed, 1))
            self._losses, self._logged, self._pairs = [], now, run.state["pairs"]
        if now - self._saved > SAVE_EVERY:
            run.save()
            self._saved = now
        if now - self._checked > run.args.check_every:
            run.log(event="held_out", **accuracy(run.model, self._held, limit))
            self._checked = now


def work(rank: int, args: argparse.Namespace, meeting: str) -> None:
    """One worker: joins the others, then trains."""
    torch.set_num_threads(1)
    dist.init_process_group("gloo", init_method=f"file://{meeting}", rank=rank, world_size=args.workers)
    train(args)
    dist.destroy_process_group()


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", type=Path, required=True, help="folder for the mix, checkpoints and the log")
    parser.add_argument("--data", type=Path, required=True, help="the shared data folder")
    parser.add_argument("--name", default="verifier", help="name of the checkpoint and log")
    parser.add_argument("--start", choices=STARTS, default=STARTS[0])
    parser.add_argument("--seconds", type=float, default=4500.0, help="seconds of training")
    parser.add_argument("--long-share", type=float, default=0.3, help="share of the seconds for long pairs")
    parser.add_argument("--rate", type=float, default=1e-4)
    parser.add_argument("--tokens", type=int, default=1536, help="tokens a batch of one worker")
    parser.add_argument("--dropout", type=float, default=0.0)
    parser.add_argument("--held", type=int, default=60, help="held-out pairs a source that are checked during training")
    parser.add_argument("--check-every", type=float, default=600.0, help="seconds between held-out checks")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--workers", type=int, default=2, help="processes of one thread")
    parser.add_argument("--train-embeddings", action="store_true")
    args = parser.parse_args()
    mix.load(args.run, args.data, args.seed)  # built once, before the workers read it
    with tempfile.TemporaryDirectory() as folder:
        multiprocessing.spawn(work, (args, f"{folder}/meeting"), nprocs=args.workers)


if __name__ == "__main__":
    main()
