"""RAGatouille (PLAID) as a snapshot engine of late interaction: the extra ``ragatouille``. Everything heavy runs in
processes of its own (``worker``); what is imported here is light."""
