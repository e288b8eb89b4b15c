-- Every table leads with site_id in its key and its indexes, so that the whole can be distributed by site.

-- The row is what serialises a site (FOR NO KEY UPDATE) and what seldom changes. What moves with every change is in
-- site_states: this row must not collect dead versions under an old snapshot, for every claim reads it.
CREATE TABLE sites (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name       text        NOT NULL UNIQUE,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- the mark of the cursor before the first event
    log_mark   bigint      NOT NULL,
    pace       json        NOT NULL,
    jira       json
);

-- One live row a site. Each change moves it to the next version, which is part of its key: the newest one is found
-- at the end of the index at once, however many dead versions a long snapshot keeps before it.
CREATE TABLE site_states (
    site_id            bigint      NOT NULL REFERENCES sites (id),
    version            bigint      NOT NULL,
    head               bigint      NOT NULL DEFAULT 0,
    head_mark          bigint      NOT NULL,
    counts             integer[]   NOT NULL DEFAULT '{0,0,0,0,0,0,0}',
    batches            bigint      NOT NULL DEFAULT 0,
    issues             bigint      NOT NULL DEFAULT 0,
    notes              bigint      NOT NULL DEFAULT 0,
    in_hand            bigint      NOT NULL DEFAULT 0,
    ready_from         bigint      NOT NULL DEFAULT 0,
    failures_in_row    integer     NOT NULL DEFAULT 0,
    claim_number       bigint      NOT NULL DEFAULT 0,
    seat_instance      text        NOT NULL DEFAULT '',
    seat_seen_at       timestamptz NOT NULL DEFAULT 'epoch',
    seat_pause_seconds integer     NOT NULL DEFAULT 0,
    seat_claim_number  bigint      NOT NULL DEFAULT 0,
    seat_noted_at      timestamptz NOT NULL DEFAULT 'epoch',
    PRIMARY KEY (site_id, version)
);
-- Dead versions make the index large for its few live rows. With the correlation of site_id at hand the planner then
-- takes reading all of them and sorting for cheaper than reading the index from its end.
ALTER TABLE site_states ALTER COLUMN site_id SET STATISTICS 0;

CREATE TABLE tokens (
    site_id      bigint      NOT NULL REFERENCES sites (id),
    id           bigint      GENERATED ALWAYS AS IDENTITY,
    name         text        NOT NULL,
    role         text        NOT NULL CHECK (role IN ('viewer', 'operator', 'agent', 'admin')),
    -- SHA-256 of the token; the token itself is shown once and kept nowhere
    hash         bytea       NOT NULL,
    created_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    expires_at   timestamptz,
    last_used_at timestamptz,
    revoked_at   timestamptz,
    PRIMARY KEY (site_id, id)
);
CREATE UNIQUE INDEX tokens_by_hash ON tokens (hash);
CREATE UNIQUE INDEX tokens_by_name ON tokens (name) WHERE revoked_at IS NULL;

CREATE SEQUENCE batch_ids;
CREATE SEQUENCE command_ids CACHE 1;

CREATE TABLE batches (
    site_id     bigint      NOT NULL REFERENCES sites (id),
    id          bigint      NOT NULL,
    title       text,
    author      text        NOT NULL,
    client_key  text,
    content     bytea,
    created_at  timestamptz NOT NULL,
    finished_at timestamptz,
    held        boolean     NOT NULL,
    status      text        NOT NULL CHECK (status IN ('pending', 'running', 'finished')),
    PRIMARY KEY (site_id, id)
);
CREATE UNIQUE INDEX batches_by_client_key ON batches (site_id, author, client_key) WHERE client_key IS NOT NULL;
CREATE INDEX batches_open ON batches (site_id, id) WHERE status <> 'finished';

-- The counts of a batch, kept apart and versioned like site_states, for the same reason.
CREATE TABLE batch_counts (
    site_id  bigint    NOT NULL,
    batch_id bigint    NOT NULL,
    version  bigint    NOT NULL,
    counts   integer[] NOT NULL,
    PRIMARY KEY (site_id, batch_id, version)
);
-- As for site_states.
ALTER TABLE batch_counts ALTER COLUMN site_id SET STATISTICS 0;

