import type { Citation, MediaPart, MediaSource, Message, Part, ToolResultContent } from 'interlingua'

const sources: readonly MediaSource[] = [
  { kind: 'url', url: 'https://example.org/a' },
  { kind: 'base64', data: 'AAAA', mediaType: 'image/png' },
  { kind: 'base64', data: 'AAAA', mediaType: 'audio/wav' },
  { kind: 'id', id: 'file-1', provider: 'openai' },
  { kind: 'id', id: 'file_2', provider: 'anthropic' },
  { kind: 'text', text: 'the text of a file' },
]

const details = { mediaType: 'application/pdf', name: 'a.pdf', detail: 'low' }

/** Media of every type and source, with and without details. */
const media: readonly MediaPart[] = (['image', 'audio', 'video', 'file'] as const).flatMap((type) =>
  sources.flatMap((source) => [
    { type, source },
    { type, source, ...details },
  ]),
)

const citations: readonly Citation[] = [
  { type: 'source' },
  { type: 'source', url: 'https://example.org/b', title: 'A title', quote: 'a quote' },
  { type: 'source', document: 0, location: { unit: 'page', start: 1, end: 2 } },
  { type: 'source', document: 1, title: 'A title', location: { unit: 'character', start: 1, end: 2 } },
  { type: 'opaque', dialect: 'gemini', value: { a: 1 } },
]

const cached = { cache: { ttl: 'long' } } as const
const stale = { signature: { vendor: 'anthropic', value: 'sig', contentDigest: 'of another text' } } as const

/** The contents of results: texts, data and media, alone and together. */
const contents: readonly (readonly ToolResultContent[])[] = [
  [],
  [{ type: 'text', text: '4 degrees' }],
  [{ type: 'text', text: '4 degrees', ...cached }],
  [
    { type: 'text', text: '4' },
    { type: 'text', text: 'degrees' },
  ],
  [{ type: 'json', value: { degrees: 4 } }],
  [{ type: 'json', value: 'a text' }],
  [{ type: 'json', value: null }],
  [
    { type: 'json', value: [4] },
    { type: 'text', text: 'degrees' },
  ],
  [{ type: 'opaque', dialect: 'gemini', value: { a: 1 } }],
  ...media.map((part) => [part]),
]

const call = { type: 'tool-call', id: 'call_1', name: 'weather', arguments: { city: 'Oslo' } } as const

export const answerParts: readonly Part[] = [
  ...citations.map((citation) => ({ type: 'text', text: 'It is warm.', citations: [citation] }) as const),
  { type: 'text', text: '' },
  { type: 'text', text: 'It is warm.', ...cached },
  { type: 'reasoning', text: 'Where?' },
  { type: 'reasoning', text: 'Where?\n\nWhen?', summary: true },
  { type: 'reasoning', text: '', redacted: true, ...stale },
  { type: 'reasoning', text: 'Where?', ...stale, ...cached },
  { type: 'refusal', text: 'I cannot say.' },
  { type: 'opaque', dialect: 'gemini', value: { a: 1 } },
  { ...call, arguments: {} },
  { ...call, ...cached, ...stale },
  { type: 'tool-call', id: 'call_1', name: 'weather', invalidArguments: '{"city":' },
  { ...call, rawArguments: '{ "city": "Oslo" }' },
  ...media,
]

export const user: Message = { id: 'm1', role: 'user', content: [{ type: 'text', text: 'How warm is it?' }] }
export const answer = (...content: readonly Part[]): Message =>
  ({ id: 'm2', role: 'assistant', content }) as Message
const results = (...content: readonly Part[]): Message => ({ id: 'm3', role: 'tool', content }) as Message

/** Conversations with one part each that is special: every kind of part, in every place where it may be. */
export const everyPart: readonly (readonly Message[])[] = [
  ...(['system', 'developer'] as const).map((role): readonly Message[] => [
    { id: 'm0', role, content: [{ type: 'text', text: 'Be brief.' }] },
    user,
  ]),
  ...[...media, { type: 'opaque', dialect: 'gemini', value: { a: 1 } } as const].flatMap((part) => [
    [{ ...user, content: [part] }],
    [{ ...user, content: [{ type: 'text', text: 'Look:' } as const, { ...part, ...cached }] }],
  ]),
  ...answerParts.flatMap((part) => [
    [user, answer(part)],
    [user, answer({ type: 'reasoning', text: 'First,' }, { type: 'text', text: 'this:' }, part)],
  ]),
  ...contents.flatMap((content) => {
    const result = { type: 'tool-result', callId: 'call_1', content } as const
    return [
      [user, answer(call), results(result)],
      [user, answer(call), results({ ...result, isError: true })],
      // Tools of the provider: their results are parts of the answer.
      [user, answer({ ...call, executedBy: 'provider' }, result, { type: 'text', text: 'So.' })],
      [user, answer({ ...call, executedBy: 'provider' }, { ...result, isError: true })],
    ]
  }),
  [
    user,
    answer(call),
    results({ type: 'tool-result', callId: 'call_1', name: 'weather', content: [], ...cached, ...stale }),
  ],
  [
    user,
    answer(
      { ...call, executedBy: 'provider' },
      { type: 'tool-result', callId: 'call_1', name: 'weather', content: [], ...cached, ...stale },
    ),
  ],
]
