import type { JsonObject } from 'interlingua'

const documentSource = {
  type: 'document',
  id: 'doc:0',
  document: { id: 'doc:0', title: 'Penguins', text: 'The emperor is tall.' },
}

const frame = (value: JsonObject): string =>
  `event: ${value['type'] as string}\ndata: ${JSON.stringify(value)}\n\n`
const start = {
  id: 'e6d7',
  type: 'message-start',
  delta: { message: { role: 'assistant', content: [], tool_plan: '', tool_calls: [], citations: [] } },
}
const content = (index: number, value: JsonObject, type = 'content-delta'): JsonObject => ({
  type,
  index,
  delta: { message: { content: value } },
})
const end = (reason: string): JsonObject => ({
  type: 'message-end',
  delta: {
    finish_reason: reason,
    usage: {
      billed_units: { input_tokens: 12, output_tokens: 6 },
      tokens: { input_tokens: 212, output_tokens: 65 },
      cached_tokens: 208,
    },
  },
})
const text = (...events: JsonObject[]): string => [start, ...events].map(frame).join('') + 'data: [DONE]\n\n'
const citation = (index: number, value: JsonObject): JsonObject[] => [
  { type: 'citation-start', index, delta: { message: { citations: value } } },
  { type: 'citation-end', index },
]

/** The texts of streamed responses. */
export const streams: { readonly [name: string]: string } = {
  text: text(
    content(0, { type: 'text', text: '' }, 'content-start'),
    content(0, { text: 'Hel' }),
    content(0, { text: 'lo' }),
    { type: 'content-end', index: 0 },
    end('COMPLETE'),
  ),
  thinking: text(
    content(0, { type: 'thinking', thinking: '' }, 'content-start'),
    content(0, { thinking: 'Hm' }),
    { type: 'content-end', index: 0 },
    content(1, { type: 'text', text: '' }, 'content-start'),
    content(1, { text: 'Four' }),
    { type: 'content-end', index: 1 },
    end('MAX_TOKENS'),
  ),
  calls: text(
    { type: 'tool-plan-delta', delta: { message: { tool_plan: 'I' } } },
    { type: 'tool-plan-delta', delta: { message: { tool_plan: ' will.' } } },
    {
      type: 'tool-call-start',
      index: 0,
      delta: {
        message: {
          tool_calls: { id: 'a', type: 'function', function: { name: 'get_weather', arguments: '' } },
        },
      },
    },
    {
      type: 'tool-call-delta',
      index: 0,
      delta: { message: { tool_calls: { function: { arguments: '{\n "ci' } } } },
    },
    {
      type: 'tool-call-delta',
      index: 0,
      delta: { message: { tool_calls: { function: { arguments: 'ty": "Oslo"}' } } } },
    },
    { type: 'tool-call-end', index: 0 },
    {
      type: 'tool-call-start',
      index: 1,
      delta: {
        message: { tool_calls: { id: 'b', type: 'function', function: { name: 'now', arguments: '' } } },
      },
    },
    { type: 'tool-call-end', index: 1 },
    end('TOOL_CALL'),
  ),
  citations: text(
    content(0, { type: 'text', text: '' }, 'content-start'),
    content(0, { text: '🐧 The emperor' }),
    ...citation(0, {
      start: 2,
      end: 13,
      text: 'The emperor',
      sources: [documentSource],
      type: 'TEXT_CONTENT',
    }),
    content(0, { text: ' is tall.' }),
    { type: 'content-end', index: 0 },
    ...citation(1, {
      start: 17,
      end: 21,
      text: 'tall',
      sources: [documentSource, { type: 'tool', id: 't:0', tool_output: { content: 'tall' } }],
      content_index: 0,
      type: 'TEXT_CONTENT',
    }),
    end('COMPLETE'),
  ),
}
