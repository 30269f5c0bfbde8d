-- The names of a run's columns, so that its staged records can be read again by whoever asks why.
alter table runs add column source_header json;
