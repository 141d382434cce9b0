"""Errors that a caller can act on.

    WorkbenchError
    ├── ProjectError
    │   ├── InvalidName          a name that no project can have
    │   ├── ProjectNotFound
    │   └── ConfirmationMissing  a destructive call without its confirmation
    ├── SourceError
    │   ├── FetchFailed          carries the FetchState
    │   ├── UnreadableSource     carries the FetchState
    │   └── DocumentNotFound
    ├── StorageError
    │   ├── DatabaseDamaged
    │   ├── DatabaseTooNew       written by a newer version
    │   ├── DatabaseTooOld       written before the first release
    │   ├── DatabaseBusy         another process held the lock too long
    │   └── BlobMissing          stored bytes are gone or do not match their hash
    ├── ArchiveError
    │   └── HostileArchive       a zip that must not be taken in
    ├── ModelError
    │   ├── ModelNotFound
    │   ├── ModelDamaged         a file differs from its pinned hash
    │   ├── ExtraMissing         names the extra to install
    │   └── LateEngineError      an engine of late interaction cannot build or answer
    │       └── LateEngineStopped  its process was killed; the same again may end well
    ├── QueryError               an empty or oversized query
    ├── ReportError              a report that cannot be read or is not there
    │   └── ReportNotFound
    ├── ClaimError               a claim that is empty, too long or not there
    │   └── ClaimNotFound
    ├── RowMoved                 the row was changed meanwhile; look again, then decide
    ├── ReviewError              a decision that cannot be taken as it stands
    │   ├── NoteMissing          accepted without its source here, and without a word of where it was checked
    │   └── NotAllowed           the person's role does not permit it
    ├── ExportError              something could not be written out
    ├── LlmError                 a language model did not answer as asked
    │   ├── LlmOff               not switched on, or no key; the message says how
    │   ├── BudgetReached        the call could cost more than the project may still spend
    │   ├── LlmKeyRejected
    │   ├── LlmRequestRejected   the API refuses the request as it stands
    │   ├── LlmBusy              overloaded, rate-limited, failing, or too slow, also after retries
    │   ├── LlmRefused           the model declines
    │   └── LlmMalformed         the reply is not what was asked for, also after one repair
    ├── WebSearchError           a web search cannot be made as it stands
    ├── AnswerError              an answer or a saved question that is not there or cannot be made
    ├── SettingsError
    ├── ServiceError             the HTTP service, or the way to it
    │   ├── RequestRefused       carries the HTTP status
    │   ├── TokenRejected
    │   └── ServiceBusy          carries after how many seconds to try again
    └── JobError
        ├── JobNotFound
        └── JobCancelled         raised inside a job when the user asked it to stop

Every message says what was wrong, with which thing, and what to do.
"""

from typing import Any

from core.labels import FetchState


class WorkbenchError(Exception):
    """Base of all errors that the workbench raises on purpose."""


class ProjectError(WorkbenchError):
    """Something about a project as a whole."""


class InvalidName(ProjectError):
    """The name cannot be used for a project."""


class ProjectNotFound(ProjectError):
    """No project with this slug under the root."""


class ConfirmationMissing(ProjectError):
    """A destructive call was made without the confirmation it asks for."""


class SourceError(WorkbenchError):
    """Something about one source."""


class _StatefulSourceError(SourceError):
    def __init__(self, state: FetchState, message: str) -> None:
        super().__init__(message)
        self.state = state

    def __reduce__(self) -> tuple[type, tuple[FetchState, str]]:
        # Raised in worker processes: the default pickling would drop the state.
        return type(self), (self.state, str(self))


class FetchFailed(_StatefulSourceError):
    """The bytes of a source could not be had; ``state`` says why."""


class UnreadableSource(_StatefulSourceError):
    """The bytes are there but hold no text we can read; ``state`` says why."""


class DocumentNotFound(SourceError):
    """No document with this id in the project."""


class StorageError(WorkbenchError):
    """Something about the stored files of a project."""


class DatabaseDamaged(StorageError):
    """SQLite reports that the project's database is malformed."""


