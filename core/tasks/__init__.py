"""Long work that joins stages: auditing reports, fetching what they cite, verifying claims."""
