"""A run of the base-size judge: one process of one thread, prolonged over days, its position kept in one small file.

The rate rises, stays, and falls only in a last stretch that is named when its time has come; so a run is prolonged by
calling it again, and a copy of its folder can be brought to an end while the run itself goes on.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from training.verifier.errors import Diverged
from training.verifier.mpnet_ids import tensors
from training.verifier.mpnet_start import Judge, SmallJudge, freeze, put, trained
from training.verifier.objective import loss_of
from training.verifier.units import Encoded

MOST_SNAPSHOTS = 4
HEAD_RATE = 10.0
USUAL_PAIRS, LEAST_PAIRS = 20, 16
"""A batch weighs by its pairs over ``USUAL_PAIRS``, and an update waits for ``LEAST_PAIRS``: batches of five long pairs
alone, clipped to the same length as the others, would drown what twenty short ones say."""
SLOW_EVERY, SLOW_STEPS = 16, 400
"""The slow weights are a mean over about the last ``SLOW_STEPS`` steps, moved on every ``SLOW_EVERY``."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Rate over the pairs seen: up over ``warm`` pairs, ``peak``, down to 2 % between ``cool_from`` and ``cool_to``."""

    peak: float = 4e-5
    warm: int = 3000
    cool_from: int = 10**9
    cool_to: int = 10**9 + 1

    def rate(self, pairs: int) -> float:
        """Learning rate of the encoder after so many pairs."""
        up = min(1.0, (pairs + 1) / self.warm)
        down = min(1.0, (self.cool_to - pairs) / max(1, self.cool_to - self.cool_from))
        return self.peak * max(0.02, min(up, down)) if pairs > self.warm else self.peak * up


