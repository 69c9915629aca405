import { type DialectName, dialects, type EncodeOptions, translateRequest, user } from 'interlingua'
import { findRequestProblems } from 'interlingua/testing/providers'
import { describe, expect, test } from 'vitest'

const claudeCodeUser = `user_${'ab'.repeat(32)}_account_${'c'.repeat(36)}_session_${'d'.repeat(36)}`

/** Hosts, the wire field of the user, and which ids they accept. */
const hosts: readonly (readonly [DialectName, EncodeOptions['flavor'], string, (id: string) => boolean])[] = [
  ['openai-chat', undefined, 'user', (id) => id.length <= 64],
  ['openai-chat', 'azure', 'user', (id) => id.length <= 64],
  ['openai-chat', 'openrouter', 'user', (id) => id.length <= 128],
  ['openai-chat', 'zai', 'user_id', (id) => id.length >= 6 && id.length <= 128],
  ['openai-chat', 'deepseek', 'user_id', (id) => /^[\w-]{1,512}$/.test(id)],
  ['openai-responses', undefined, 'user', (id) => id.length <= 64],
  ['anthropic', undefined, 'metadata', (id) => id.length <= 256 && !id.includes('@') && !id.startsWith('+')],
]

const ids = [
  'u-1',
  'user-1',
  claudeCodeUser,
  'ann@example.org',
  '+49 170 1234567',
  'é'.repeat(65),
  'x'.repeat(600),
  '你好',
]

describe.each(hosts)('%s %s', (dialect, flavor, field, accepts) => {
  const options = flavor === undefined ? {} : { flavor }
  const encode = (id: string) => {
    const request = { model: 'm', messages: [user('Hi')], user: id, maxOutputTokens: 99 }
    const { value, losses } = dialects[dialect].encodeRequest(request, options)
    const sent = (value as unknown as { [key: string]: string | { user_id: string } })[field]
    return { value, losses, sent: typeof sent === 'object' ? sent.user_id : sent }
  }

  test.each(ids)('accepts what is sent for %s', (id) => {
    const { sent = '', losses } = encode(id)
    expect(accepts(sent)).toBe(true)
    expect(encode(id).sent).toBe(sent)
    const rules = losses.map(({ rule, severity }) => `${severity} ${rule}`)
    if (accepts(id)) expect([sent, rules]).toEqual([id, []])
    else expect(rules).toEqual(['note user-digest'])
  })

  test('different users stay different', () => {
    expect(new Set(ids.map((id) => encode(id).sent)).size).toBe(ids.length)
  })

  test.each(ids)('sends %s back as it was received', (id) => {
    const wire = field === 'metadata' ? { metadata: { user_id: id }, max_tokens: 9 } : { [field]: id }
    const messages = [{ role: 'user', content: 'Hi' }]
    const conversation = dialect === 'openai-responses' ? { input: messages } : { messages }
    const body = { model: 'm', ...conversation, ...wire }
    const { value } = dialects[dialect].decodeRequest(body, options)
    expect(dialects[dialect].encodeRequest(value, options)).toEqual({ value: body, losses: [] })
    // A changed id is a new one.
    const changed = dialects[dialect].encodeRequest({ ...value, user: 'x'.repeat(700) }, options)
    expect(changed.losses.map(({ rule }) => rule)).toEqual(['user-digest'])
  })
})

test('the user id of Claude Code fits every host', () => {
  const body = {
    model: 'claude-sonnet-4-5',
    max_tokens: 9,
    messages: [{ role: 'user', content: 'Hi' }],
    metadata: { user_id: claudeCodeUser },
  }
  const { value, losses } = translateRequest(body, { from: 'anthropic', to: 'openai-chat', model: 'gpt-5.2' })
  expect((value as { user?: string }).user).toMatch(/^user_[\da-f]{32}$/)
  expect(losses.map(({ rule, path }) => `${rule} ${path}`)).toEqual(['user-digest /user'])
})

const manyLabels = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`label${at}`, 'x']))

