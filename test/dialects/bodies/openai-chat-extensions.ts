import type { JsonObject } from 'interlingua'

const tools: readonly JsonObject[] = [
  { type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } },
]

const called: JsonObject = {
  role: 'assistant',
  content: null,
  tool_calls: [
    { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } },
    { id: 'call_2', type: 'function', function: { name: 'look', arguments: '{}' } },
  ],
}

export const image: JsonObject = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }
export const pdf: JsonObject = {
  type: 'file',
  file: { file_data: 'data:application/pdf;base64,JVBE', filename: 'map.pdf' },
}

/** Requests with fields and parts that OpenAI does not document, but clients and other hosts send. */
export const extensionRequests: { readonly [name: string]: JsonObject } = {
  resultMedia: {
    model: 'm',
    messages: [
      { role: 'user', content: 'Look' },
      called,
      {
        role: 'tool',
        tool_call_id: 'call_1',
        content: [{ type: 'text', text: 'A map of the city' }, image, pdf, { type: 'tomorrow', value: 1 }],
      },
      { role: 'tool', tool_call_id: 'call_2', content: null },
      { role: 'user', content: 'And?' },
    ],
    tools,
  },
}
