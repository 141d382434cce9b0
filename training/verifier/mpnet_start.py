"""Judge of base size: an MPNet encoder from all-mpnet-base-v2 under a small new head with three outputs.

The weights come out of five packages of the registry whose pieces, joined in order, are one zip (``fetch_mpnet.py``).
The head reads the first token and the mean of all tokens: the encoder was trained to put a sentence's meaning into the
mean, and the first token is what fine-tuning usually reads.
"""

from __future__ import annotations

import json
from pathlib import Path

import torch
from torch import nn
from transformers import BertForSequenceClassification, MPNetConfig, MPNetModel

from training.verifier.errors import StartUnusable
from training.verifier.mpnet_ids import BERT, MPNET

Weights = dict[str, torch.Tensor]
CLASSES = 3
FROZEN = "encoder.embeddings.word_embeddings.weight"
"""Word vectors (30,527 x 768) are not trained: they are a fifth of the parameters, and rare words would drift."""


class Judge(nn.Module):
    """Encoder and head; ``forward`` gives logits (n, 3) for SUPPORTS, CONTRADICTS, NEUTRAL."""

    marks = MPNET

    def __init__(self, config: MPNetConfig, dropout: float = 0.1) -> None:
        super().__init__()
        self.encoder = MPNetModel(config, add_pooling_layer=False)
        self.dense = nn.Linear(2 * config.hidden_size, config.hidden_size)
        self.dropout = nn.Dropout(dropout)
        self.out = nn.Linear(config.hidden_size, CLASSES)

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        """Logits (n, 3) from ids (n, longest) and their mask of ones and zeros of the same shape."""
        states = self.encoder(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        kept = attention_mask.unsqueeze(-1).to(states.dtype)
        mean = (states * kept).sum(1) / kept.sum(1)
        hidden = torch.tanh(self.dense(torch.cat([states[:, 0], mean], dim=-1)))
        logits: torch.Tensor = self.out(self.dropout(hidden))
        return logits

    def head(self) -> list[nn.Parameter]:
        """Parameters of the head."""
        return [*self.dense.parameters(), *self.out.parameters()]


class SmallJudge(nn.Module):
    """The BERT that the product ships, trained on like the base-size judge: the same inputs, the same logits."""

    marks = BERT

    def __init__(self, started: BertForSequenceClassification, dropout: float = 0.1) -> None:
        super().__init__()
        self.encoder, self.out, self.dropout = started.bert, started.classifier, nn.Dropout(dropout)

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        """Logits (n, 3) from ids (n, longest) and their mask of ones and zeros of the same shape."""
        ends = (input_ids == BERT.end).long()
        types = (ends.cumsum(1) - ends).clamp(max=1) * attention_mask  # 1 behind the first [SEP]
        told = self.encoder(input_ids=input_ids, attention_mask=attention_mask, token_type_ids=types)
        logits: torch.Tensor = self.out(self.dropout(told.pooler_output))
        return logits

    def head(self) -> list[nn.Parameter]:
        """Parameters of the head."""
        return list(self.out.parameters())

    def classifier(self) -> Weights:
        """The weights under the names that ``export`` and ``average`` read."""
        names = {"encoder.": "bert.", "out.": "classifier."}
        return {
            new + name.removeprefix(old): value.detach().clone()
            for old, new in names.items()
            for name, value in self.state_dict().items()
            if name.startswith(old)
        }


def small_judge() -> SmallJudge:
    """The shipped graph in float, with plain attention and no dropout inside the encoder."""
    from training.verifier.start import SHIPPED, classifier

    started = classifier(SHIPPED, dropout=0.0)
    started.config._attn_implementation = "eager"
    return SmallJudge(started)


def judge(folder: Path, seed: int = 7) -> Judge:
    """A judge with the encoder of ``folder`` (config.json, model.safetensors) and a head drawn with ``seed``.

    Raises:
        StartUnusable: the folder holds no MPNet, or parameters are missing.
    """
    from safetensors.torch import load_file

    file = folder / "config.json"
    if not file.is_file():
        raise StartUnusable(f"{folder} has no config.json: fetch the weights first (training/verifier/fetch_mpnet.py).")
    if (kind := json.loads(file.read_text(encoding="utf-8")).get("model_type")) != "mpnet":
        raise StartUnusable(f"{folder} holds a {kind!r}, not an MPNet.")
    torch.manual_seed(seed)
    model = Judge(configuration(folder))
    held = {f"encoder.{name}": x.float() for name, x in load_file(str(folder / "model.safetensors")).items()}
    missing = model.load_state_dict(held, strict=False).missing_keys
    wanting = [name for name in missing if name.startswith("encoder.") and "position_ids" not in name]
    if wanting:
        raise StartUnusable(f"{folder}: no weights for {', '.join(wanting[:3])}")
    return model


def configuration(folder: Path) -> MPNetConfig:
    """Sizes of the encoder, plain attention, no dropout inside the encoder."""
    config = MPNetConfig.from_pretrained(str(folder), local_files_only=True)
    config.hidden_dropout_prob = config.attention_probs_dropout_prob = 0.0
    config._attn_implementation = "eager"
    return config


def freeze(model: Judge | SmallJudge, layers: int) -> None:
    """Only the layers above the lowest ``layers`` of twelve, and the head, are trained; word vectors never are.

    With four frozen a step costs 28 of 36 parts, with six 24 (forward is one part a layer, backward two).
    """
    model.encoder.embeddings.word_embeddings.weight.requires_grad = False
    for at, layer in enumerate(model.encoder.encoder.layer):
        for value in layer.parameters():
            value.requires_grad = at >= layers
    if layers:
        below = [model.encoder.embeddings, getattr(model.encoder.encoder, "relative_attention_bias", None)]
        for value in (value for part in below if part is not None for value in part.parameters()):
            value.requires_grad = False


def trained(model: nn.Module) -> Weights:
    """Everything that a run changes, in float16: all but the word vectors and the numbers of the positions."""
    return {
        name: value.detach().to(torch.float16).clone()
        for name, value in model.state_dict().items()
        if name != FROZEN and value.is_floating_point()
    }


def put(model: nn.Module, weights: Weights) -> None:
    """The trained weights into a model that has the word vectors.

    Raises:
        StartUnusable: they are not of such a model.
    """
    names = {name for name, value in model.state_dict().items() if value.is_floating_point()} - {FROZEN}
    if names != set(weights):
        raise StartUnusable(f"weights of another model: {sorted(names ^ set(weights))[:3]}")
    model.load_state_dict({name: value.float() for name, value in weights.items()}, strict=False)
