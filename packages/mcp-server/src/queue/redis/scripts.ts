/*
 * Each runs as one step. Keys are made of the prefix, the first argument: one Redis holds all of them.
 *   job:ID      hash: o(wner) q(uestion) g(eneration) f(ormat) h(ead) r(eport) c(heckpoint) t(icket)
 *   question:K  the last job of a question        own:O   an owner's jobs by age
 *   ended:O     an owner's jobs that have ended or stopped, by when they did
 *   line:O      an owner's jobs that wait         ring    owners with a line, in the order of their turns
 *   full        the same of those who were found at their limit, by when one looked
 *   run:O       an owner's jobs that run          most:O  how many of them may: 0 any number, -1 none
 *   taken       hash: ticket to job               owed    tickets that were used up in vain
 *   busy        owners with a job that runs
 */

const START = `
local p = ARGV[1]
local function line_up(owner, id)
  redis.call('LREM', p..'line:'..owner, 0, id)
  if redis.call('RPUSH', p..'line:'..owner, id) == 1 and not redis.call('LPOS', p..'ring', owner) then
    redis.call('ZREM', p..'full', owner)
    redis.call('RPUSH', p..'ring', owner)
  end
end
local function leave_line(owner, id)
  redis.call('LREM', p..'line:'..owner, 0, id)
  if redis.call('LLEN', p..'line:'..owner) > 0 then return end
  redis.call('LREM', p..'ring', 0, owner)
  redis.call('ZREM', p..'full', owner)
end
-- A job may expire while it runs: when no worker was there for as long as it is kept.
local function running(owner)
  for _, id in ipairs(redis.call('SMEMBERS', p..'run:'..owner)) do
    if redis.call('EXISTS', p..'job:'..id) == 0 then redis.call('SREM', p..'run:'..owner, id) end
  end
  return redis.call('SCARD', p..'run:'..owner)
end
local function is_at_limit(owner)
  local most = tonumber(redis.call('GET', p..'most:'..owner) or '0')
  return most ~= 0 and running(owner) >= most
end
-- Who may have one more is in the ring again.
local function look_again(owner)
  if not redis.call('ZSCORE', p..'full', owner) or is_at_limit(owner) then return false end
  redis.call('ZREM', p..'full', owner)
  if redis.call('LLEN', p..'line:'..owner) > 0 then redis.call('RPUSH', p..'ring', owner) end
  return true
end
local function is_full(owner, most_running, most_jobs)
  local jobs = redis.call('LLEN', p..'line:'..owner)
  if tonumber(most_running) > 0 then jobs = jobs + running(owner) end
  return tonumber(most_jobs) >= 0 and jobs >= tonumber(most_jobs)
end
-- Of two servers that keep jobs for different times, neither makes a list forget what the other keeps.
local function keep_list(list, ms)
  if redis.call('PTTL', list) < tonumber(ms) then redis.call('PEXPIRE', list, ms) end
end
local function micros()
  local time = redis.call('TIME')
  return time[1] * 1000000 + time[2]
end
local function delete(owner, id)
  local question = redis.call('HGET', p..'job:'..id, 'q')
  if question and redis.call('GET', p..'question:'..question) == id then redis.call('DEL', p..'question:'..question) end
  redis.call('DEL', p..'job:'..id)
  redis.call('ZREM', p..'own:'..owner, id)
  redis.call('ZREM', p..'ended:'..owner, id)
end
-- One that has ended or stopped is the last of them; the first ones go. An older server may have gone on with one of them.
local function forget_ended(owner, id, format, most, ms)
  local ended = p..'ended:'..owner
  redis.call('ZADD', ended, micros(), id)
  keep_list(ended, ms)
  for _, old in ipairs(redis.call('ZRANGE', ended, 0, -1 - most)) do
    local known = redis.call('HMGET', p..'job:'..old, 'f', 't')
    local isOurs = not known[1] or tonumber(known[1]) <= tonumber(format)
    if isOurs and not known[2] and not redis.call('LPOS', p..'line:'..owner, old) then delete(owner, old)
    else redis.call('ZREM', ended, old) end
  end
end
`;

/** id, key, owner, generation, format, head, after, keepMs, mostListed, mostRunning, mostJobs */
export const CREATE = `${START}
local id, owner, keep = ARGV[2], ARGV[4], ARGV[9]
local question, job, own = p..'question:'..ARGV[3], p..'job:'..id, p..'own:'..owner
if (redis.call('GET', question) or '') ~= ARGV[8] then return 0 end
if is_full(owner, ARGV[11], ARGV[12]) then return -1 end
redis.call('SET', question, id, 'PX', keep)
redis.call('HSET', job, 'o', owner, 'q', ARGV[3], 'g', ARGV[5], 'f', ARGV[6], 'h', ARGV[7])
redis.call('PEXPIRE', job, keep)
redis.call('ZADD', own, micros(), id)
redis.call('ZREMRANGEBYRANK', own, 0, -1 - ARGV[10])
keep_list(own, keep)
redis.call('SET', p..'most:'..owner, ARGV[11], 'PX', keep)
line_up(owner, id)
look_again(owner)
return 1`;

