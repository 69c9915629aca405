import { type ChatEvent, type DialectName, dialects, type JsonObject } from 'interlingua'
import { expect, test } from 'vitest'
import { collect, encodeStreamText, framedTexts, source } from './stream-responses.ts'
import { payloads } from './stream-payloads.ts'

const weather = { name: 'weather', args: { city: 'Oslo' }, id: 'call_map' }

/** Bodies that soaks of the law of exact round trips have found: they lost something, or ended with an internal error. */
const bodies: readonly (readonly [title: string, dialect: DialectName, body: JsonObject])[] = [
  [
    'an image with another kind of URL in an answer',
    'openai-chat',
    {
      model: 'm',
      messages: [
        { role: 'user', content: 'Draw' },
        {
          role: 'assistant',
          content: 'Here',
          images: [
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' }, index: 0 },
            { type: 'image_url', image_url: { url: 'x' } },
          ],
        },
        { role: 'user', content: 'More' },
      ],
    },
  ],
  [
    'null in the parts of a tool result',
    'gemini',
    {
      contents: [
        { role: 'user', parts: [{ text: 'Map of Oslo?' }] },
        { role: 'model', parts: [{ functionCall: weather }] },
        {
          role: 'user',
          parts: [
            {
              functionResponse: {
                id: 'call_map',
                name: 'weather',
                response: { output: 'A map' },
                parts: [null],
              },
            },
          ],
        },
      ],
    },
  ],
  ...[null, '', 0, { nested: 'call_1' }, ['call_1']].map(
    (id) =>
      [
        `a tool result whose id is ${JSON.stringify(id)}`,
        'gemini',
        {
          contents: [
            { role: 'user', parts: [{ text: 'Map of Oslo?' }] },
            { role: 'model', parts: [{ functionCall: { name: 'weather', args: {} } }] },
            {
              role: 'user',
              parts: [{ functionResponse: { id, name: 'weather', response: { output: 'A map' } } }],
            },
          ],
        },
      ] as const,
  ),
  [
    'a tool of a type without a name',
    'anthropic',
    {
      model: 'claude-sonnet-5',
      max_tokens: 10,
      messages: [{ role: 'user', content: 'Hi' }],
      tools: [{ type: '', name: 'web_fetch' }],
    },
  ],
  [
    'arguments that are no object',
    'gemini-interactions',
    {
      model: 'gemini-of-tomorrow',
      input: [
        { type: 'user_input', content: [{ type: 'text', text: 'Call it' }] },
        { type: 'function_call', id: 'c1', name: 'weather', arguments: 'x' },
      ],
    },
  ],
  [
    'a message without a role after others',
    'mistral',
    {
      model: 'm',
      messages: [
        { role: 'user', content: 'Hi' },
        null,
        { role: 'user', content: 'Well?' },
        { content: 'Indeed', prefix: true },
        { role: 'user', content: 'And?' },
      ],
    },
  ],
]

test.each(bodies)('%s is sent as it was received (%s)', (_title, name, body) => {
  const { value } = dialects[name].decodeRequest(body)
  expect(dialects[name].encodeRequest(value)).toEqual({ value: body, losses: [] })
})

const responses: readonly (readonly [dialect: DialectName, body: JsonObject])[] = [
  ['gemini', { promptFeedback: {}, usageMetadata: {}, modelVersion: 'm', createTime: '0' }],
  [
    'gemini-interactions',
    { id: 'i', model: 'm', status: 'completed', created: '0', updated: '0', steps: [] },
  ],
]

test.each(responses)(
  'a response of %s with another form of time is sent as it was received',
  (name, body) => {
    const { value } = dialects[name].decodeResponse(body)
    expect(value.createdAt).toBeUndefined()
    expect(dialects[name].encodeResponse(value)).toEqual({ value: body, losses: [] })
  },
)

/** Payloads of streams that were not sent as received, or ended with an internal error in another format. */
const streams: readonly (readonly [title: string, dialect: DialectName, payloads: readonly JsonObject[]])[] =
  [
    [
      'null as the first block of a message',
      'anthropic',
      [
        {
          type: 'message_start',
          message: {
            id: 'msg_1',
            type: 'message',
            role: 'assistant',
            model: 'm',
            content: [null],
            usage: {},
          },
        },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } },
        { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: {} },
        { type: 'message_stop' },
      ],
    ],
    [
      'null as an event of an unknown type',
      'bedrock',
      [
        { nested: null },
        { contentBlockStop: { contentBlockIndex: 0 } },
        { messageStop: { stopReason: 'end_turn' } },
      ],
    ],
  ]

test.each(streams)('%s is sent as it was received (%s)', async (_title, name, received) => {
  const texts = received.map((payload) => JSON.stringify(payload))
  const decode = (exact: boolean): Promise<readonly ChatEvent[]> =>
    collect(dialects[name].decodeStream(source(framedTexts(name, texts)), { exact }))
  const events = await decode(true)
  expect(payloads((await encodeStreamText(name, events)).text)).toEqual(received)
  for (const other of Object.keys(dialects) as DialectName[])
    for (const each of [events, await decode(false)])
      await expect(encodeStreamText(other, each)).resolves.toHaveProperty('text')
})

test('the text of a part whose index was used before is not lost', async () => {
  const events: readonly ChatEvent[] = [
    { type: 'start' },
    { type: 'part-start', index: 0, part: { type: 'reasoning', text: 'token0x' } },
    { type: 'text-delta', index: 1, text: 'token1x' },
    { type: 'part-end', index: 0 },
    { type: 'text-delta', index: 0, text: 'token3x' },
    { type: 'part-end', index: 0, part: { type: 'text', text: 'token4x' }, replaces: true },
    { type: 'finish', finish: { reason: 'stop' } },
  ]
  const { text, losses } = await encodeStreamText('openai-responses', events)
  expect(text.includes('token4x') || losses.length > 0).toBe(true)
})
