"""Training on one GPU, on everything, within ten minutes: ``python -m training.verifier.gpu train --run FOLDER``.

Not yet run on a GPU. Three commands:

``pack``   where the data is: the mix as ids, one file for the machine with the GPU (``pairs.xz``);
``train``  on that machine: all pairs of that file, several passes; a killed run goes on when called again;
``join``   at home: what came back as a checkpoint that ``training.verifier.export`` reads.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from training.verifier.errors import DataMissing, NoTorch, StartUnusable, TrainingError

if TYPE_CHECKING:
    from transformers import BertForSequenceClassification

    from training.verifier.batches import Encoded
    from training.verifier.place import Single
    from training.verifier.running import Options, Run

PAIRS = "pairs.xz"
STARTS = ("shipped", "ms-marco-MiniLM-L-12-v2", "bge-small-en-v1.5", "all-MiniLM-L6-v2")
EXPORTS = ("onnx", "onnxruntime")
PARITY = 200


def pack(args: argparse.Namespace) -> None:
    """Build the mix where it is not built yet, and write it as ids.

    Raises:
        DataMissing: the collection is not there.
    """
    from training.verifier.pack import write_pairs
    from training.verifier.train import prepare

    if not (args.run / "mix.json").is_file() and not (args.data / "train" / "pairs" / "CLASSES.json").is_file():
        raise DataMissing(f"{args.data} has no train/pairs/CLASSES.json: name the shared data folder with --data.")
    parts = prepare(args.run, args.data, args.seed, args.held)
    write_pairs(args.pairs, parts)
    counts = ", ".join(f"{len(rows)} {name}" for name, rows in parts.items())
    print(f"{args.pairs}: {counts} pairs, {args.pairs.stat().st_size / 2**20:.1f} MiB")


def train(args: argparse.Namespace) -> None:
    """Check what is there, train, validate, write; see ``main`` for the words.

    Raises:
        TrainingError: what is missing and what to do.
    """
    begun = time.monotonic()
    if importlib.util.find_spec("torch") is None:
        raise NoTorch("This Python has no torch: use one that has it, built with CUDA.")
    from training.verifier import running
    from training.verifier.pack import read_pairs
    from training.verifier.place import single

    place = single(args.device)
    if args.data is not None and not args.pairs.is_file():
        pack(args)
    parts = read_pairs(args.pairs)
    args.run.mkdir(parents=True, exist_ok=True)
    run = _run(args, place)
    start = {"start": str(args.start_folder or args.start), "device": _device(place)}
    run.log(event="start", **start, parts={name: len(rows) for name, rows in parts.items()},
            before=round(time.monotonic() - begun, 1))  # fmt: skip
    run.saved = _back(args, run, start)
    everything = [*parts["short"], *parts["long"]]
    running.train(run, [running.Phase(everything, running.LIMITS[1], 1.0, args.seed)], parts["held"])
    _write(args, run, parts["held"])
    print(f"{time.monotonic() - begun:.0f} s in all.")
    print(_afterwards(args))


def _run(args: argparse.Namespace, place: Single) -> Run:
    import torch

    from training.verifier.running import Options, Run

    options = Options(
        folder=args.run, start=args.start, name=args.name, seconds=args.seconds, rate=args.rate, tokens=args.tokens,
        dropout=args.dropout, seed=args.seed, train_embeddings=args.train_embeddings, check_every=args.check_every,
        save_every=args.save_every, log_every=args.log_every, most_passes=args.passes,
    )  # fmt: skip
    torch.manual_seed(args.seed)
    return Run(options, place, _start(args, options))


def _start(args: argparse.Namespace, options: Options) -> BertForSequenceClassification:
    from core.errors import ModelError
    from training.verifier.start import classifier, from_folder

    if args.start_folder is not None:
        return from_folder(args.start_folder, dropout=options.dropout)
    try:
        return classifier(args.start, dropout=options.dropout)
    except (ModelError, OSError) as error:
        raise StartUnusable(f"The start {args.start!r} is not here: {error} --start shipped is in the tree.") from error
    except ModuleNotFoundError as error:
        raise StartUnusable(f"The start {args.start!r} needs {error.name} to be read: install it.") from error


def _device(place: Single) -> str:
    import torch

    return torch.cuda.get_device_name() if place.device.type == "cuda" else "cpu"


def _back(args: argparse.Namespace, run: Run, start: dict[str, Any]) -> Callable[[], None]:
    """Writes what comes back; at each checkpoint, so that a run that is stopped leaves it too."""
    from training.verifier.pack import write_back
    from training.verifier.start import sizes

    told = {**start, "sizes": sizes(run.model), "kept": _kept(run.model)}
    log = args.run / f"{args.name}.jsonl"

    def write() -> None:
        trained = {name: p for name, p in run.model.named_parameters() if p.requires_grad}
        write_back(args.out, args.name, trained, {**told, "state": run.state})
        if args.out.resolve() != args.run.resolve():
            (args.out / log.name).write_bytes(log.read_bytes())

    return write


def _write(args: argparse.Namespace, run: Run, held: list[Encoded]) -> None:
    """The int8 graph beside the checkpoint where its libraries are; what comes back once more, with the whole log."""
    lacking = [name for name in EXPORTS if importlib.util.find_spec(name) is None]
    run.model.to("cpu").eval()
    parity = None if lacking else _export(args.run / f"{args.name}.onnx", run.model, held)
    run.log(event="export", parity=parity, lacking=lacking)
    run.saved()


def _export(path: Path, model: BertForSequenceClassification, held: list[Encoded]) -> dict[str, float]:
    from training.verifier import export

    staged = path.with_suffix(".part")
    export.to_onnx(model, staged)
    model.config._attn_implementation = "sdpa"
    parity = export.parity(model, staged, held[:: max(1, len(held) // PARITY)])
    staged.rename(path)
    return parity


def _kept(model: BertForSequenceClassification) -> str:
    """SHA-256 over the parameters that were not trained, so that ``join`` takes them from the same start."""
    found = hashlib.sha256()
    for name, parameter in sorted(model.named_parameters()):
        if not parameter.requires_grad:
            found.update(name.encode() + parameter.detach().cpu().numpy().tobytes())
    return found.hexdigest()


def join(args: argparse.Namespace) -> None:
    """A checkpoint for ``export`` from the pieces and the start.

    Raises:
        DataMissing: a piece is missing.
        StartUnusable: the start here is another than the one that was trained from.
    """
    import torch

    from training.verifier.pack import read_back
    from training.verifier.running import Options

    state, told = read_back(args.out, args.name)
    model = _start(args, Options(folder=args.run, start=args.start))
    for name, parameter in model.named_parameters():
        parameter.requires_grad = name in state
    if _kept(model) != told["kept"]:
        raise StartUnusable(f"These pieces were trained from {told['start']}, which differs from the start named here.")
    model.load_state_dict(state, strict=False)
    args.run.mkdir(parents=True, exist_ok=True)
    path = args.run / f"{args.name}.pt"
    if path.exists():
        raise StartUnusable(f"{path} is there already: name another --run, so that nothing is lost.")
    staged = path.with_suffix(".part")
    torch.save({"model": model.state_dict(), "state": told["state"], "sizes": told["sizes"]}, staged)
    staged.rename(path)
    print(f"{path}\n{_afterwards(args, joined=True)}")


def _afterwards(args: argparse.Namespace, *, joined: bool = False) -> str:
    start = f"--start-folder {args.start_folder}" if args.start_folder else f"--start {args.start}"
    lines = [f"python -m training.verifier.gpu join --run RUN --name {args.name} --out FOLDER_THAT_CAME_BACK {start}"]
    lines += [
        f"python -m training.verifier.export --run RUN --name {args.name} --data ../shared/data --start {args.start}",
        "python -m training.verifier.calibrate --data ../shared/data",
        "python -m training.verifier.combine --data ../shared/data     (in the product's own environment)",
        "python -m benchmarks verification",
    ]
    return "\n".join(["Then, at home:", *(lines[1:] if joined else lines)])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=("pack", "train", "join"))
    parser.add_argument("--run", type=Path, required=True, help="folder of the mix, checkpoint, log and graph")
    parser.add_argument("--pairs", type=Path, help=f"file of the pairs as ids (default: RUN/{PAIRS})")
    parser.add_argument("--out", type=Path, help="folder of what comes back, small files (default: RUN/back)")
    parser.add_argument("--data", type=Path, help="the shared data folder, where it is at hand")
    parser.add_argument("--name", default="verifier", help="name of the checkpoint and log")
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda")
    parser.add_argument("--start", choices=STARTS, default=STARTS[0])
    parser.add_argument("--start-folder", type=Path, help="a BERT in hub layout, of any width, instead of --start")
    parser.add_argument("--seconds", type=float, default=480.0, help="seconds of training")
    parser.add_argument("--passes", type=float, default=8.0, help="passes over all pairs, at most")
    parser.add_argument("--rate", type=float, default=2e-4)
    parser.add_argument("--tokens", type=int, default=16384, help="tokens a batch")
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument("--held", type=int, default=300, help="held-out pairs a source (pack)")
    parser.add_argument("--check-every", type=float, default=60.0, help="seconds between held-out checks")
    parser.add_argument("--save-every", type=float, default=60.0, help="seconds between checkpoints")
    parser.add_argument("--log-every", type=float, default=10.0, help="seconds between lines of the log")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--train-embeddings", action="store_true")
    return parser


def main(words: Sequence[str] | None = None) -> None:
    """Command line. Ends with 2 and one line of JSON where something is missing."""
    parser = _parser()
    args = parser.parse_args(words)
    if args.command == "pack" and args.data is None:
        parser.error("pack needs --data")
    args.out = args.out or args.run / "back"
    args.pairs = args.pairs or args.run / PAIRS
    try:
        {"pack": pack, "train": train, "join": join}[args.command](args)
    except TrainingError as error:
        print(json.dumps({"error": type(error).__name__, "message": str(error)}), file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
