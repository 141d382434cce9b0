"""The tables of a project, one file a family, put together by ``storage.store``. Promises stand in ``core.ports``."""