class Run:
    """Model, optimiser, slow weights and position; saved and restored as one file."""

    def __init__(self, folder: Path, model: Judge | SmallJudge, plan: Plan, frozen: int = 0) -> None:
        """``model`` gives the start weights; a checkpoint in ``folder`` replaces them. ``frozen`` counts layers."""
        self.folder, self.model, self.plan = folder, model, plan
        self.waiting = 0
        """Pairs whose gradient has not moved the weights yet."""
        self.file = folder / "judge.pt"
        self.state: dict[str, Any] = {
            "steps": 0, "pairs": 0, "tokens": 0, "cpu": 0.0, "mix": "", "pass": 0, "batch": 0, "snapshot": 0,
        }  # fmt: skip
        self.type = faster_type()
        freeze(model, frozen)
        self.learnt = {name: value for name, value in model.named_parameters() if value.requires_grad}
        kept = torch.load(self.file, map_location="cpu", weights_only=True) if self.file.exists() else None
        if kept is not None:
            put(model, kept["model"])
            self.state |= kept["state"]
        self.optimiser = self._optimiser(None if kept is None else kept["moments"])
        self.slow = {name: value.detach().clone() for name, value in self.learnt.items()}
        for name, value in (kept or {}).get("slow", {}).items():
            if name in self.slow:
                self.slow[name] = value.float()

    def _optimiser(self, moments: dict[str, Any] | None) -> torch.optim.AdamW:
        head = {id(value) for value in self.model.head()}
        groups: dict[tuple[bool, bool], list[torch.nn.Parameter]] = {}
        for value in self.learnt.values():
            groups.setdefault((id(value) in head, value.ndim > 1), []).append(value)
        optimiser = torch.optim.AdamW(
            [
                {"params": rows, "weight_decay": 0.01 if matrix else 0.0, "times": HEAD_RATE if of_head else 1.0}
                for (of_head, matrix), rows in groups.items()
            ],
            lr=self.plan.peak, betas=(0.9, 0.98), fused=True,
        )  # fmt: skip
        for name, (mean, square) in (moments or {}).items():
            if name not in self.learnt:
                continue
            optimiser.state[self.learnt[name]] = {
                "step": torch.tensor(float(self.state["steps"])),
                "exp_avg": mean.float(),
                "exp_avg_sq": square.float(),
            }
        return optimiser

    def step(self, batch: Sequence[Encoded]) -> float:
        """The gradient of one batch; the weights move once ``LEAST_PAIRS`` have been seen. Its mean loss.

        Raises:
            Diverged: the loss is no number.
        """
        begun = time.process_time()
        ids, mask, labels = tensors(batch, self.model.marks.pad)
        with arithmetic(self.type):
            logits = self.model(ids, mask)
        loss = loss_of(logits, labels)
        told = float(loss.detach())
        if not math.isfinite(told):
            raise Diverged(f"The loss is {told} at step {self.state['steps']}: lower --rate, go on from a snapshot.")
        (loss * len(batch) / USUAL_PAIRS).backward()
        self.waiting += len(batch)
        self.state["pairs"] += len(batch)
        self.state["tokens"] += int(mask.sum())
        if self.waiting >= LEAST_PAIRS:
            self._move()
        self.state["cpu"] += time.process_time() - begun
        return told

    def _move(self) -> None:
        """One update from the gradients that wait."""
        for group in self.optimiser.param_groups:
            group["lr"] = self.plan.rate(self.state["pairs"]) * group["times"]
        torch.nn.utils.clip_grad_norm_(self.learnt.values(), 1.0)
        self.optimiser.step()
        self.optimiser.zero_grad(set_to_none=True)
        self.waiting = 0
        self.state["steps"] += 1
        if self.state["steps"] % SLOW_EVERY == 0:
            self._follow()

    @torch.no_grad()
    def _follow(self) -> None:
        share = min(1.0, SLOW_EVERY / min(SLOW_STEPS, max(1.0, self.state["steps"] / 4)))
        for name, value in self.learnt.items():
            self.slow[name].lerp_(value, share)

    def save(self) -> None:
        """Write beside, then rename: a killed run leaves the last whole checkpoint (about 700 MB)."""
        moments = {
            name: (kept["exp_avg"].bfloat16(), kept["exp_avg_sq"].bfloat16())
            for name, value in self.learnt.items()
            if (kept := self.optimiser.state.get(value))
        }
        self._write(self.file, {
            "model": trained(self.model), "slow": {name: value.half() for name, value in self.slow.items()},
            "moments": moments, "state": self.state,
        })  # fmt: skip

    def snapshot(self) -> None:
        """The weights alone under a number (172 MB); only the last ``MOST_SNAPSHOTS`` stay."""
        self.state["snapshot"] = self.state["pairs"]
        self._write(self.folder / f"snapshot-{self.state['pairs']:07d}.pt", {
            "model": trained(self.model), "slow": {name: value.half() for name, value in self.slow.items()},
            "state": self.state,
        })  # fmt: skip
        for old in sorted(self.folder.glob("snapshot-*.pt"))[:-MOST_SNAPSHOTS]:
            old.unlink()

    def _write(self, file: Path, told: dict[str, Any]) -> None:
        staged = file.with_suffix(".part")
        torch.save(told, staged)
        staged.rename(file)

    def log(self, **row: Any) -> None:
        """One JSON line with time and position."""
        line = json.dumps({"at": time.strftime("%Y-%m-%d %H:%M:%S"), **self.state, **row})
        with (self.folder / "judge.jsonl").open("a", encoding="utf-8") as stream:
            stream.write(line + "\n")
        print(line[:300], flush=True)


def faster_type() -> torch.dtype:
    """Number type that this machine multiplies faster: bfloat16 where it has tiles for it (AMX), else float32.

    Measured, not read from the flags: a Xeon that has ``avx512_bf16`` but no AMX took twice as long in bfloat16.
    """
    took = {}
    for kind in (torch.float32, torch.bfloat16):
        given, weight = torch.ones(768, 768, dtype=kind), torch.ones(3072, 768, dtype=kind)
        torch.nn.functional.linear(given, weight)
        begun = time.process_time()
        for _ in range(6):
            torch.nn.functional.linear(given, weight)
        took[kind] = time.process_time() - begun
    return min(took, key=lambda kind: took[kind])


def arithmetic(kind: torch.dtype) -> AbstractContextManager[object]:
    """Autocast to ``kind``; nothing for float32."""
    return torch.autocast("cpu", dtype=kind) if kind != torch.float32 else nullcontext()


def load(file: Path, model: Judge | SmallJudge, slow: bool = False) -> dict[str, Any]:
    """Weights of a checkpoint or snapshot into ``model``; what it says of its position."""
    kept: dict[str, Any] = torch.load(file, map_location="cpu", weights_only=True)
    put(model, kept["model"] | (kept["slow"] if slow else {}))
    told: dict[str, Any] = kept["state"]
    return told
