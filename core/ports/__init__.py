"""The seams: what the stages need from storage, models, the web and running jobs, as protocols."""
