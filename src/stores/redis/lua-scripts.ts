/** Fields of a message that describe its position in the tree. */
export const NODE_FIELDS: readonly string[] = ['session', 'section', 'id', 'parent', 'depth', 'hash']
const NODE_FIELDS_LUA = NODE_FIELDS.map((field) => `'${field}'`).join(', ')

/**
 * Reads what nearly every operation needs first: a session by id (`ARGV[1]`) or key (`ARGV[2]`), its sections, their heads
 * and its messages with the other ids. Returns nothing if it does not exist.
 */
export const OPEN_SCRIPT: string = `
local prefix = KEYS[1]
local key = ARGV[2]
if key == '' then key = redis.call('GET', prefix .. 'id:' .. ARGV[1]) end
if not key then return {} end
local row = redis.call('HMGET', prefix .. 'session:' .. key, 'version', 'id', 'updated', 'row', 'lease')
if not row[1] then return {} end
local sections = redis.call('HGETALL', prefix .. 'sections:' .. key)
local found, nodes = {}, {}
for i = 2, #sections, 2 do
  local head = string.match(sections[i], '^[^\\n]*\\n([^\\n]+)')
  if head then found[head] = true end
end
for i = 3, #ARGV do
  local message = redis.call('HGET', prefix .. 'ids:' .. key, ARGV[i])
  if message then found[message] = true end
end
for message in pairs(found) do
  local node = redis.call('HMGET', prefix .. 'message:' .. message, ${NODE_FIELDS_LUA})
  if node[1] then
    nodes[#nodes + 1] = message
    for i = 1, ${NODE_FIELDS.length} do nodes[#nodes + 1] = node[i] or '' end
  end
end
return { key, row[1], row[2] or '', row[3] or '', row[4] or '', row[5] or '', sections, nodes }
`

/** Reads the sections of sessions: their names and values, which alternate. */
export const SECTIONS_SCRIPT = `
local reply = {}
for i, session in ipairs(ARGV) do reply[i] = redis.call('HGETALL', KEYS[1] .. 'sections:' .. session) end
return reply
`

/** Reads fields of messages: the first `ARGV[1]` arguments after it are fields, the others are keys. */
export const MESSAGES_SCRIPT = `
local count, fields, reply = tonumber(ARGV[1]), {}, {}
for i = 1, count do fields[i] = ARGV[i + 1] end
for i = count + 2, #ARGV do
  reply[#reply + 1] = redis.call('HMGET', KEYS[1] .. 'message:' .. ARGV[i], unpack(fields))
end
return reply
`

/** Reads the sessions before a position (`ARGV[1]`), the last written first, at most `ARGV[2]`, with their sections. */
export const LIST_SCRIPT = `
local prefix = KEYS[1]
local max = ARGV[1] == '' and '+' or '(' .. ARGV[1]
local members = redis.call('ZREVRANGEBYLEX', prefix .. 'sessions', max, '-', 'LIMIT', 0, ARGV[2])
local reply = {}
for _, member in ipairs(members) do
  local key = string.match(member, '[^ ]*$')
  local row = redis.call('HMGET', prefix .. 'session:' .. key, 'version', 'id', 'updated', 'row')
  local sections = redis.call('HGETALL', prefix .. 'sections:' .. key)
  reply[#reply + 1] = { member, key, row[1] or '', row[2] or '', row[3] or '', row[4] or '', sections }
end
return reply
`

/**
 * Reads the path from a message (`ARGV[1]`) upwards: at most `ARGV[2]` messages, or until they have `ARGV[3]` bytes. Its
 * depth must be `ARGV[4]`, if given, and decreases at each step, so that damaged rows cannot cause a cycle. Returns the key
 * of the next message, then the keys and fields of the messages.
 */
export const PATH_SCRIPT = `
local prefix, key, bytes, expected = KEYS[1], ARGV[1], tonumber(ARGV[3]), tonumber(ARGV[4])
local fields = { 'parent', 'depth' }
for i = 5, #ARGV do fields[#fields + 1] = ARGV[i] end
local reply = { '' }
for _ = 1, tonumber(ARGV[2]) do
  local row = redis.call('HMGET', prefix .. 'message:' .. key, unpack(fields))
  local depth = tonumber(row[2])
  if not depth or (expected and depth ~= expected) then return reply end
  reply[#reply + 1] = key
  for i = 3, #fields do
    reply[#reply + 1] = row[i] or ''
    bytes = bytes - #(row[i] or '')
  end
  if not row[1] or row[1] == '' then return reply end
  key, expected = row[1], depth - 1
  if bytes <= 0 then break end
end
reply[1] = key
return reply
`

/** Returns the first session that is not in the expected version, or an empty text. Gives back the turns of a reader. */
export const CHECK_SCRIPT = `
local prefix, changed = KEYS[1], ''
for i = 2, #ARGV, 2 do
  local version = redis.call('HGET', prefix .. 'session:' .. ARGV[i], 'version') or ''
  if changed == '' and version ~= ARGV[i + 1] then changed = ARGV[i] end
  local turn = prefix .. 'turn:' .. ARGV[i]
  if ARGV[1] ~= '' and redis.call('GET', turn) == ARGV[1] then redis.call('UNLINK', turn) end
end
return changed
`

/** Removes messages of a removed session (`ARGV[1]`), at most `ARGV[2]`. Returns how many are left. */
export const PURGE_SCRIPT = `
local prefix, session, count = KEYS[1], ARGV[1], tonumber(ARGV[2])
local own = prefix .. 'removed:' .. session
for _, key in ipairs(redis.call('ZRANGE', own, 0, count - 1)) do
  local owner = redis.call('HGET', prefix .. 'message:' .. key, 'session')
  if owner == session then redis.call('UNLINK', prefix .. 'message:' .. key) end
end
redis.call('ZREMRANGEBYRANK', own, 0, count - 1)
local left = redis.call('ZCARD', own)
if left == 0 then redis.call('SREM', prefix .. 'removed', session) end
return left
`

/** Returns those of some sessions whose list of messages and list of ids do not have the same length. */
export const AUDIT_SCRIPT = `
local reply = {}
for _, session in ipairs(ARGV) do
  local messages = redis.call('ZCARD', KEYS[1] .. 'own:' .. session)
  local ids = redis.call('HLEN', KEYS[1] .. 'ids:' .. session)
  if messages ~= ids then reply[#reply + 1] = session end
end
return reply
`
