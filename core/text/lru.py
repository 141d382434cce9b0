"""A dictionary of the values that were used last."""

from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Lru(Generic[Key, Value]):
    """At most ``size`` values; the one that was used least recently goes first. Callers that share it lock it."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._values: OrderedDict[Key, Value] = OrderedDict()

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: Key) -> Value | None:
        """The value, or None; it counts as used now."""
        if key not in self._values:
            return None
        self._values.move_to_end(key)
        return self._values[key]

    def put(self, key: Key, value: Value) -> list[Key]:
        """Keep a value as the one used last; returns the keys that had to go."""
        self._values[key] = value
        self._values.move_to_end(key)
        return [self._values.popitem(last=False)[0] for _ in range(len(self._values) - self._size)]
