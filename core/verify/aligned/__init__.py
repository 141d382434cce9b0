"""Claim and sentence laid side by side: words that correspond, and what differs between them."""
