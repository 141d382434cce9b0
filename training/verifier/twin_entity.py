"""Entities, also lower-case ones: a word as its sibling (mice / rats, liver / kidney), a symbol as another."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence

from training.verifier.twin_change import OTHER, Change, alike

_FAMILIES = """
mice rats rabbits pigs dogs hamsters zebrafish
mouse rat rabbit pig dog hamster
children adolescents adults infants
boys girls
men women
patients volunteers
liver kidney lung pancreas spleen heart
hepatic renal pulmonary pancreatic cardiac
breast prostate colorectal ovarian cervical bladder gastric
brain liver heart muscle skin
serum urine saliva
plasma urine saliva
diabetes asthma hypertension epilepsy osteoporosis arthritis
stroke pneumonia sepsis
obesity malnutrition anemia
depression schizophrenia anxiety dementia
tuberculosis malaria hepatitis influenza
insulin glucagon leptin cortisol
cholesterol glucose albumin creatinine hemoglobin calcium potassium sodium iron zinc
lymphocytes neutrophils macrophages monocytes platelets eosinophils
neurons astrocytes microglia oligodendrocytes
fibroblasts keratinocytes hepatocytes
bacteria viruses fungi parasites
bacterial viral fungal parasitic
bacterium virus fungus
protein lipid carbohydrate
proteins lipids carbohydrates
oral intravenous intramuscular subcutaneous intranasal topical
orally intravenously subcutaneously
surgery chemotherapy radiotherapy immunotherapy
vitamin mineral
aspirin ibuprofen paracetamol
metformin aspirin
smoking drinking
smokers drinkers
nurses physicians pharmacists dentists surgeons teachers
students teachers parents
transcription translation replication
kinase phosphatase protease
phosphorylation methylation acetylation ubiquitination
nucleus cytoplasm mitochondria membrane
mortality morbidity
sensitivity specificity
weekly daily monthly yearly hourly
week month year hour
days weeks months years hours
annually monthly
trees shrubs grasses
leaves roots stems flowers seeds
leaf root stem flower
oak lime maple birch pine
forest desert meadow swamp
forests deserts meadows
river lake sea
rivers lakes
soil water air
oxygen nitrogen hydrogen carbon
copper iron gold silver aluminum
sun moon
solar lunar
earth mars jupiter venus
winter summer spring autumn
north south east west
red blue green yellow black white
cats dogs horses cows sheep
birds fish frogs snakes insects
bird fish frog snake insect
mammals reptiles amphibians
wolf bear lion
wheat rice corn barley
apples oranges bananas
bread cheese milk butter
sugar salt
kitchen bathroom bedroom
school hospital library museum church
schools hospitals libraries museums churches
company university government
mayor governor president senator
singer actor dancer painter writer
songwriter producer director screenwriter
actress singer model
guitarist drummer bassist pianist
novel poem play
film album book song
comedy drama thriller horror musical
rock jazz pop country
football baseball basketball hockey tennis
goalkeeper defender midfielder striker
soccer rugby cricket
boxer wrestler swimmer
king queen prince princess duke
army navy
war battle treaty
election referendum
train bus tram car
trains buses trams cars
bicycle motorcycle
bridge tunnel road
roads bridges railways
coal oil gas
electric diesel
electricity water gas
rent wages taxes
prices wages taxes
rents prices
exports imports
cities villages towns
city village island
county province district
district suburb
american british canadian australian french german italian spanish
english welsh scottish irish
swedish norwegian danish finnish
japanese chinese korean indian
brazilian mexican argentine
monday tuesday wednesday thursday friday saturday sunday
democrat republican
christian muslim jewish
monkeys elephants tigers
violin piano guitar cello
engineer lawyer architect physicist chemist
chemistry physics biology geology
heat light sound
temperature pressure humidity
gravity friction magnetism
evaporation condensation precipitation
erosion weathering deposition
limestone sandstone granite
glaciers volcanoes earthquakes
photosynthesis respiration digestion
producer consumer decomposer
rain snow hail
rainfall snowfall
drought flood
telescope microscope thermometer
gene enzyme hormone
genes enzymes hormones
""".strip().splitlines()
_SIBLINGS: dict[str, tuple[str, ...]] = {}
for _line in _FAMILIES:
    for _word in _line.split():
        _SIBLINGS.setdefault(_word, tuple(other for other in _line.split() if other != _word))
_WORD = re.compile(r"(?<![\w-])[A-Za-z]+(?![\w-])")
_SYMBOL = re.compile(r"(?<![\w/(.-])[A-Z][A-Za-z]{2,4}\d{1,3}[A-Z]?\b(?![-/(])")
_NO_SYMBOL = frozenset(["Cars2", "Fig1", "Table1", "HIV1", "COVID19", "Group1", "Group2", "PMID1"])


def siblings(sentence: str, seed: int = 7) -> Iterator[Change]:
    """The sentence with one common noun or adjective as another of its kind that the sentence does not have."""
    there = {word.lower() for word in _WORD.findall(sentence)}
    rng = random.Random(f"{seed} {sentence}")
    for match in _WORD.finditer(sentence):
        old = match.group()
        others = [new for new in _SIBLINGS.get(old.lower(), ()) if new not in there]
        if not others or _is_name(sentence, match) or len(re.findall(rf"\b{old}\b", sentence, re.I)) > 1:
            continue
        new = rng.choice(others)
        yield Change(f"{sentence[: match.start()]}{alike(new, old)}{sentence[match.end() :]}", "sibling", OTHER, new)


def _is_name(sentence: str, match: re.Match[str]) -> bool:
    """Whether the word is part of a name ("White House", "Rock Springs") or of a fixed phrase."""
    if match.group()[0].islower():
        return bool(re.match(r"\s+(?:[A-Z]|of the (?:Year|day))", sentence[match.end() :])) and match.group() not in (
            "film", "album", "book", "song", "singer", "actor", "actress", "king", "queen", "district", "county",
        )  # fmt: skip
    if match.group().lower() in _NATIONS or match.group().endswith("day"):
        return bool(re.match(r"\s+[A-Z]", sentence[match.end() :]))
    return match.start() > 0 or bool(re.match(r"\s+[A-Z]", sentence[match.end() :]))


_NATIONS = frozenset(
    """
    american british canadian australian french german italian spanish english welsh scottish irish swedish
    norwegian danish finnish japanese chinese korean indian brazilian mexican argentine democrat republican
    christian muslim jewish
    """.split()  # noqa: SIM905
)


def symbols(sentence: str, pool: Sequence[str], seed: int = 7) -> Iterator[Change]:
    """The sentence with one gene, protein or other symbol ("STAT3") as another from ``pool``, all its mentions."""
    found = [name for name in dict.fromkeys(_SYMBOL.findall(sentence)) if name not in _NO_SYMBOL]
    rng = random.Random(f"{seed} {sentence}")
    for old in found:
        others = [new for new in pool if new not in sentence and new[:3] != old[:3]]
        if others:
            new = rng.choice(others)
            yield Change(re.sub(rf"(?<![\w/-]){re.escape(old)}\b", new, sentence), "symbol", OTHER, new)


def symbols_of(sentences: Sequence[str]) -> list[str]:
    """Symbols that the sentences have, sorted."""
    return sorted({name for text in sentences for name in _SYMBOL.findall(text)} - _NO_SYMBOL)
