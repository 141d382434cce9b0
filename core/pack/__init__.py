"""Audit packs: checked offline, judged again, taken in."""
