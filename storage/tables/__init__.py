"""The tables of a project, one file a family, put together by ``storage.store``. ``core.ports`` says what methods promise."""
