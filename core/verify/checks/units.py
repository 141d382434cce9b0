"""Units of measure in one form: the kind of thing that they measure, and the factor to a common unit.

Factors are exact by definition (SI; international yard and pound, 1959).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from core.verify.checks.currencies import currency_at, sign_before


class Unit(NamedTuple):
    """``kind`` is what is measured, ``factor`` turns the number into the kind's base unit."""

    kind: str
    factor: float


NO_UNIT = Unit("", 1.0)
_TABLE = {
    ("percent", 1.0): "% percent per_cent pct percentage",
    ("percentage point", 1.0): "percentage_point percentage_points percent_point percent_points pp ppt",
    ("basis point", 1.0): "basis_point basis_points bps",
    ("metre", 1.0): "m metre metres meter meters",
    ("metre", 1000.0): "km kms kilometre kilometres kilometer kilometers",
    ("metre", 0.01): "cm centimetre centimetres centimeter centimeters",
    ("metre", 0.001): "mm millimetre millimetres millimeter millimeters",
    ("metre", 1e-6): "µm μm micrometre micrometres micrometer micrometers micron microns",
    ("metre", 1e-9): "nm nanometre nanometres nanometer nanometers",
    ("metre", 1609.344): "mi mile miles",
    ("metre", 0.3048): "ft foot feet",
    ("metre", 0.9144): "yd yard yards",
    ("metre", 0.0254): "inch inches",
    ("square metre", 1.0): "m2 m² square_metre square_metres square_meter square_meters sq_m",
    ("square metre", 1e6): "km2 km² square_kilometre square_kilometres square_kilometer square_kilometers sq_km",
    ("square metre", 2589988.110336): "square_mile square_miles sq_mi",
    ("square metre", 10000.0): "ha hectare hectares",
    ("square metre", 4046.8564224): "acre acres",
    ("gram", 1.0): "g gram grams gramme grammes",
    ("gram", 1000.0): "kg kgs kilo kilos kilogram kilograms kilogramme kilogrammes",
    ("gram", 0.001): "mg milligram milligrams",
    ("gram", 1e-6): "µg μg mcg microgram micrograms",
    ("gram", 1e6): "tonne tonnes metric_ton metric_tons",
    ("gram", 907184.74): "ton tons",
    ("gram", 453.59237): "lb lbs",
    ("gram", 28.349523125): "oz ounce ounces",
    ("litre", 1.0): "l litre litres liter liters",
    ("litre", 0.001): "ml millilitre millilitres milliliter milliliters",
    ("degree Celsius", 1.0): "°c ℃ degree_c degrees_c degree_celsius degrees_celsius celsius degrees_centigrade",
    ("degree Fahrenheit", 1.0): "°f ℉ degree_f degrees_f degree_fahrenheit degrees_fahrenheit fahrenheit",
    ("degree", 1.0): "° degree degrees",
    ("kilometre per hour", 1.0): "km/h kph kmh kilometres_per_hour kilometers_per_hour",
    ("kilometre per hour", 1.609344): "mph miles_per_hour",
    ("second", 1.0): "s sec secs second seconds",
    ("second", 60.0): "min mins minute minutes",
    ("second", 3600.0): "h hr hrs hour hours",
    ("second", 86400.0): "day days",
    ("second", 604800.0): "week weeks",
    ("second", 1209600.0): "fortnight fortnights",
    ("month", 1.0): "month months",
    ("month", 12.0): "year years yr yrs",
    ("month", 120.0): "decade decades",
    ("month", 1200.0): "century centuries",
    ("month", 12000.0): "millennium millennia",
    ("watt", 1.0): "w watt watts",
    ("watt", 1e3): "kw kilowatt kilowatts",
    ("watt", 1e6): "mw megawatt megawatts",
    ("watt", 1e9): "gw gigawatt gigawatts",
    ("times", 1.0): "times fold x \u00d7",
}
UNITS: dict[str, Unit] = {
    name.replace("_", " "): Unit(kind, factor) for (kind, factor), names in _TABLE.items() for name in names.split()
}
TIME = frozenset({"second", "month"})
"""Kinds that the check of dates compares, not the check of numbers."""
_LONGEST_FIRST = sorted(UNITS, key=len, reverse=True)
_AFTER = re.compile(
    r"[ -]?(" + "|".join(re.escape(name).replace(r"\ ", r"[ -]") for name in _LONGEST_FIRST) + r")(?![\w²])",
    re.IGNORECASE,
)
_CASED = frozenset({"m", "g", "l", "s", "h", "w", "mw", "mi", "pp", "ft", "x"})
"""Letters that are a unit only in their usual case: "5 m", not "5 M"."""
_PRODUCT = frozenset({"x", "\u00d7"})
"""Signs that stand behind a number without a blank where they mean "times": "3x", not "4 x 100 m"."""


def unit_after(text: str, at: int) -> tuple[Unit, int]:
    """The unit that begins at ``at`` (after a space or hyphen) and its end; ``NO_UNIT`` without one."""
    match = _AFTER.match(text, at)
    name = match[1] if match else ""
    lower = name.lower().replace("-", " ")
    if match is None or (lower in _CASED and name not in (lower, "MW", "W")):
        currency, end = currency_at(text, at)
        return (Unit(currency, 1.0), end) if currency else (NO_UNIT, at)
    if lower in _PRODUCT and (match.start(1) > at or text[match.end() : match.end() + 1].isdigit()):
        return NO_UNIT, at
    return UNITS[lower], match.end()


def money_before(text: str, at: int) -> tuple[Unit, int]:
    """The currency whose sign or code ends at ``at`` and its start; ``NO_UNIT`` without one."""
    currency, start = sign_before(text, at)
    return (Unit(currency, 1.0), start) if currency else (NO_UNIT, at)
