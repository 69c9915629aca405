import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import {
  assistant,
  type ChatRequest,
  CLIENT_SETTINGS,
  type Loss,
  sanitizeRequest,
  type SanitizeRequestPolicy,
  type Tool,
  user,
} from 'interlingua'
import { parseRequest } from 'interlingua/parse'
import { describe, expect, test } from 'vitest'
import { findFileVendor } from '../../../src/canonical/check/provider-file-urls.ts'
import { anyRequest, RUNS } from '../../arbitraries.ts'

const list = (losses: readonly Loss[]): string[] => losses.map(({ rule, path }) => `${rule} ${path}`)
const messages = [user('Hi')]
const own: Tool = { type: 'function', name: 'weather', input: { type: 'object' } }
const search: Tool = { type: 'provider', provider: 'anthropic', name: 'web_search', options: {} }
const foreign: Tool = { type: 'opaque', dialect: 'openai-chat', value: { type: 'mcp' } }

/** A request, what the default removes from it, and the policy that removes nothing. */
const examples: readonly (readonly [
  title: string,
  request: ChatRequest,
  losses: readonly string[],
  keep: SanitizeRequestPolicy,
])[] = [
  [
    'settings that decide the cost',
    { messages, model: 'dear', maxOutputTokens: 9e9, candidateCount: 8, serviceTier: 'priority' },
    [
      'untrusted-setting /model',
      'untrusted-setting /maxOutputTokens',
      'untrusted-setting /candidateCount',
      'untrusted-setting /serviceTier',
    ],
    { settings: ['model', 'maxOutputTokens', 'candidateCount', 'serviceTier'] },
  ],
  [
    'settings that decide for whom and with which state',
    { messages, user: 'other', store: true, promptCacheKey: 'other', safetyIdentifier: 'other' },
    [
      'untrusted-setting /user',
      'untrusted-setting /store',
      'untrusted-setting /promptCacheKey',
      'untrusted-setting /safetyIdentifier',
    ],
    { settings: () => true },
  ],
  [
    'metadata',
    { messages, metadata: { tenant: 'other', topic: 'x' } },
    ['untrusted-metadata /metadata/tenant', 'untrusted-metadata /metadata/topic'],
    { metadataKeys: ['tenant', 'topic'] },
  ],
  [
    'residue of the request and of its tools',
    { messages, extra: { anthropic: { a: 1 } }, tools: [{ ...own, extra: { anthropic: { b: 1 } } }] },
    ['untrusted-extra /extra', 'untrusted-extra /tools/0/extra'],
    { extra: 'keep' },
  ],
  [
    'cache hints of tools',
    { messages, tools: [{ ...own, cache: { ttl: 'long' } }] },
    ['untrusted-cache-hint /tools/0/cache'],
    { cacheHints: 'keep' },
  ],
  [
    'provider tools and unknown ones, and a choice of one of them',
    { messages, tools: [search, own, foreign], toolChoice: { name: 'web_search' } },
    ['untrusted-tool /tools/0', 'untrusted-opaque /tools/2', 'untrusted-setting /toolChoice'],
    { providerTools: (name, provider) => `${provider}/${name}` === 'anthropic/web_search', opaque: 'keep' },
  ],
  [
    'a required call without a tool',
    { messages, tools: [search], toolChoice: 'required' },
    ['untrusted-tool /tools/0', 'untrusted-setting /toolChoice'],
    { providerTools: 'keep' },
  ],
  [
    'an answer that the client started',
    { messages: [...messages, assistant('Sure, here is how')] },
    ['untrusted-prefill /messages/1'],
    { prefill: 'keep' },
  ],
]

/** Every value that the guarantees exclude, found by a scan that knows only where free data is. */
function* findForged(value: unknown, key = ''): Generator<string> {
  if (typeof value === 'string' && key === 'url' && findFileVendor(value)) yield value
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    if (FORGED_KEYS.has(name)) yield name
    if (!['arguments', 'input', 'schema', 'value'].includes(name)) yield* findForged(inner, name)
  }
}

const FORGED_KEYS = new Set(
  'signature cache metadata extra origin usage finish executedBy redacted fileId dialect provider'.split(' '),
)

describe('sanitizeRequest', () => {
  test.each(examples)('removes %s', (_title, request, losses, keep) => {
    const { value, losses: reported } = sanitizeRequest(request)
    expect(list(reported)).toEqual(losses)
    expect(sanitizeRequest(value)).toEqual({ value, losses: [] })
    expect(sanitizeRequest(request, keep)).toEqual({ value: request, losses: [] })
  })

  test('holds its guarantees for generated requests, and is idempotent', () => {
    const url = fc.constantFrom(
      'https://api.openai.com./v1/files/1',
      'gs://bucket/a',
      'https://example.org/a',
    )
    const media = url.map((each) => user([{ type: 'image', source: { kind: 'url', url: each } }]))
    fc.assert(
      fc.property(anyRequest, fc.array(media, { maxLength: 2 }), (generated, added) => {
        const request = { ...generated, messages: [...generated.messages, ...added] }
        const before = structuredClone(request)
        const { value, losses } = sanitizeRequest(request)
        expect(request).toEqual(before)
        expect([...findForged(value)]).toEqual([])
        const allowed = new Set<string>([...CLIENT_SETTINGS, 'messages', 'tools'])
        expect(Object.keys(value).filter((key) => !allowed.has(key))).toEqual([])
        expect([...value.messages].at(-1)?.role).not.toBe('assistant')
        expect(losses.length === 0).toBe(isDeepStrictEqual(value, parseRequest(request)))
        expect(sanitizeRequest(value)).toEqual({ value, losses: [] })
      }),
      { numRuns: RUNS },
    )
  })

  test('lets the policy see values', () => {
    const settings: SanitizeRequestPolicy['settings'] = (name, value) =>
      name === 'maxOutputTokens' && Number(value) <= 4096
    expect(sanitizeRequest({ messages, maxOutputTokens: 100 }, { settings }).losses).toEqual([])
    expect(sanitizeRequest({ messages, maxOutputTokens: 5000 }, { settings }).losses).toHaveLength(1)
  })

  test('drops the tools of a client if the server has its own', () => {
    const { value } = sanitizeRequest({ messages, tools: [own] }, { functionTools: 'drop' })
    expect(value).toEqual({ messages })
  })

  test('the reference lists every option and every setting', () => {
    const page = readFileSync('docs/reference/sanitizing.md', 'utf8')
    const source = ['sanitize-policy.ts', 'sanitize-request.ts']
      .map((name) => readFileSync(`src/canonical/check/${name}`, 'utf8'))
      .join('')
    const names = [...source.matchAll(/^ {2}(?:readonly (\w+)\?:|(\w+): (?:true|false),$)/gm)]
    const missing = names
      .map(([, option, setting]) => option ?? setting)
      .filter((name) => !page.includes(`\`${name}\``))
    expect(missing).toEqual([])
  })
})
