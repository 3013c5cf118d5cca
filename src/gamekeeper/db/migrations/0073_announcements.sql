-- Announcements: schedules whose runs are a message to all game servers, without a segment.

ALTER TABLE schedules
    ALTER COLUMN segment DROP NOT NULL,
    ALTER COLUMN definition DROP NOT NULL,
    ADD CONSTRAINT schedules_segment_whole CHECK ((segment IS NULL) = (definition IS NULL));
