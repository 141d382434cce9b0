"""Weights between those a run began with and those it ended with: ``python -m training.verifier.average --run FOLDER``.

A run that goes on from a trained model on other data gains there and loses elsewhere; weights between the two keep most
of both (Wortsman et al. 2022, "Robust fine-tuning of zero-shot models"). Writes ``NAME-averaged.pt`` beside the
checkpoint, for ``export --name``. Run it before ``export`` replaces the graph that the run began with.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch

from training.verifier.export import float_model
from training.verifier.start import SHIPPED, STARTS, classifier

Weights = dict[str, torch.Tensor]


def between(start: Weights, end: Weights, share: float) -> Weights:
    """``(1 - share) * start + share * end`` for every parameter; what is no float is that of ``end``.

    Raises:
        ValueError: the two have other parameters, or ``share`` is not in [0, 1].
    """
    if not 0 <= share <= 1:
        raise ValueError(f"the share is {share}: it lies between 0 (the start) and 1 (the end of the run)")
    if start.keys() != end.keys():
        raise ValueError(f"not of one model: only one of them has {sorted(start.keys() ^ end.keys())[:3]}")
    return {
        name: (1 - share) * start[name] + share * value if value.is_floating_point() else value
        for name, value in end.items()
    }


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", type=Path, required=True)
    parser.add_argument("--name", default="verifier")
    parser.add_argument("--start", choices=(*STARTS, SHIPPED), default=SHIPPED)
    parser.add_argument("--share", type=float, default=0.5, help="of the end of the run")
    args = parser.parse_args()
    kept = torch.load(args.run / f"{args.name}.pt", map_location="cpu", weights_only=True)
    ended, state = float_model(args.run / f"{args.name}.pt", args.start)
    began = classifier(args.start, dropout=0.0)
    weights = between(began.state_dict(), ended.state_dict(), args.share)
    told = {"model": weights, "state": {**state, "share_of_the_run": args.share}, "sizes": kept["sizes"]}
    torch.save(told, args.run / f"{args.name}-averaged.pt")


if __name__ == "__main__":
    main()
