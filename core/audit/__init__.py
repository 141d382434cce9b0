"""Reading a report and finding what it cites: sentences, references, markers, and the pairs among them.

Nothing here asks a model or the network. Entry points: ``report.read_report`` and ``pairing.pair``.
"""
