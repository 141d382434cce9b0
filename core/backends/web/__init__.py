"""Providers of web search, one a module, and the Internet Archive; all speak HTTP through ``http``."""
