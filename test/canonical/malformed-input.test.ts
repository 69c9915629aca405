import { fromJson, InterlinguaError } from 'interlingua'
import {
  parseMessage,
  parseMessages,
  parsePart,
  parseRequest,
  parseResponse,
  parseToolCall,
} from 'interlingua/parse'
import { describe, expect, test } from 'vitest'

const deep = (levels: number): unknown => {
  let value: unknown = 'bottom'
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

const cycle: Record<string, unknown> = { a: 1 }
cycle['self'] = { list: [cycle] }

const circularMessage: Record<string, unknown> = { role: 'user' }
circularMessage['content'] = circularMessage

const user = (fields: object): object => ({ id: 'm', role: 'user', content: [], ...fields })
const inContent = (part: unknown): object => ({ role: 'assistant', content: ['ok', part] })

type Parse = (value: unknown) => unknown

/** Each malformed input with the exact code and place of its error. */
const table: readonly [string, Parse, unknown, string, string][] = [
  ['nothing', parseMessage, undefined, 'invalid-type', ''],
  ['null', parseMessage, null, 'invalid-type', ''],
  ['a number', parseMessage, 42, 'invalid-type', ''],
  ['content as a number', parseMessage, { role: 'user', content: 42 }, 'invalid-type', '/content'],
  ['[r13] an unknown role', parseMessage, { role: 'critic', content: 'x' }, 'unknown-role', '/role'],
  ['a role that is no word', parseMessage, { role: 7, content: 'x' }, 'invalid-type', '/role'],
  ['an id that is a number', parseMessage, user({ id: 7 }), 'invalid-type', '/id'],
  ['a time that is none', parseMessage, user({ createdAt: 'yesterday' }), 'invalid-value', '/createdAt'],
  [
    'a day that does not exist',
    parseMessage,
    user({ createdAt: '2026-13-45T00:00:00Z' }),
    'invalid-value',
    '/createdAt',
  ],
  ['a name that is an object', parseMessage, user({ name: {} }), 'invalid-type', '/name'],
  ['metadata that is a list', parseMessage, user({ metadata: [] }), 'invalid-type', '/metadata'],
  ['_metadata that is a string', parseMessage, user({ _metadata: 'x' }), 'invalid-type', '/_metadata'],
  ['a parent that is a number', parseMessage, user({ parentId: 1 }), 'invalid-type', '/parentId'],
  [
    '[r13] an unknown part type',
    parseMessage,
    inContent({ type: 'hologram' }),
    'unknown-part-type',
    '/content/1/type',
  ],
  ['a bad part in a bare list of parts', parseMessage, ['ok', { type: 'text' }], 'missing-field', '/1/text'],
  [
    'a part type that is a number',
    parseMessage,
    inContent({ type: 1 }),
    'unknown-part-type',
    '/content/1/type',
  ],
  ['a part that is null', parseMessage, inContent(null), 'invalid-type', '/content/1'],
  [
    'text that is a number',
    parseMessage,
    inContent({ type: 'text', text: 4 }),
    'invalid-type',
    '/content/1/text',
  ],
  ['text without text', parseMessage, inContent({ type: 'text' }), 'missing-field', '/content/1/text'],
  [
    'citations that are an object',
    parsePart,
    { type: 'text', text: '', citations: {} },
    'invalid-type',
    '/citations',
  ],
  [
    'a citation of an unknown type',
    parsePart,
    { type: 'text', text: '', citations: [{ type: 'x' }] },
    'invalid-value',
    '/citations/0/type',
  ],
  [
    'half a signature',
    parsePart,
    { type: 'text', text: '', signature: { vendor: 'm', value: 'v' } },
    'missing-field',
    '/signature/contentDigest',
  ],
  [
    'a cache of unknown length',
    parsePart,
    { type: 'text', text: '', cache: { ttl: 'forever' } },
    'invalid-value',
    '/cache/ttl',
  ],
  [
    '[r5] a call in a user message',
    parseMessage,
    { role: 'user', content: [{ type: 'tool-call', name: 'f' }] },
    'part-not-allowed',
    '/content/0/type',
  ],
  [
    '[r5] an image in a system message',
    parseMessage,
    { role: 'system', content: [{ type: 'image_url', image_url: 'u' }] },
    'part-not-allowed',
    '/content/0/type',
  ],
  [
    'json outside a tool result',
    parseMessage,
    inContent({ type: 'json', value: 1 }),
    'part-not-allowed',
    '/content/1/type',
  ],
  ['an image without a source', parsePart, { type: 'image_url', image_url: {} }, 'missing-field', '/source'],
  [
    'a URL that is a number',
    parsePart,
    { type: 'image_url', image_url: { url: 5 } },
    'invalid-type',
    '/image_url/url',
  ],
  [
    'a source of unknown kind',
    parsePart,
    { type: 'image', source: { kind: 'ftp' } },
    'invalid-value',
    '/source/kind',
  ],
  [
    'base64 without a media type',
    parsePart,
    { type: 'file', source: { kind: 'base64', data: 'AA' } },
    'missing-field',
    '/source/mediaType',
  ],
  [
    'bytes of no known format',
    parsePart,
    { type: 'file', file: { file_data: 'AAAA' } },
    'unknown-media-type',
    '/file/file_data',
  ],
  [
    'an attachment of unknown content',
    parseMessage,
    { content: '', attachments: [{ type: 'image', content: 'x', content_type: 'ftp' }] },
    'invalid-value',
    '/attachments/0/content_type',
  ],
  [
    'attachments that are a string',
    parseMessage,
    { content: '', attachments: 'x' },
    'invalid-type',
    '/attachments',
  ],
  ['a call without a name', parseToolCall, { id: 'c', arguments: {} }, 'missing-field', '/name'],
  ['a call with an empty name', parseToolCall, { name: '' }, 'invalid-value', '/name'],
  ['a call whose id is a number', parseToolCall, { id: 3, name: 'f' }, 'invalid-type', '/id'],
  ['arguments that are a number', parseToolCall, { name: 'f', arguments: 3 }, 'invalid-type', '/arguments'],
  [
    'nested arguments that are a list',
    parseToolCall,
    { function: { name: 'f', arguments: [1] } },
    'invalid-type',
    '/function/arguments',
  ],
  ['[r88] call text without a name', parseToolCall, '{"a":1}', 'missing-field', '/name'],
  [
    'tool_calls that are an object',
    parseMessage,
    { role: 'assistant', tool_calls: {} },
    'invalid-type',
    '/tool_calls',
  ],
  [
    'a call in tool_calls that is null',
    parseMessage,
    { role: 'assistant', tool_calls: [null] },
    'invalid-type',
    '/tool_calls/0',
  ],
  [
    '[C19] a result part without a call',
    parseMessage,
    { role: 'tool', content: [{ type: 'tool-result', content: 'x' }] },
    'missing-field',
    '/content/0/callId',
  ],
  [
    'a result whose call id is a number',
    parseMessage,
    { role: 'tool', tool_call_id: 5, content: 'x' },
    'invalid-type',
    '/tool_call_id',
  ],
  [
    'text among results',
    parseMessage,
    { role: 'tool', content: [{ type: 'tool-result', callId: 'c', content: [] }, 'x'] },
    'part-not-allowed',
    '/content/1/type',
  ],
  [
    'arguments beside invalidArguments',
    parsePart,
    { type: 'tool-call', id: 'c', name: 'f', arguments: {}, invalidArguments: 'x' },
    'unexpected-field',
    '/invalidArguments',
  ],
  [
    'usage without output',
    parseMessage,
    { role: 'assistant', content: '', usage: { inputTokens: 1, totalTokens: 1 } },
    'missing-field',
    '/usage/outputTokens',
  ],
  [
    'an unknown finish reason',
    parseMessage,
    { role: 'assistant', content: '', finish: { reason: 'bored' } },
    'invalid-value',
    '/finish/reason',
  ],
  [
    'nesting too deep',
    parseMessage,
    user({ metadata: { a: deep(1000) } }),
    'too-deep',
    `/metadata/a${'/a/0'.repeat(99)}/a`,
  ],
  ['cyclic metadata', parseMessage, user({ metadata: cycle }), 'cyclic', '/metadata/self/list/0'],
  ['content that contains itself', parseMessage, circularMessage, 'too-deep', '/content'.repeat(201)],
  [
    'a date in metadata',
    parseMessage,
    user({ metadata: { when: new Date(0) } }),
    'not-json',
    '/metadata/when',
  ],
  ['not a number', parseMessage, user({ metadata: { n: Number.NaN } }), 'not-json', '/metadata/n'],
  [
    'a list that holds a bad message',
    parseMessages,
    ['ok', { role: 'user', content: [{ type: 'x/~y' }] }],
    'unknown-part-type',
    '/1/content/0/type',
  ],
  ['a request without messages', parseRequest, {}, 'missing-field', '/messages'],
  ['a request that is a string', parseRequest, 'hello', 'invalid-type', ''],
  [
    'a bad message in a request',
    parseRequest,
    { messages: [{ role: 'user', content: [0] }] },
    'invalid-type',
    '/messages/0/content/0',
  ],
  [
    '[r69] a temperature that is a string',
    parseRequest,
    { messages: [], temperature: 'hot' },
    'invalid-type',
    '/temperature',
  ],
  ['half a token', parseRequest, { messages: [], max_tokens: 1.5 }, 'invalid-value', '/max_tokens'],
  [
    'a tool without a name',
    parseRequest,
    { messages: [], tools: [{ type: 'function' }] },
    'missing-field',
    '/tools/0/name',
  ],
  [
    'a tool choice that is a number',
    parseRequest,
    { messages: [], tool_choice: 1 },
    'invalid-type',
    '/tool_choice',
  ],
  [
    'an unknown effort',
    parseRequest,
    { messages: [], reasoning: { effort: 'heroic' } },
    'invalid-value',
    '/reasoning/effort',
  ],
  [
    'labels that are numbers',
    parseRequest,
    { messages: [], metadata: { a: 1 } },
    'invalid-type',
    '/metadata/a',
  ],
  [
    'a candidate of the user',
    parseResponse,
    { candidates: [{ role: 'user', content: '' }] },
    'invalid-value',
    '/candidates/0/role',
  ],
  ['a response without candidates', parseResponse, { id: 'x' }, 'missing-field', '/candidates'],
  ['a stored form without a version', fromJson, { messages: [] }, 'missing-field', '/interlingua'],
  [
    'a stored form of the future',
    fromJson,
    { interlingua: 99, messages: [] },
    'unsupported-version',
    '/interlingua',
  ],
  [
    'a stored form with a broken version',
    fromJson,
    { interlingua: '1', messages: [] },
    'invalid-value',
    '/interlingua',
  ],
  [
    'a stored request where messages are wanted',
    fromJson,
    { interlingua: 1, request: { messages: [] } },
    'wrong-kind',
    '',
  ],
  [
    'a bad message in the stored form',
    fromJson,
    { interlingua: 1, messages: [{ role: 'x' }] },
    'unknown-role',
    '/messages/0/role',
  ],
]

describe('malformed input', () => {
  test('there are many kinds of it', () => expect(table.length).toBeGreaterThanOrEqual(40))

  test.each(table)('%s is refused with its code and place', (_name, parse, value, code, path) => {
    let refused: unknown
    try {
      parse(value)
    } catch (error) {
      refused = error
    }
    expect(refused).toBeInstanceOf(InterlinguaError)
    const { code: foundCode, path: foundPath, found, expected, message } = refused as InterlinguaError
    expect({ code: foundCode, path: foundPath }).toEqual({ code, path })
    expect([found, expected].every((each) => typeof each === 'string' && each !== '')).toBe(true)
    expect(message.length).toBeLessThan(2000)
  })

  test('an error never quotes the text of the user', () => {
    const secret = 'sk-this-is-a-secret-that-must-not-appear-in-an-error-message'
    for (const value of [
      { role: secret },
      { role: 'user', content: [{ type: secret }] },
      { role: 'user', id: [secret], content: 'x' },
    ]) {
      try {
        parseMessage(value)
        expect.unreachable()
      } catch (error) {
        expect(JSON.stringify(error)).not.toContain(secret)
      }
    }
  })
})
