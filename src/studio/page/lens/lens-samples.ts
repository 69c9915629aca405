/** An input to try the lens with. */
export interface LensSample {
  readonly title: string
  readonly text: string
}

const format = (value: unknown): string => JSON.stringify(value, undefined, 2)

const weatherTool = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'Returns the weather of a city.',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' }, unit: { enum: ['celsius', 'fahrenheit'] } },
      required: ['city'],
    },
  },
}

const weatherCall = {
  role: 'assistant',
  content: 'I will look it up.',
  tool_calls: [
    {
      id: 'call_oslo',
      type: 'function',
      function: { name: 'get_weather', arguments: '{"city":"Oslo","unit":"celsius"}' },
    },
  ],
}

const request = {
  model: 'gpt-5.4',
  messages: [
    { role: 'system', content: 'You are a terse weather assistant.' },
    { role: 'user', name: 'ada', content: 'What is the weather in Oslo, and what should I wear?' },
    weatherCall,
    { role: 'tool', tool_call_id: 'call_oslo', content: '{"temperature":4,"sky":"rain"}' },
    { role: 'user', content: 'And tomorrow?' },
  ],
  tools: [weatherTool],
  tool_choice: 'auto',
  max_completion_tokens: 800,
  seed: 42,
}

const thinkingAnswer = {
  id: 'msg_01',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-5',
  content: [
    { type: 'thinking', thinking: 'The user asks about rain in Oslo.', signature: 'c2lnbmF0dXJl' },
    { type: 'text', text: 'Take a raincoat.' },
    { type: 'tool_use', id: 'toolu_01', name: 'get_weather', input: { city: 'Oslo' } },
  ],
  stop_reason: 'tool_use',
  stop_sequence: null,
  usage: { input_tokens: 120, output_tokens: 42 },
}

const broken = { model: 'gpt-5.4', messages: [...request.messages.slice(0, 3), request.messages[4]] }

const stored = [
  {
    role: 'user',
    parts: [
      { type: 'text', text: 'Describe this picture.' },
      { type: 'file', mediaType: 'image/png', url: 'https://example.com/picture.png' },
    ],
  },
  {
    role: 'assistant',
    parts: [
      { type: 'reasoning', text: 'A cat.' },
      { type: 'text', text: 'A cat.' },
    ],
  },
]

/** The samples of the lens; the first one is open at the first start. */
export const lensSamples: readonly LensSample[] = [
  { title: 'Request with tools', text: format(request) },
  { title: 'Response with reasoning', text: format(thinkingAnswer) },
  { title: 'Conversation with a problem', text: format(broken) },
  { title: 'Messages of the AI SDK', text: format(stored) },
  {
    title: 'Line of a log',
    text: `2026-11-18T05:00:00Z [info] upstream request ${JSON.stringify(request)} took 812 ms`,
  },
  { title: 'Body that was cut off', text: format(request).slice(0, 900) },
]

const sse = (events: readonly { readonly type: string }[]): string =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')

const textDelta = (index: number, text: string): object => ({
  type: 'content_block_delta',
  index,
  delta: { type: 'text_delta', text },
})

const anthropicEvents = [
  {
    type: 'message_start',
    message: {
      ...thinkingAnswer,
      content: [],
      stop_reason: null,
      usage: { input_tokens: 120, output_tokens: 1 },
    },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
  ...['The user asks ', 'about rain in Oslo.'].map((thinking) => ({
    type: 'content_block_delta',
    index: 0,
    delta: { type: 'thinking_delta', thinking },
  })),
  { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'c2lnbmF0dXJl' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
  ...['Take ', 'a rain', 'coat. ', 'I will ', 'check ', 'tomorrow.'].map((text) => textDelta(1, text)),
  { type: 'content_block_stop', index: 1 },
  {
    type: 'content_block_start',
    index: 2,
    content_block: { type: 'tool_use', id: 'toolu_01', name: 'get_weather', input: {} },
  },
  ...['{"city":', ' "Oslo",', ' "day": "tomorrow"}'].map((json) => ({
    type: 'content_block_delta',
    index: 2,
    delta: { type: 'input_json_delta', partial_json: json },
  })),
  { type: 'content_block_stop', index: 2 },
  {
    type: 'message_delta',
    delta: { stop_reason: 'tool_use', stop_sequence: null },
    usage: { output_tokens: 42 },
  },
  { type: 'message_stop' },
] as readonly { readonly type: string }[]

const chatChunk = (delta: object, finish: string | null = null): string => {
  const choices = [{ index: 0, delta, finish_reason: finish }]
  const chunk = {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1763442000,
    model: 'gpt-5.4',
    choices,
  }
  return `data: ${JSON.stringify(chunk)}\n\n`
}

const ollamaLine = (content: string, end: object = { done: false }): string =>
  `${JSON.stringify({ model: 'qwen3', created_at: '2026-11-18T05:00:00Z', message: { role: 'assistant', content }, ...end })}\n`

/** The samples of the streams view. */
export const streamSamples: readonly LensSample[] = [
  { title: 'Anthropic: reasoning, text and a tool call', text: sse(anthropicEvents) },
  {
    title: 'OpenAI Chat Completions: text',
    text: [
      chatChunk({ role: 'assistant', content: '' }),
      ...['Rain ', 'is ', 'likely ', 'in ', 'Oslo.'].map((content) => chatChunk({ content })),
      chatChunk({}, 'stop'),
      'data: [DONE]\n\n',
    ].join(''),
  },
  {
    title: 'Ollama: lines of JSON',
    text: [
      ...['Rain ', 'is ', 'likely.'].map((content) => ollamaLine(content)),
      ollamaLine('', { done: true, done_reason: 'stop', prompt_eval_count: 20, eval_count: 9 }),
    ].join(''),
  },
]
