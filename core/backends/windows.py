"""Cutting a token sequence that is longer than the model reads: nothing is dropped."""


def windows(length: int, limit: int) -> list[tuple[int, int]]:
    """The fewest half-open spans of at most ``limit`` that cover ``range(length)`` in order, of even size. >>>
    windows(5, 10), windows(11, 10), windows(0, 10) ([(0, 5)], [(0, 6), (6, 11)], [(0, 0)])"""
    count = max(1, -(-length // limit))
    step = max(1, -(-length // count))
    return [(start, min(length, start + step)) for start in range(0, max(1, length), step)]