/** Settings of an application that OpenAI refuses, as canonical and as wire fields, and what is reported. */
const refusedSettings = [
  [{ promptCacheKey: 'k'.repeat(65) }, { prompt_cache_key: 'k'.repeat(65) }, ['user-digest /promptCacheKey']],
  [
    { safetyIdentifier: 's'.repeat(65) },
    { safety_identifier: 's'.repeat(65) },
    ['user-digest /safetyIdentifier'],
  ],
  [
    { metadata: { a: 'b', long: 'x'.repeat(513) } },
    { metadata: { a: 'b', long: 'x'.repeat(513) } },
    ['metadata-limit /metadata/long'],
  ],
  [
    { metadata: manyLabels },
    { metadata: manyLabels },
    [16, 17, 18, 19].map((at) => `metadata-limit /metadata/label${at}`),
  ],
] as const

describe.each(['openai-chat', 'openai-responses'] as const)('%s', (name) => {
  const dialect = dialects[name]

  test.each(refusedSettings)('accepts what is sent for %j', (settings, _fields, expected) => {
    const { value, losses } = dialect.encodeRequest({ model: 'gpt-5', messages: [user('Hi')], ...settings })
    expect(findRequestProblems(name, value)).toEqual([])
    expect(losses.map(({ rule, path }) => `${rule} ${path}`)).toEqual(expected)
  })

  test.each(refusedSettings)('sends %j back as it was received', (_settings, fields) => {
    const body = { model: 'gpt-5', [name === 'openai-chat' ? 'messages' : 'input']: [], ...fields }
    const request = dialect.decodeRequest(body).value
    expect(dialect.encodeRequest(request)).toEqual({ value: body, losses: [] })
    const id = 'new'.repeat(30)
    const metadata = { new: 'x'.repeat(600) }
    const changed = { ...request, promptCacheKey: id, safetyIdentifier: id, metadata }
    expect(findRequestProblems(name, dialect.encodeRequest(changed).value)).not.toContainEqual(
      expect.objectContaining({ message: expect.stringContaining('string too long') as string }),
    )
  })
})

test('other hosts have no limits of OpenAI for settings that they lack', () => {
  const request = { model: 'm', messages: [user('Hi')], promptCacheKey: 'k'.repeat(65), metadata: manyLabels }
  const { losses } = dialects['openai-chat'].encodeRequest(request, { flavor: 'together' })
  expect(losses.map(({ rule, path }) => `${rule} ${path}`)).toEqual(['cache-hint /promptCacheKey'])
})

describe('bedrock', () => {
  const { bedrock } = dialects
  const valid = { 'cost center': 'R&D'.replace('&', '+'), tenant: 'a:b_@$#=/,-.', empty: '' }
  const refused = {
    ['k'.repeat(257)]: 'long key',
    long: 'x'.repeat(257),
    umlaut: 'ü',
    'R&D': 'key',
    '': 'empty key',
  }

  test('metadata with other lengths or characters is omitted, and each entry is a loss', () => {
    const metadata = { ...valid, ...refused }
    const { value, losses } = bedrock.encodeRequest({ messages: [user('Hi')], metadata })
    expect(value).toMatchObject({ requestMetadata: valid })
    expect(Object.keys(value.requestMetadata ?? {})).toEqual(Object.keys(valid))
    expect(losses.map(({ rule, path }) => `${rule} ${path}`)).toEqual(
      Object.keys(refused).map((key) => `metadata-limit /metadata/${key}`),
    )
    expect(bedrock.encodeRequest({ messages: [user('Hi')], metadata: refused }).value).not.toHaveProperty(
      'requestMetadata',
    )
  })

  test('received metadata is sent back', () => {
    const { value } = bedrock.encodeRequest({ messages: [user('Hi')] })
    const body = { ...value, requestMetadata: { ...valid, ...refused } }
    const decoded = bedrock.decodeRequest(body).value
    expect(bedrock.encodeRequest(decoded)).toEqual({ value: body, losses: [] })
    const changed = { ...decoded, metadata: { umlaut: 'ö' } }
    expect(bedrock.encodeRequest(changed).value).not.toHaveProperty('requestMetadata')
  })
})
