"""A run: model, optimiser and position as one file, its steps, its log, and the loop over its phases.

The length of a run is given in seconds of training (what a deadline allows) and the schedule follows the share of it
that is used; steps and pairs seen are in the log.
"""

from __future__ import annotations

import itertools
import json
import math
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers import BertForSequenceClassification

from training.verifier.batches import Encoded, Row, batches
from training.verifier.errors import Diverged
from training.verifier.objective import is_right, learning_rate, loss_of
from training.verifier.place import Feed, Place, autocast, check_memory, needed
from training.verifier.start import sizes

LIMITS = (128, 320)


@dataclass(frozen=True, slots=True)
class Options:
    """What a run is told. Times in seconds; ``tokens`` are ids a batch of one process, padding among them."""

    folder: Path
    start: str
    name: str = "verifier"
    seconds: float = 4500.0
    rate: float = 1e-4
    tokens: int = 1536
    dropout: float = 0.0
    seed: int = 7
    train_embeddings: bool = False
    check_every: float = 600.0
    save_every: float = 300.0
    log_every: float = 60.0
    most_passes: float = math.inf
    """Passes over the pairs of all phases after which a run ends although seconds are left."""


@dataclass(frozen=True, slots=True)
class Phase:
    """Pairs at a length, until a share of the run is used; the batches follow from ``seed``."""

    pairs: Sequence[Encoded]
    limit: int
    until: float
    seed: int


@torch.no_grad()
def accuracy(
    model: BertForSequenceClassification, place: Place, pairs: Sequence[Encoded], limit: int
) -> dict[str, Any]:
    """Accuracy over all pairs, mean over sources, and by source; every process takes its part."""
    model.eval()
    feed = place.feed(pairs, limit)
    order = sorted(feed.rows, key=lambda row: row.size(limit))[place.rank :: place.workers]
    told = []
    for at in range(0, len(order), place.held_rows):
        given, labels, _ = feed(order[at : at + place.held_rows])
        with autocast(place):
            told.append(is_right(model(**given).logits, labels))
    mine: dict[str, list[float]] = defaultdict(list)
    for row, ok in zip(order, torch.cat(told).tolist() if told else [], strict=True):
        mine[row.source].append(float(ok))
    model.train()
    parts = place.gather(dict(mine))
    found = {name: [ok for part in parts for ok in part.get(name, [])] for name in {n for part in parts for n in part}}
    by_source = {name: round(float(np.mean(rows)), 3) for name, rows in sorted(found.items())}
    every = [ok for rows in found.values() for ok in rows]
    return {"n": len(every), "all": float(np.mean(every)), "by_source_mean": float(np.mean(list(by_source.values()))),
            "by_source": by_source}  # fmt: skip


class Run:
    """Model, optimiser, position; saved and restored as one file."""

    def __init__(self, options: Options, place: Place, model: BertForSequenceClassification) -> None:
        """``model`` gives the start weights; torch is seeded by whoever made it."""
        self.options, self.place = options, place
        self.model = model
        self.saved: Callable[[], object] = lambda: None
        """Called after each checkpoint."""
        for parameter in model.base_model.embeddings.parameters():
            parameter.requires_grad = options.train_embeddings
        self.file = options.folder / f"{options.name}.pt"
        self.state: dict[str, Any] = {"seconds": 0.0, "steps": 0, "pairs": 0, "tokens": 0, "phase": 0, "batch": 0}
        kept = torch.load(self.file, map_location="cpu", weights_only=True) if self.file.exists() else None
        if kept is not None:
            model.load_state_dict(kept["model"])
        model.to(place.device)
        decay = [p for n, p in model.named_parameters() if p.requires_grad and p.ndim > 1]
        plain = [p for n, p in model.named_parameters() if p.requires_grad and p.ndim == 1]
        groups = [{"params": decay, "weight_decay": 0.01}, {"params": plain, "weight_decay": 0.0}]
        self.optimiser = torch.optim.AdamW(groups, lr=options.rate, betas=(0.9, 0.98), fused=True)
        if kept is not None:
            self.optimiser.load_state_dict(kept["optimiser"])
            self.state = kept["state"]
            torch.manual_seed(options.seed + self.state["steps"])

    def save(self) -> None:
        """Write beside, then rename: a killed run leaves the last whole checkpoint."""
        if self.place.rank:
            return
        staged = self.file.with_suffix(".part")
        torch.save(
            {"model": self.model.state_dict(), "optimiser": self.optimiser.state_dict(), "state": self.state,
             "sizes": sizes(self.model)}, staged,
        )  # fmt: skip
        staged.rename(self.file)
        self.saved()

    def log(self, **row: Any) -> None:
        """One JSON line."""
        if self.place.rank:
            return
        line = json.dumps({"at": time.strftime("%H:%M:%S"), **self.state, **row})
        with (self.options.folder / f"{self.options.name}.jsonl").open("a") as stream:
            stream.write(line + "\n")
        print(line[:400], flush=True)

    def step(self, feed: Feed, batch: Sequence[Any], progress: float) -> torch.Tensor:
        """One update from this process's batch and the others'; the loss of this one's, still on the device."""
        for group in self.optimiser.param_groups:
            group["lr"] = learning_rate(progress, self.options.rate)
        given, labels, count = feed(batch)
        with autocast(self.place):
            logits = self.model(**given).logits
        loss = loss_of(logits, labels)
        loss.backward()
        self.place.average(self.model.parameters())
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimiser.step()
        self.optimiser.zero_grad(set_to_none=True)
        self.state["steps"] += 1
        self.state["pairs"] += len(batch) * self.place.workers
        self.state["tokens"] += count * self.place.workers
        return loss.detach()

    def agree(self, pairs: int) -> float:
        """Share of the run that is used, by the clock of the first process, so that all stop at the same step.

        ``pairs`` is what one pass has. On a GPU the clock is that of the host, which is a step or two ahead of it.
        """
        self.state["seconds"] = self.place.agree(self.state["seconds"])
        seen = float(self.state["pairs"]) / (self.options.most_passes * max(1, pairs))
        return max(float(self.state["seconds"]) / self.options.seconds, seen)


