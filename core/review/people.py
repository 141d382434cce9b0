"""Roles of the people in one project, enforced here and not by what a page shows."""

import re
import unicodedata

from core.errors import NotAllowed, ReviewError
from core.labels import Role
from core.ports.context import ProjectContext
from core.records import Person, ReviewPolicy
from core.records.decision_chain import require_name

_UNSEEN = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0]")
"""Letters and marks that show nothing, beside the format characters (category Cf) of Unicode."""
_JOINERS = "\u200c\u200d"
"""Zero-width non-joiner and joiner: Persian and Hindi names are written with them."""
_VIRAMA = 9


class ReviewPeople:
    """People and policy of one project. While nobody is named, everybody is an owner. As soon as somebody is, a name
    that is not listed may only look."""

    def __init__(self, context: ProjectContext) -> None:
        self._store, self._clock = context.store, context.clock

    def me(self, name: str) -> Person:
        """The person of this name with their role; a name that nobody can have may look."""
        name, people = name.strip(), self._store.people()
        listed = next((person for person in people if person.name == name), None)
        if listed is not None:
            return listed
        return Person(name, Role.OWNER if name and not people else Role.VIEWER, self._clock())

    def require(self, name: str, *, owner: bool = False) -> Person:
        """The person, if they may decide (or, with ``owner``, change how this project is reviewed). Raises ReviewError
        (the name is empty, cannot be one, or holds characters that are not seen) or NotAllowed (their role does not
        permit it)."""
        _require_visible(name.strip())
        person = self.me(name)
        if person.role is Role.OWNER or (person.role is Role.REVIEWER and not owner):
            return person
        owners = [person.name for person in self._store.people() if person.role is Role.OWNER]
        whom = " or ".join(owners[:3]) or "An owner"
        what = "change how this project is reviewed" if owner else "decide"
        raise NotAllowed(f"{person.name} is a {person.role.value} here and may not {what}. {whom} can change that.")

    def all(self) -> list[Person]:
        """In the order in which they were added; empty while nobody was named."""
        return self._store.people()

    def set_role(self, name: str, role: Role, *, by: str) -> Person:
        """Add someone, or change their role. Who names the first person becomes an owner. Raises NotAllowed (``by`` is
        no owner) or ReviewError (no owner would be left, or the name cannot be one)."""
        name = name.strip()
        _require_visible(name)
        owner = self.require(by, owner=True)
        people = self._store.people()
        self._keep_an_owner(name, role, people or [owner])
        if not people and name != owner.name:
            self._store.put_person(owner)
        self._store.put_person(Person(name, role, self._clock()))
        return self.me(name)

    def remove(self, name: str, *, by: str) -> None:
        """Take away someone's role; their decisions stay. Raises NotAllowed (``by`` is no owner) or ReviewError (they
        are not listed, or the last owner)."""
        self.require(by, owner=True)
        people = self._store.people()
        if name not in [person.name for person in people]:
            raise ReviewError(f"{name[:60]!r} is not among the people of this project. Reload the list.")
        self._keep_an_owner(name, None, people)
        self._store.remove_person(name)

    def _keep_an_owner(self, name: str, role: Role | None, people: list[Person]) -> None:
        left = [person for person in people if person.role is Role.OWNER and person.name != name]
        if role is not Role.OWNER and not left:
            raise ReviewError(f"{name} is the only owner. Make somebody else an owner first.")

    def policy(self) -> ReviewPolicy:
        """The policy: whether review is blind, and the threshold."""
        return self._store.review_policy()

    def set_policy(self, policy: ReviewPolicy, *, by: str) -> None:
        """Change how this project is reviewed, all but the threshold: with that, rows change
        (``ReviewThreshold.apply``). Raises NotAllowed (``by`` is no owner) or ReviewError (it has another threshold
        than the one in effect)."""
        self.require(by, owner=True)
        present = self._store.review_policy()
        if (policy.threshold, policy.target_precision) != (present.threshold, present.target_precision):
            raise ReviewError("The threshold changes rows, so it is set with its preview, not here. Nothing was kept.")
        self._store.set_review_policy(policy)


def _require_visible(name: str) -> None:
    """Refuse a name that looks like another one. Only of those who act now: the log is read with the names it has."""
    require_name(name)
    unseen = next((letter for at, letter in enumerate(name) if _is_unseen(letter) and not _joins(name, at)), "")
    if unseen:
        raise ReviewError(
            f"{name[:60]!a} cannot be a reviewer's name: it holds U+{ord(unseen):04X}, which is not seen or turns "
            "the direction of writing, so two names could look alike. Type the name again without it."
        )


def _is_unseen(letter: str) -> bool:
    return unicodedata.category(letter) == "Cf" or _UNSEEN.match(letter) is not None


def _joins(name: str, at: int) -> bool:
    """True when the character there is a joiner that changes how the letters around it are written: after a virama, or
    between letters of a script of the Arabic kind (close to RFC 5892, appendix A). Elsewhere it shows nothing, and two
    names would look alike."""
    if name[at] not in _JOINERS or at + 1 >= len(name) or unicodedata.category(name[at + 1])[0] != "L":
        return False
    if at and unicodedata.combining(name[at - 1]) == _VIRAMA:
        return True
    before = next((letter for letter in reversed(name[:at]) if unicodedata.category(letter) != "Mn"), "")
    return all(letter and unicodedata.bidirectional(letter) == "AL" for letter in (before, name[at + 1]))
