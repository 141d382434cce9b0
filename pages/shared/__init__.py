"""Parts that several pages share: session, safe text, tables, navigation, details of one row."""