class Watch:
    """Logs, saves and validates by the agreed clock, so that the processes do it at the same step."""

    def __init__(self, run: Run, held: Sequence[Encoded]) -> None:
        self._run, self._held = run, held
        self._losses: list[torch.Tensor] = []
        self._saved = self._logged = self._checked = run.state["seconds"]
        self._pairs = run.state["pairs"]

    def after(self, loss: torch.Tensor, limit: int) -> None:
        """Called after each step, while the run's seconds are those of its beginning.

        Raises:
            Diverged: the loss is no number; the checkpoint is of before.
        """
        run, now = self._run, self._run.state["seconds"]
        self._losses.append(loss)
        if now - self._logged > run.options.log_every:
            speed = (run.state["pairs"] - self._pairs) / (now - self._logged)
            mean = float(np.mean(torch.stack(self._losses).tolist()))  # the only place that waits for the losses
            if not math.isfinite(mean):
                raise Diverged(f"The loss is {mean} at step {run.state['steps']}: lower --rate and start anew.")
            run.log(loss=round(mean, 4), pairs_per_second=round(speed, 1))
            self._losses, self._logged, self._pairs = [], now, run.state["pairs"]
        if now - self._saved > run.options.save_every:
            run.save()
            self._saved = now
        if now - self._checked > run.options.check_every:
            run.log(event="held_out", **accuracy(run.model, run.place, self._held, limit))
            self._checked = now


def train(run: Run, phases: Sequence[Phase], held: Sequence[Encoded]) -> None:
    """Go on from where the run stands until its seconds or passes are used; save and validate on the way and after.

    Raises:
        NotEnoughMemory: before the first step, on a GPU.
        Diverged: the loss is no number.
    """
    run.model.train()
    watch = Watch(run, held)
    total = sum(len(phase.pairs) for phase in phases)
    for number, phase in enumerate(phases):
        if number < run.state["phase"]:
            continue
        if number > run.state["phase"]:
            run.state.update(phase=number, batch=0)
        _learn(run, phase, watch, total)
    run.save()
    run.log(event="end", **accuracy(run.model, run.place, held, LIMITS[1]))


def _learn(run: Run, phase: Phase, watch: Watch, total: int) -> None:
    ids = sum(pair.size(phase.limit) for pair in phase.pairs)
    check_memory(run.place, needed(run.model, run.options.tokens, phase.limit, ids))
    feed = run.place.feed(phase.pairs, phase.limit)
    rank, workers = run.place.rank, run.place.workers
    stream = _passes(feed.rows, phase, run.options.tokens)
    for at, batch in itertools.islice(enumerate(stream), rank, None, workers):
        if at < run.state["batch"]:
            continue
        progress = run.agree(total)
        if progress >= phase.until:
            break
        begun = time.monotonic()
        loss = run.step(feed, batch, progress)
        run.state["batch"] = at - rank + workers
        watch.after(loss, phase.limit)
        run.state["seconds"] += time.monotonic() - begun


def _passes(rows: Sequence[Row], phase: Phase, tokens: int) -> Iterator[list[Row]]:
    for number in range(100):
        yield from batches(rows, tokens=tokens, limit=phase.limit, seed=phase.seed + number)