class DatabaseTooNew(StorageError):
    """The project was written by a newer version of the workbench."""


class DatabaseTooOld(StorageError):
    """The project was written before the first release, with a schema that is not read any more."""


class DatabaseBusy(StorageError):
    """Another process held the write lock longer than the time-out."""


class BlobMissing(StorageError):
    """Stored bytes are gone, or differ from their SHA-256."""


class ArchiveError(WorkbenchError):
    """A project zip could not be written or read."""


class HostileArchive(ArchiveError):
    """A zip breaks a rule of safe import; nothing of it was taken over."""


class ModelError(WorkbenchError):
    """Something about model weights."""


class ModelNotFound(ModelError):
    """No place that may be used holds this model."""


class ModelDamaged(ModelError):
    """A model file differs from its pinned SHA-256."""


class ExtraMissing(ModelError):
    """An optional dependency is not installed; the message names the extra."""


class LateEngineError(ModelError):
    """An engine of late interaction beside our own cannot build its index, or cannot answer from it."""


class LateEngineStopped(LateEngineError):
    """The engine's process was killed, so that the same again may end well."""


class QueryError(WorkbenchError):
    """The query cannot be run as it stands."""


class ReportError(WorkbenchError):
    """A report cannot be audited as it stands."""


class ReportNotFound(ReportError):
    """No report (or no finding of a report) with this id in the project."""


class ClaimError(WorkbenchError):
    """A claim cannot be taken as it stands."""


class ClaimNotFound(ClaimError):
    """No claim with this id in the project."""


class RowMoved(WorkbenchError):
    """The row has another version than the caller saw; nothing was written."""


class ReviewError(WorkbenchError):
    """A decision, a role, or a threshold cannot be taken as it stands."""


class NoteMissing(ReviewError):
    """A citation whose source is not here was accepted without a note that says where it was checked."""


class NotAllowed(ReviewError):
    """The person's role in this project does not permit this; nothing was written."""


class ExportError(WorkbenchError):
    """Something could not be written out as asked."""


class LlmError(WorkbenchError):
    """A language model did not answer as asked. ``completion``: what came and was counted before (a Completion)."""

    completion: Any = None


class LlmOff(LlmError):
    """Not switched on, or without a key; nothing was sent."""


class BudgetReached(LlmError):
    """The call could cost more than the project may still spend; nothing was sent."""


class LlmKeyRejected(LlmError):
    """The API does not accept the key."""


class LlmRequestRejected(LlmError):
    """The API refuses the request as it stands; trying again would not help."""


class LlmBusy(LlmError):
    """The API is overloaded, rate-limited, failing or too slow, also after retries."""


class LlmRefused(LlmError):
    """The model declines to answer."""


class LlmMalformed(LlmError):
    """The reply is not what was asked for, also after one repair."""


class WebSearchError(WorkbenchError):
    """A web search cannot be made as it stands."""


class AnswerError(WorkbenchError):
    """An answer or a saved question is not there, or cannot be made as asked."""


class SettingsError(WorkbenchError):
    """A setting is unknown or out of its range."""


class ServiceError(WorkbenchError):
    """The HTTP service did not answer as asked, or cannot be set up as asked."""


class RequestRefused(ServiceError):
    """The request cannot be taken as it stands; ``status`` is that of HTTP (RFC 9110), ``faults`` are places of the
    request with what is wrong there."""

    def __init__(self, status: int, message: str, faults: tuple[tuple[str, str], ...] = ()) -> None:
        super().__init__(message)
        self.status = status
        self.faults = faults


class TokenRejected(ServiceError):
    """The request carries no token, or not the token of the service."""


class ServiceBusy(ServiceError):
    """Too much is under way, or it takes too long; ``retry_after`` says in how many seconds to try again."""

    def __init__(self, message: str, retry_after: int = 2) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class JobError(WorkbenchError):
    """Something about a job."""


class JobNotFound(JobError):
    """No job with this id in the project."""


class JobCancelled(JobError):
    """The user asked this job to stop; what it had finished stays."""
