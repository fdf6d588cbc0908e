-- Of the jobs that are free, the one with the lowest rank comes first.
ALTER TABLE jobs ADD COLUMN rank BIGINT NOT NULL DEFAULT 0;
CREATE INDEX jobs_by_rank ON jobs (kind, rank, free_at);
