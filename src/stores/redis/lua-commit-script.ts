import { escapeId } from './redis-keys.ts'
import type { RedisRowTransaction } from './redis-row-transaction.ts'
import { encodeLabelRow, encodeMessageRow, encodeSectionRow, encodeSessionRow } from './redis-row-codec.ts'

/**
 * Checks that no other writer changed the sessions of a transaction since it read them, then makes all its changes and
 * updates the indexes. Every key starts with `KEYS[1]`, so that all of them are in the same slot of a cluster.
 */
export const COMMIT_SCRIPT = `
local prefix, position = KEYS[1], 0
local call = redis.call
local function take()
  position = position + 1
  return ARGV[position]
end

local version, sessions = take(), {}
for _ = 1, tonumber(take()) do
  local session, expected = take(), take()
  if (call('HGET', prefix .. 'session:' .. session, 'version') or '') ~= expected then
    return { 'changed', session }
  end
  local turn = call('GET', prefix .. 'turn:' .. session)
  if turn and turn ~= version then return { 'waiting', session } end
  sessions[#sessions + 1] = session
end
for _ = 1, tonumber(take()) do
  local id, expected = take(), take()
  if (call('GET', prefix .. 'id:' .. id) or '') ~= expected then return { 'changed', '' } end
end

local function updateIndexes(add, key, session, section, id, parent, depth, hash, day)
  local own, ids, index = prefix .. 'own:' .. session, prefix .. 'ids:' .. session, prefix .. 'index:' .. session
  local entries = { 'h ' .. hash .. ' ' .. section .. ' ' .. key }
  if parent ~= '' then entries[#entries + 1] = 'c ' .. parent .. ' ' .. key end
  if day ~= '' then entries[#entries + 1] = 'u ' .. day .. ' ' .. key end
  if add then
    call('ZADD', own, depth, key)
    call('HSET', ids, id, key)
    for _, entry in ipairs(entries) do call('ZADD', index, 0, entry) end
  else
    call('ZREM', own, key)
    if call('HGET', ids, id) == key then call('HDEL', ids, id) end
    call('ZREM', index, unpack(entries))
  end
end

local function removeFromIndexes(key)
  local row = call('HMGET', prefix .. 'message:' .. key, 'session', 'section', 'id', 'parent', 'depth', 'hash', 'day')
  if not row[1] then return end
  for field = 2, 7 do row[field] = row[field] or '' end
  updateIndexes(false, key, unpack(row))
end

local function removeForkOwner(session, name)
  local section = call('HGET', prefix .. 'sections:' .. session, name)
  local owner = section and string.match(section, '^[^\\n]+')
  if owner then call('SREM', prefix .. 'forks:' .. owner, session .. ' ' .. name) end
end

local function removeSessionMember(session)
  local row = call('HMGET', prefix .. 'session:' .. session, 'updated', 'id')
  if row[1] then call('ZREM', prefix .. 'sessions', row[1] .. ' ' .. session) end
  return row[2]
end

local changes = {
  message = function()
    local key, session, section, id, parent, depth, hash, checksum, day, usage, body =
      take(), take(), take(), take(), take(), take(), take(), take(), take(), take(), take()
    removeFromIndexes(key)
    call('HSET', prefix .. 'message:' .. key, 'session', session, 'section', section, 'id', id, 'parent', parent,
      'depth', depth, 'hash', hash, 'checksum', checksum, 'day', day, 'usage', usage, 'body', body)
    updateIndexes(true, key, session, section, id, parent, depth, hash, day)
  end,
  removeMessage = function()
    local key = take()
    removeFromIndexes(key)
    call('UNLINK', prefix .. 'message:' .. key)
  end,
  section = function()
    local session, name, owner, value = take(), take(), take(), take()
    removeForkOwner(session, name)
    call('HSET', prefix .. 'sections:' .. session, name, value)
    if owner ~= '' then call('SADD', prefix .. 'forks:' .. owner, session .. ' ' .. name) end
  end,
  removeSection = function()
    local session, name = take(), take()
    removeForkOwner(session, name)
    call('HDEL', prefix .. 'sections:' .. session, name)
  end,
  label = function() call('HSET', prefix .. 'labels:' .. take(), take(), take()) end,
  removeLabel = function() call('HDEL', prefix .. 'labels:' .. take(), take()) end,
  session = function()
    local key, id, updated, row = take(), take(), take(), take()
    removeSessionMember(key)
    call('HSET', prefix .. 'session:' .. key, 'id', id, 'updated', updated, 'row', row, 'version', version)
    call('SET', prefix .. 'id:' .. id, key)
    call('ZADD', prefix .. 'sessions', 0, updated .. ' ' .. key)
  end,
  removeSession = function()
    local key = take()
    local id = removeSessionMember(key)
    if id and call('GET', prefix .. 'id:' .. id) == key then call('UNLINK', prefix .. 'id:' .. id) end
    for _, name in ipairs(call('HKEYS', prefix .. 'sections:' .. key)) do removeForkOwner(key, name) end
    for _, kind in ipairs({ 'session', 'sections', 'forks', 'labels', 'ids', 'index' }) do
      call('UNLINK', prefix .. kind .. ':' .. key)
    end
    -- The messages can no longer be reached. They are removed later, in batches.
    if call('EXISTS', prefix .. 'own:' .. key) == 1 then
      call('RENAME', prefix .. 'own:' .. key, prefix .. 'removed:' .. key)
      call('SADD', prefix .. 'removed', key)
    end
  end,
  lease = function() call('HSET', prefix .. 'session:' .. take(), 'lease', take()) end,
  removeLease = function() call('HDEL', prefix .. 'session:' .. take(), 'lease') end,
}
while position < #ARGV do changes[take()]() end

for _, session in ipairs(sessions) do
  if call('EXISTS', prefix .. 'session:' .. session) == 1 then
    call('HSET', prefix .. 'session:' .. session, 'version', version)
  end
  if call('GET', prefix .. 'turn:' .. session) then call('UNLINK', prefix .. 'turn:' .. session) end
end
return { 'stored', call('SRANDMEMBER', prefix .. 'removed') or '' }
`

