"""Costs of calls of a language model: the price list, and our own count of tokens before a call."""

import math
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Literal

from core.errors import SettingsError
from core.records import TokenUsage

Thinking = Literal["disabled", "between_tools", "always", "none"]

LETTERS_PER_TOKEN = 2.5
"""Characters a token of running text on the present tokenizer (the API's model pages: 2.5 million in a million)."""
THINKING_TOKENS = 2048
"""Room for thinking where it cannot be switched off; thinking counts as output."""
_RUNNING = re.compile(r"[A-Za-z \n]+")
_OWN = re.compile(r"([^=\s]+)\s*=\s*([0-9.]+)\s*/\s*([0-9.]+)")


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per million tokens, and what the model can do; see ``prices.toml``."""

    input: float
    output: float
    cache_write: float
    cache_read: float
    cacheable: int = 1024
    thinking: Thinking = "none"
    long_from: int | None = None
    long_factor: float = 1.0

    def cost(self, usage: TokenUsage) -> float:
        """US dollars of one call."""
        tokens = usage.input * self.input + usage.output * self.output
        tokens += usage.cache_read * self.cache_read + usage.cache_write * self.cache_write
        prompt = usage.total - usage.output
        long = self.long_from is not None and prompt > self.long_from
        return tokens * (self.long_factor if long else 1.0) / 1_000_000

    def dearest(self, prompt_tokens: int, output_tokens: int) -> float:
        """US dollars that a call of this size can cost at most: as if the whole prompt were written to the cache."""
        if self.cache_write > self.input:
            return self.cost(TokenUsage(output=output_tokens, cache_write=prompt_tokens))
        return self.cost(TokenUsage(output=output_tokens, input=prompt_tokens))


@cache
def price_list() -> Mapping[str, Price]:
    """Every model with a known price."""
    listed = tomllib.loads((files("core.backends.anthropic") / "prices.toml").read_text("utf-8"))
    return {name: Price(**values) for name, values in listed.items()}


def price_of(model: str, own: Sequence[str] = ()) -> Price | None:
    """The price of a model, None when it is not known. ``own`` are the setting's entries ``model=input/output``; the
    dated name of a model costs what the model costs. Raises SettingsError: an entry of ``own`` that cannot be read."""
    listed = price_list().get(model) or price_list().get(re.sub(r"-\d{8}$", "", model))
    for name, entry in map(own_price, own):
        if name == model:
            ours = Price(input=entry[0], output=entry[1], cache_write=entry[0] * 1.25, cache_read=entry[0] * 0.1)
            return replace(ours, cacheable=listed.cacheable, thinking=listed.thinking) if listed else ours
    return listed


def own_price(entry: str) -> tuple[str, tuple[float, float]]:
    """``model=input/output`` as (model, (input, output)); SettingsError when it is something else."""
    match = _OWN.fullmatch(entry.strip())
    try:
        if match is None:
            raise ValueError
        return match[1], (float(match[2]), float(match[3]))
    except ValueError:
        raise SettingsError(
            f"The price {entry[:80]!r} in llm.prices cannot be read. Write it like claude-sonnet-5-5=2/10: US dollars "
            "per million tokens, of the prompt and of the reply."
        ) from None


def tokens_of(text: str) -> int:
    """Our own count of tokens, meant to be rather too high: 2.5 letters a token, every other character a token of its
    own, two beyond the Basic Multilingual Plane."""
    letters = sum(len(run) for run in _RUNNING.findall(text))
    others = len(text) - letters
    beyond = sum(character > "\uffff" for character in text) if not text.isascii() else 0
    return math.ceil(letters / LETTERS_PER_TOKEN) + others + beyond
