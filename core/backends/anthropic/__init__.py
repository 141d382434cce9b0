"""The language model of Anthropic's Messages API: requests, streamed replies, errors, prices."""