/**
 * Returns the arguments of the commit script. `version` becomes the version of all sessions of the transaction. It is random:
 * a server that was restored from a backup never repeats one.
 */
export function encodeCommit(transaction: RedisRowTransaction, version: string): readonly string[] {
  const { versions, freeIds } = transaction
  const args = [version, String(versions.size)]
  for (const [session, expected] of versions) args.push(session, expected)
  args.push(String(freeIds.size))
  for (const id of freeIds) args.push(escapeId(id), '')
  for (const change of listChanges(transaction)) for (const arg of change) args.push(arg)
  return args
}

/** Lists the changes in the order in which the script makes them: a removed session takes its rows with it. */
function* listChanges({ changes }: RedisRowTransaction): Generator<readonly string[]> {
  for (const [key, row] of changes.list('message'))
    yield row === undefined ? ['removeMessage', key] : encodeMessageRow(row)
  for (const [key, row] of changes.list('section'))
    yield row === undefined ? ['removeSection', ...splitKey(key)] : encodeSectionRow(row)
  for (const [key, row] of changes.list('label'))
    yield row === undefined ? ['removeLabel', ...splitKey(key)] : encodeLabelRow(row)
  for (const key of changes.removedSessions) yield ['removeSession', key]
  for (const [, row] of changes.list('session')) if (row !== undefined) yield encodeSessionRow(row)
  for (const [session, lease] of changes.leases)
    yield lease === null ? ['removeLease', session] : ['lease', session, JSON.stringify(lease)]
}

/** Returns the names that a composite key consists of. */
function splitKey(key: string): readonly string[] {
  return JSON.parse(key) as readonly string[]
}