/** id, from, generation, format, head, report, then, keepMs, mostEnded, and where the room is to be looked at mostRunning, mostJobs */
export const WRITE = `${START}
local id, keep = ARGV[2], ARGV[9]
local job = p..'job:'..id
local known = redis.call('HMGET', job, 'g', 'f', 'o', 't')
local owner, ticket = known[3], known[4]
if known[1] ~= ARGV[3] or tonumber(known[2]) > tonumber(ARGV[5]) then return {0, 0} end
if ARGV[11] then
  if is_full(owner, ARGV[11], ARGV[12]) then return {-1, 0} end
  redis.call('SET', p..'most:'..owner, ARGV[11], 'PX', keep)
end
redis.call('HSET', job, 'g', ARGV[4], 'f', ARGV[5], 'h', ARGV[6])
if ARGV[7] ~= '' then redis.call('HSET', job, 'r', ARGV[7]) end
redis.call('PEXPIRE', job, keep)
keep_list(p..'own:'..owner, keep)
if ARGV[8] == 'line' then
  line_up(owner, id)
  look_again(owner)
  redis.call('ZREM', p..'ended:'..owner, id)
end
if ARGV[8] ~= 'stop' and ARGV[8] ~= 'end' then return {1, 0} end
leave_line(owner, id)
if ticket then redis.call('HDEL', p..'taken', ticket) end
redis.call('HDEL', job, 't')
redis.call('SREM', p..'run:'..owner, id)
if redis.call('EXISTS', p..'run:'..owner) == 0 then redis.call('SREM', p..'busy', owner) end
forget_ended(owner, id, ARGV[5], ARGV[10], keep)
look_again(owner)
if tonumber(redis.call('GET', p..'owed') or '0') > 0 and redis.call('LLEN', p..'ring') > 0 then
  redis.call('DECR', p..'owed')
  return {1, 1}
end
return {1, 0}`;

/** ticket, mostOwners. Gives '' when there are more owners to look at. */
export const TAKE = `${START}
local begun = redis.call('HGET', p..'taken', ARGV[2])
if begun then
  if redis.call('EXISTS', p..'job:'..begun) == 1 then return begun end
  redis.call('HDEL', p..'taken', ARGV[2])
end
for _ = 1, math.min(redis.call('LLEN', p..'ring'), tonumber(ARGV[3])) do
  local owner = redis.call('LPOP', p..'ring')
  if is_at_limit(owner) then
    redis.call('ZADD', p..'full', micros(), owner)
  else
    local id = redis.call('LPOP', p..'line:'..owner)
    while id and redis.call('EXISTS', p..'job:'..id) == 0 do id = redis.call('LPOP', p..'line:'..owner) end
    if redis.call('LLEN', p..'line:'..owner) > 0 then redis.call('RPUSH', p..'ring', owner) end
    if id then
      redis.call('SADD', p..'run:'..owner, id)
      redis.call('SADD', p..'busy', owner)
      redis.call('HSET', p..'taken', ARGV[2], id)
      redis.call('HSET', p..'job:'..id, 't', ARGV[2])
      return id
    end
  end
end
if redis.call('LLEN', p..'ring') > 0 then return '' end
if redis.call('ZCARD', p..'full') > 0 then redis.call('INCR', p..'owed') end
return false`;

/** keepMs, then owner and most of each: what is kept for those who have a job that waits, in whose line it stays meanwhile */
export const LIMIT = `${START}
for n = 3, #ARGV, 2 do
  local owner = ARGV[n]
  if redis.call('EXISTS', p..'line:'..owner) == 1 then redis.call('SET', p..'most:'..owner, ARGV[n + 1], 'PX', ARGV[2]) end
  look_again(owner)
end
return 0`;

/** mostOwners: of those who were at their limit so many are looked at again, for a job may have expired while it ran */
export const COUNT_READY = `${START}
local ready = 0
for _, owner in ipairs(redis.call('ZRANGE', p..'full', 0, ARGV[2] - 1)) do
  if not look_again(owner) then redis.call('ZADD', p..'full', micros(), owner) end
end
for _, owner in ipairs(redis.call('LRANGE', p..'ring', 0, -1)) do
  local waiting = redis.call('LLEN', p..'line:'..owner)
  local most = tonumber(redis.call('GET', p..'most:'..owner) or '0')
  if most ~= 0 then waiting = math.min(waiting, math.max(0, most - running(owner))) end
  ready = ready + waiting
end
return ready`;

/** Gives owner, waiting, running of each that has one. */
export const COUNTS = `${START}
local owners, counts = {}, {}
local all = {redis.call('LRANGE', p..'ring', 0, -1), redis.call('ZRANGE', p..'full', 0, -1), redis.call('SMEMBERS', p..'busy')}
for _, list in ipairs(all) do
  for _, owner in ipairs(list) do owners[owner] = true end
end
for owner in pairs(owners) do
  for _, value in ipairs({owner, redis.call('LLEN', p..'line:'..owner), running(owner)}) do counts[#counts + 1] = value end
end
return counts`;

/** id, generation, checkpoint or '' */
export const CHECKPOINT = `
local job = ARGV[1]..'job:'..ARGV[2]
if redis.call('HGET', job, 'g') ~= ARGV[3] then return 0 end
if ARGV[4] == '' then redis.call('HDEL', job, 'c') else redis.call('HSET', job, 'c', ARGV[4]) end
return 1`;

/** name, 1 if there is to be a text already or 0, that text, the new one, keepMs */
export const SWAP = `
local key = ARGV[1]..'known:'..ARGV[2]
local known = redis.call('GET', key)
if (known and '1' or '0') ~= ARGV[3] or (known and known ~= ARGV[4]) then return 0 end
redis.call('SET', key, ARGV[5], 'PX', ARGV[6])
return 1`;

/** id, generation */
export const REMOVE = `${START}
local id = ARGV[2]
local known = redis.call('HMGET', p..'job:'..id, 'g', 'o', 't')
if known[1] ~= ARGV[3] or known[3] then return 0 end
delete(known[2], id)
return 1`;
