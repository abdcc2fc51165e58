/** In a schema of its own; a function that changes gets a new name, for an older server may still call the old one. */
export const SCHEMA = "mcp_server";

/** Of the locks of this schema. */
const LOCK = 7_265_817;
/** Of what one owner has. */
const OWNER_LOCK = LOCK + 1;

/** `CREATE INDEX IF NOT EXISTS` locks the table against all who write even where the index is there. */
const index = (name: string, on: string) => `DO $$ BEGIN
  IF to_regclass('${name}') IS NULL THEN CREATE INDEX ${name} ON ${on}; END IF;
END $$;`;

/**
 * Runs at every start, as one transaction: whoever comes second waits. Where all of it is there, it waits for nobody who writes and
 * nobody who writes for it.
 */
export const SETUP = `
SELECT pg_advisory_xact_lock(${LOCK}, 0);
CREATE SCHEMA IF NOT EXISTS ${SCHEMA};
SET LOCAL search_path TO ${SCHEMA};
CREATE SEQUENCE IF NOT EXISTS turns;
CREATE TABLE IF NOT EXISTS job (
  id text PRIMARY KEY, owner text NOT NULL, generation integer NOT NULL, format integer NOT NULL,
  head text NOT NULL, report bytea, checkpoint bytea,
  place bigint, ticket text UNIQUE,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(), expires_at timestamptz NOT NULL
);
${index("job_owner", "job (owner, created_at DESC)")}
${index("job_line", "job (owner, place) WHERE place IS NOT NULL")}
${index("job_running", "job (owner) WHERE ticket IS NOT NULL")}
${index("job_expires", "job (expires_at)")}
CREATE TABLE IF NOT EXISTS question (key text PRIMARY KEY, id text NOT NULL, expires_at timestamptz NOT NULL);
${index("question_id", "question (id)")}
CREATE TABLE IF NOT EXISTS tenant (owner text PRIMARY KEY, turn bigint NOT NULL, most integer NOT NULL);
-- Whose first job may be taken, as far as one knows: who is found with none, or at the limit, is not looked at again before that changes.
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = 'tenant'::regclass AND attname = 'ready') THEN
    ALTER TABLE tenant ADD COLUMN ready boolean NOT NULL DEFAULT true;
  END IF;
END $$;
${index("tenant_turn", "tenant (turn) WHERE ready")}
CREATE TABLE IF NOT EXISTS known (name text PRIMARY KEY, text text NOT NULL, expires_at timestamptz NOT NULL);
CREATE TABLE IF NOT EXISTS owed (one boolean PRIMARY KEY, tickets integer NOT NULL);
-- Whoever has a conflict waits for whoever has the row in hand.
INSERT INTO owed SELECT true, 0 WHERE NOT EXISTS (SELECT FROM owed);

-- Whoever asks for the same owner next waits until this transaction is over.
CREATE OR REPLACE FUNCTION is_full_1(p_owner text, p_running integer, p_jobs integer) RETURNS boolean
  LANGUAGE plpgsql SET search_path = ${SCHEMA} AS $$
BEGIN
  IF p_jobs IS NULL THEN RETURN false; END IF;
  PERFORM pg_advisory_xact_lock(${OWNER_LOCK}, hashtext(p_owner));
  RETURN (SELECT count(place) + CASE WHEN p_running > 0 THEN count(ticket) ELSE 0 END FROM job
    WHERE owner = p_owner AND (place IS NOT NULL OR ticket IS NOT NULL)) >= p_jobs;
END $$;

-- Whoever makes the first job of an owner has the owner in hand: it is left for the next time.
CREATE OR REPLACE FUNCTION forget_owners_3() RETURNS void LANGUAGE plpgsql SET search_path = ${SCHEMA} AS $$
DECLARE
  idle text[];
BEGIN
  idle := ARRAY(SELECT t.owner FROM tenant t WHERE NOT EXISTS (SELECT FROM job j WHERE j.owner = t.owner)
    LIMIT 1000 FOR UPDATE SKIP LOCKED);
  -- Of those that are in hand now, one may have got a job since the list was begun.
  DELETE FROM tenant t WHERE t.owner = ANY(idle) AND NOT EXISTS (SELECT FROM job j WHERE j.owner = t.owner);
END $$;

CREATE OR REPLACE FUNCTION create_3(p_id text, p_key text, p_owner text, p_generation integer, p_format integer,
  p_head text, p_after text, p_running integer, p_jobs integer, p_keep interval) RETURNS text
  LANGUAGE plpgsql SET search_path = ${SCHEMA} AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(${LOCK}, hashtext(p_key));
  IF coalesce((SELECT id FROM question WHERE key = p_key AND expires_at > clock_timestamp()), '') <> p_after THEN
    RETURN 'late';
  END IF;
  IF is_full_1(p_owner, p_running, p_jobs) THEN RETURN 'full'; END IF;
  INSERT INTO question VALUES (p_key, p_id, clock_timestamp() + p_keep)
    ON CONFLICT (key) DO UPDATE SET id = excluded.id, expires_at = excluded.expires_at;
  -- In any case: who takes may find nothing of this owner at this moment.
  INSERT INTO tenant (owner, turn, most) VALUES (p_owner, nextval('turns'), p_running)
    ON CONFLICT (owner) DO UPDATE SET most = excluded.most, ready = true;
  INSERT INTO job (id, owner, generation, format, head, place, expires_at)
    VALUES (p_id, p_owner, p_generation, p_format, p_head, nextval('turns'), clock_timestamp() + p_keep);
  RETURN 'created';
END $$;

-- What of an owner has ended or stopped, but for so many of the last. What somebody else has in hand is left for the next time.
CREATE OR REPLACE FUNCTION forget_ended_1(p_owner text, p_format integer, p_most integer) RETURNS void
  LANGUAGE sql SET search_path = ${SCHEMA} AS $$
  WITH old AS (SELECT o.id FROM job o WHERE o.owner = p_owner AND o.place IS NULL AND o.ticket IS NULL
      ORDER BY o.expires_at DESC, o.created_at DESC OFFSET p_most LIMIT 100),
    free AS (SELECT j.id FROM job j WHERE j.id IN (SELECT id FROM old) AND j.place IS NULL AND j.ticket IS NULL
      AND j.format <= p_format FOR UPDATE SKIP LOCKED),
    gone AS (DELETE FROM job WHERE id IN (SELECT id FROM free) RETURNING id)
  DELETE FROM question WHERE id IN (SELECT id FROM gone);
$$;

CREATE OR REPLACE FUNCTION remove_1(p_id text, p_generation integer) RETURNS boolean
  LANGUAGE plpgsql SET search_path = ${SCHEMA} AS $$
BEGIN
  DELETE FROM job WHERE id = p_id AND generation = p_generation AND ticket IS NULL;
  IF NOT FOUND THEN RETURN false; END IF;
  DELETE FROM question WHERE id = p_id;
  RETURN true;
END $$;

CREATE OR REPLACE FUNCTION write_3(p_id text, p_from integer, p_generation integer, p_format integer, p_head text,
  p_report bytea, p_then text, p_keep interval, p_running integer, p_jobs integer, p_ended integer,
  OUT written boolean, OUT owed boolean, OUT is_full boolean)
  LANGUAGE plpgsql SET search_path = ${SCHEMA} AS $$
DECLARE
  the_owner text;
  is_alone boolean;
BEGIN
  owed := false;
  is_full := false;
  IF p_running IS NOT NULL THEN
    SELECT owner INTO the_owner FROM job WHERE id = p_id;
    is_full := FOUND AND is_full_1(the_owner, p_running, p_jobs)
      -- Of two that go on with one job, the second does not need room.
      AND EXISTS (SELECT FROM job WHERE id = p_id AND generation = p_from AND format <= p_format);
    IF is_full THEN
      written := false;
      RETURN;
    END IF;
  END IF;
  UPDATE job SET generation = p_generation, format = p_format, head = p_head, report = coalesce(p_report, report),
    expires_at = clock_timestamp() + p_keep,
    place = CASE WHEN p_then = 'line' THEN nextval('turns') WHEN p_then IN ('stop', 'end') THEN NULL ELSE place END,
    ticket = CASE WHEN p_then IN ('stop', 'end') THEN NULL ELSE ticket END
    WHERE id = p_id AND generation = p_from AND format <= p_format;
  written := FOUND;
  IF NOT written OR p_then = 'keep' THEN RETURN; END IF;
  SELECT owner INTO the_owner FROM job WHERE id = p_id;
  IF p_then <> 'line' THEN PERFORM forget_ended_1(the_owner, p_format, p_ended); END IF;
  -- The last of what others wait for, in this order everywhere: a job, a question, an owner.
  UPDATE tenant SET most = coalesce(p_running, most), ready = true WHERE owner = the_owner;
  IF p_then = 'line' THEN RETURN; END IF;
  -- A take that is under way may find this owner at its limit yet, and what it owes does not show before it is over. It is not
  -- waited for: whoever waits with a job in hand may be waited for.
  is_alone := pg_try_advisory_xact_lock(${LOCK}, 1);
  UPDATE owed SET tickets = tickets - 1 WHERE tickets > 0 AND EXISTS (SELECT FROM job WHERE place IS NOT NULL);
  owed := FOUND OR (NOT is_alone AND EXISTS (SELECT FROM tenant t JOIN job j USING (owner)
    WHERE t.owner = the_owner AND t.most > 0 AND j.place IS NOT NULL));
END $$;

-- Gives '' when there are more owners to look at.
CREATE OR REPLACE FUNCTION take_3(p_ticket text, p_owners integer) RETURNS text
  LANGUAGE plpgsql SET search_path = ${SCHEMA} AS $$
DECLARE
  taken text;
  next text;
  its_most integer;
BEGIN
  PERFORM pg_advisory_xact_lock(${LOCK}, 1);
  SELECT id INTO taken FROM job WHERE ticket = p_ticket;
  IF FOUND THEN RETURN taken; END IF;
  FOR next IN SELECT owner FROM tenant WHERE ready ORDER BY turn LIMIT p_owners
  LOOP
    -- What is being written of this owner is there when this is answered.
    SELECT most INTO its_most FROM tenant WHERE owner = next FOR UPDATE;
    IF its_most = 0 OR (SELECT count(*) FROM job WHERE owner = next AND ticket IS NOT NULL) < its_most THEN
      -- One that is locked is just being cancelled, by somebody who may wait for this take.
      UPDATE job SET place = NULL, ticket = p_ticket WHERE id =
        (SELECT id FROM job WHERE owner = next AND place IS NOT NULL ORDER BY place LIMIT 1 FOR UPDATE SKIP LOCKED)
        AND place IS NOT NULL RETURNING id INTO taken;
      IF FOUND THEN
        UPDATE tenant SET turn = nextval('turns') WHERE owner = next;
        RETURN taken;
      END IF;
    END IF;
    UPDATE tenant SET ready = false WHERE owner = next;
  END LOOP;
  IF EXISTS (SELECT FROM tenant WHERE ready) THEN RETURN ''; END IF;
  UPDATE owed SET tickets = tickets + 1 WHERE EXISTS (SELECT FROM job WHERE place IS NOT NULL);
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION limit_1(p_owners text[], p_most integer[]) RETURNS void
  LANGUAGE plpgsql SET search_path = ${SCHEMA} AS $$
BEGIN
  -- Who takes has several owners in hand, too.
  PERFORM pg_advisory_xact_lock(${LOCK}, 1);
  UPDATE tenant t SET most = given.most, ready = true
    FROM unnest(p_owners, p_most) AS given(owner, most) WHERE t.owner = given.owner AND t.most <> given.most;
END $$;

-- Those of older servers, which know nothing of it, and of a job that expired while it ran.
CREATE OR REPLACE FUNCTION look_again_1() RETURNS void LANGUAGE plpgsql SET search_path = ${SCHEMA} AS $$
DECLARE
  forgotten text[];
BEGIN
  SELECT array_agg(owner) INTO forgotten FROM tenant t JOIN
    (SELECT owner, count(place) AS waiting, count(ticket) AS running FROM job
      WHERE place IS NOT NULL OR ticket IS NOT NULL GROUP BY owner) j USING (owner)
    WHERE NOT t.ready AND j.waiting > 0 AND (t.most = 0 OR t.most > j.running);
  IF forgotten IS NULL THEN RETURN; END IF;
  PERFORM pg_advisory_xact_lock(${LOCK}, 1);
  UPDATE tenant SET ready = true WHERE owner = ANY(forgotten);
END $$;
`;
