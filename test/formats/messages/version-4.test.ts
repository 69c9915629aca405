// Messages of version 4 of the AI SDK mean the same as those that later versions have for them.
// https://ai-sdk.dev/docs/migration-guides/migration-guide-5-0
import type { JsonObject, Message } from 'interlingua'
import { fromMessages } from 'interlingua/formats'
import { expect, test } from 'vitest'

const URL = 'https://example.org/a'
const anthropic = (metadata: JsonObject): JsonObject => ({ providerMetadata: { anthropic: metadata } })

/** The fields of a message of version 4, and the parts of the same message in version 5. */
const rows: readonly (readonly [title: string, fields: JsonObject, parts: readonly JsonObject[]])[] = [
  [
    'reasoning beside the content',
    { reasoning: 'Hm', content: 'Hi' },
    [
      { type: 'reasoning', text: 'Hm' },
      { type: 'text', text: 'Hi' },
    ],
  ],
  ['reasoning', { parts: [{ type: 'reasoning', reasoning: 'Hm' }] }, [{ type: 'reasoning', text: 'Hm' }]],
  [
    'reasoning with blocks',
    {
      parts: [
        {
          type: 'reasoning',
          reasoning: 'Hm',
          details: [
            { type: 'text', text: 'Hm', signature: 'sig' },
            { type: 'text', text: 'So' },
            { type: 'redacted', data: 'abc' },
          ],
        },
      ],
    },
    [
      { type: 'reasoning', text: 'Hm', ...anthropic({ signature: 'sig' }) },
      { type: 'reasoning', text: 'So' },
      { type: 'reasoning', text: '', ...anthropic({ redactedData: 'abc' }) },
    ],
  ],
  [
    'a source',
    { parts: [{ type: 'source', source: { sourceType: 'url', id: 's1', url: URL, title: 'A title' } }] },
    [{ type: 'source-url', sourceId: 's1', url: URL, title: 'A title' }],
  ],
  [
    'a source without an id',
    { parts: [{ type: 'source', source: { url: URL } }] },
    [{ type: 'source-url', sourceId: '', url: URL }],
  ],
  [
    'data of a file',
    { parts: [{ type: 'file', data: 'AAAA', mimeType: 'image/png' }] },
    [{ type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AAAA' }],
  ],
  [
    'the URL of a file',
    { parts: [{ type: 'file', data: URL, mimeType: 'image/png' }] },
    [{ type: 'file', mediaType: 'image/png', url: URL }],
  ],
  ['data', { role: 'data', data: { a: 1 } }, [{ type: 'data-custom', data: { a: 1 } }]],
  ['data as content', { role: 'data', content: 'a' }, [{ type: 'data-custom', data: 'a' }]],
  ['no data', { role: 'data' }, [{ type: 'data-custom', data: null }]],
  ...(['partial-call', 'call'] as const).map(
    (state) =>
      [
        `a call in the state ${state}`,
        {
          parts: [
            {
              type: 'tool-invocation',
              toolInvocation: { state, toolCallId: 'c', toolName: 't', args: { a: 1 } },
            },
          ],
        },
        [
          {
            type: 'tool-t',
            toolCallId: 'c',
            state: state === 'call' ? 'input-available' : 'input-streaming',
            input: { a: 1 },
          },
        ],
      ] as const,
  ),
]

const read = (message: JsonObject): readonly Message[] =>
  fromMessages([message], { from: 'ai-sdk-ui-messages', newId: () => 'msg_1', now: () => 0 }).value

test.each(rows)('%s', (_, fields, parts) => {
  const later = read({ id: '1', role: 'assistant', parts })
  expect(read({ id: '1', role: 'assistant', ...fields })).toEqual(later)
  expect(later[0]?.content).toHaveLength(parts.length)
})
