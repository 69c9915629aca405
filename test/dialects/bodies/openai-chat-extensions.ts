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
  videos: {
    model: 'm',
    messages: [
      {
        role: 'user',
        content: [
          { type: 'video_url', video_url: { url: 'https://example.org/a.mp4' } },
          { type: 'video_url', video_url: { url: 'data:video/mp4;base64,VVVV' } },
          { type: 'video_url', video_url: 'https://example.org/b.mp4' },
        ],
      },
    ],
  },
  images: {
    model: 'm',
    messages: [
      { role: 'user', content: 'Draw' },
      { role: 'assistant', content: 'Here', images: [{ ...image, index: 0 }, image] },
      { role: 'assistant', content: null, images: [image] },
      { role: 'assistant', content: 'And', images: [image, { type: 'tomorrow' }] },
      { role: 'user', content: 'More' },
    ],
  },
  cacheMarkers: {
    model: 'm',
    messages: [
      { role: 'system', content: 'Be brief.', cache_control: { type: 'ephemeral' } },
      {
        role: 'user',
        content: [{ type: 'text', text: 'Look' }],
        cache_control: { type: 'ephemeral', ttl: '1h' },
      },
      { ...called, cache_control: { type: 'ephemeral' } },
      { role: 'tool', tool_call_id: 'call_1', content: 'Snow', cache_control: { type: 'ephemeral' } },
      { role: 'tool', tool_call_id: 'call_2', content: 'Rain', cache_control: { type: 'tomorrow' } },
    ],
    tools: tools.map((tool) => ({ ...tool, cache_control: { type: 'ephemeral' } })),
  },
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
