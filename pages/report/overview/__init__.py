"""Overview: shows one report on one screen, to be read and printed; nothing can be changed on it."""
