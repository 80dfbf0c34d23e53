-- Where the speech begins that continues at the end of the chunk, so that the next chunk's transcription begins there.
-- Milliseconds from the start of the chunk, below 0 if it began before. Null if the engine does not detect speech.
alter table chunks add column finished_ms integer;
