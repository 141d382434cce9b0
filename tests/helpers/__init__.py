"""What several tests share: projects made of real parts, loopback servers, packs, reviewers."""