-- No CHECK stands here: Postgres reads each of them from its text again with every UPDATE, a tenth of what a claim
-- costs. The guards of the write path and the domain's types hold what they would.
CREATE TABLE commands (
    site_id        bigint      NOT NULL,
    id             bigint      NOT NULL,
    batch_id       bigint      NOT NULL,
    position       integer     NOT NULL,
    kind           text        NOT NULL,
    -- json, not jsonb: numbers keep their spelling, and nothing is refused for its size
    params         json        NOT NULL,
    temp_key       text,
    dedupe_key     uuid        NOT NULL,
    chain          bigint      NOT NULL,
    retry_of       bigint,
    created_at     timestamptz NOT NULL,
    status         text        NOT NULL,
    waiting        integer     NOT NULL,
    error          text,
    result_key     text,
    deliveries     smallint    NOT NULL DEFAULT 0,
    progress_done  integer,
    progress_total integer,
    progress_at    timestamptz,
    claimed_at     timestamptz,
    finished_at    timestamptz,
    root_cause     bigint,
    PRIMARY KEY (site_id, id)
-- The room is for the claimed and the ended version of each row, so that neither is sought a place elsewhere.
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX commands_by_position ON commands (site_id, batch_id, position);
CREATE INDEX commands_ready ON commands (site_id, id) WHERE status = 'queued' AND waiting = 0;
CREATE INDEX commands_unsuccessful ON commands (site_id, status, id) WHERE status IN ('failed', 'cancelled', 'skipped', 'confirmed_by_state');
CREATE INDEX commands_by_temp_key ON commands (site_id, temp_key, id) WHERE temp_key IS NOT NULL;
CREATE INDEX commands_retries ON commands (site_id, chain, id) WHERE retry_of IS NOT NULL;
CREATE INDEX commands_retry_of ON commands (site_id, retry_of) WHERE retry_of IS NOT NULL;

-- Who waits for whom: a command names the temporary key of a creation of its batch.
CREATE TABLE command_refs (
    site_id     bigint NOT NULL,
    creation_id bigint NOT NULL,
    command_id  bigint NOT NULL,
    temp_key    text   NOT NULL,
    PRIMARY KEY (site_id, creation_id, command_id)
);
CREATE INDEX command_refs_by_command ON command_refs (site_id, command_id);

-- Which issues a command is about; the key that a creation made is added when it is known.
CREATE TABLE command_keys (
    site_id    bigint NOT NULL,
    key        text   NOT NULL,
    command_id bigint NOT NULL,
    PRIMARY KEY (site_id, key, command_id)
);

-- What a search looks through, lower case. Apart from commands, so that a change of status does not write the
-- search index anew.
CREATE TABLE command_texts (
    site_id    bigint NOT NULL,
    command_id bigint NOT NULL,
    text       text   NOT NULL,
    PRIMARY KEY (site_id, command_id)
);

-- Which keys the present delivery of an open refresh has counted.
CREATE TABLE refresh_keys (
    site_id    bigint   NOT NULL,
    command_id bigint   NOT NULL,
    delivery   smallint NOT NULL,
    key        text     NOT NULL,
    PRIMARY KEY (site_id, command_id, delivery, key)
);

CREATE TABLE events (
    site_id        bigint      NOT NULL,
    seq            bigint      NOT NULL,
    mark           bigint      NOT NULL,
    at             timestamptz NOT NULL,
    kind           text        NOT NULL,
    actor          text,
    command_id     bigint,
    batch_id       bigint,
    from_status    text,
    to_status      text,
    cause          text,
    waiting        integer,
    error          text,
    result_key     text,
    deliveries     smallint,
    progress_done  integer,
    progress_total integer,
    claimed_at     timestamptz,
    finished_at    timestamptz,
    root_cause     bigint,
    key            text,
    moved_from     text,
    -- the note or the pace as it was left
    body           json,
    PRIMARY KEY (site_id, seq)
);
CREATE INDEX events_by_command ON events (site_id, command_id, seq) WHERE command_id IS NOT NULL;
CREATE INDEX events_by_age ON events (site_id, at);

CREATE TABLE issues (
    site_id       bigint      NOT NULL,
    key           text        NOT NULL,
    jira_id       text,
    -- of the key, to list by project and number
    key_project   text        NOT NULL,
    key_number    numeric     NOT NULL,
    project       text        NOT NULL,
    issue_type    text        NOT NULL,
    summary       text        NOT NULL,
    description   text,
    status        text        NOT NULL,
    sprint        text,
    parent        text,
    fields        json        NOT NULL,
    links         json        NOT NULL,
    links_version bigint      NOT NULL,
    refreshed_at  timestamptz NOT NULL,
    missing       boolean     NOT NULL,
    PRIMARY KEY (site_id, key)
);
CREATE UNIQUE INDEX issues_by_jira_id ON issues (site_id, jira_id) WHERE jira_id IS NOT NULL;
CREATE INDEX issues_by_number ON issues (site_id, key_project, key_number);
CREATE INDEX issues_by_project ON issues (site_id, project, key_project, key_number);
CREATE INDEX issues_by_sprint ON issues (site_id, sprint, key_project, key_number) WHERE sprint IS NOT NULL;

-- Old keys of moved issues, each leading to the present one.
CREATE TABLE issue_keys (
    site_id bigint NOT NULL,
    old_key text   NOT NULL,
    key     text   NOT NULL,
    PRIMARY KEY (site_id, old_key)
);
CREATE INDEX issue_keys_by_key ON issue_keys (site_id, key);

CREATE TABLE notes (
    site_id    bigint      NOT NULL,
    key        text        NOT NULL,
    text       text        NOT NULL,
    author     text        NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (site_id, key)
);
CREATE INDEX notes_by_age ON notes (site_id, updated_at DESC, key);

CREATE TABLE agents (
    site_id      bigint      NOT NULL REFERENCES sites (id),
    name         text        NOT NULL,
    instance     text        NOT NULL,
    version      text,
    problem      text,
    last_seen_at timestamptz NOT NULL,
    claim_number bigint      NOT NULL,
    PRIMARY KEY (site_id, name, instance)
);

-- Searches are fast where the server brings trigrams, and still right where it does not.
DO $$
BEGIN
    CREATE EXTENSION IF NOT EXISTS pg_trgm;
    CREATE INDEX command_texts_search ON command_texts USING gin (text gin_trgm_ops);
    CREATE INDEX issues_search ON issues USING gin (lower(key || ' ' || summary || ' ' || coalesce(description, '')) gin_trgm_ops);
EXCEPTION WHEN undefined_file OR insufficient_privilege OR feature_not_supported THEN
    RAISE NOTICE 'pg_trgm is not there: searches read every row';
END
$$;

-- Guards a change: where a row is not as the rule saw it, the transaction fails loudly. It is a function because the
-- COMMIT is on its way by then; it never returns.
CREATE FUNCTION hub_guard(what text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'guard: not so: %', what USING ERRCODE = 'check_violation';
END
$$;
