"""Which start weights learn best: ``python -m training.verifier.probe --run FOLDER --data FOLDER``.

Every start sees the same pairs in the same order under the same learning-rate schedule, which goes by pairs and not by
seconds, so that what else runs on the machine changes nothing. One line of JSON a start goes to ``probe.jsonl`` in the
run folder; starts that are there already are passed over.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path

import torch
import torch.distributed as dist

from training.verifier import mix
from training.verifier.batches import batches, tensors
from training.verifier.objective import learning_rate, loss_of
from training.verifier.place import Workers
from training.verifier.running import LIMITS, accuracy
from training.verifier.start import STARTS, classifier
from training.verifier.train import prepare

FILE = "probe.jsonl"


def learn(start: str, args: argparse.Namespace, parts: dict) -> dict:
    """Train ``start`` on the first ``args.pairs`` short pairs; its accuracy on the held-out ones along the way."""
    torch.manual_seed(args.seed)
    model = classifier(start, dropout=0.0)
    for parameter in model.bert.embeddings.parameters():
        parameter.requires_grad = False
    model.train()
    learnt = [parameter for parameter in model.parameters() if parameter.requires_grad]
    optimiser = torch.optim.AdamW(learnt, lr=args.rate, betas=(0.9, 0.98), weight_decay=0.01, fused=True)
    seen, curve, cpu = 0, [], time.process_time()
    marks = [args.pairs * part // 3 for part in (1, 2, 3)]
    for batch in batches(parts["short"], tokens=args.tokens, limit=LIMITS[0], seed=args.seed):
        for group in optimiser.param_groups:
            group["lr"] = learning_rate(min(1.0, seen / args.pairs), args.rate)
        given = tensors(batch, LIMITS[0])
        labels = given.pop("labels")
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits = model(**given).logits
        loss_of(logits, labels).backward()
        torch.nn.utils.clip_grad_norm_(learnt, 1.0)
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)
        seen += len(batch)
        if marks and seen >= marks[0]:
            marks.pop(0)
            found = accuracy(model, Workers(), parts["held"], LIMITS[0])
            curve.append({"pairs": seen, "all": round(found["all"], 4), "by_source": round(found["by_source_mean"], 4)})
            print(start, curve[-1], flush=True)
        if seen >= args.pairs:
            break
    return {"start": start, "pairs": seen, "held": found["n"], "curve": curve, "by_source": found["by_source"],
            "cpu_seconds": round(time.process_time() - cpu)}  # fmt: skip


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--pairs", type=int, default=6000)
    parser.add_argument("--rate", type=float, default=1e-4)
    parser.add_argument("--tokens", type=int, default=1536)
    parser.add_argument("--held", type=int, default=60)
    parser.add_argument("--seed", type=int, default=7)
    args = parser.parse_args()
    torch.set_num_threads(1)
    mix.load(args.run, args.data, args.seed)
    file = args.run / FILE
    done = {json.loads(line)["start"] for line in file.read_text().splitlines()} if file.exists() else set()
    with tempfile.TemporaryDirectory() as folder:
        dist.init_process_group("gloo", init_method=f"file://{folder}/meeting", rank=0, world_size=1)
        parts = prepare(args.run, args.data, args.seed, args.held)
        for start in (one for one in STARTS if one not in done):
            row = learn(start, args, parts)
            with file.open("a") as stream:
                stream.write(json.dumps(row) + "\n")
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
