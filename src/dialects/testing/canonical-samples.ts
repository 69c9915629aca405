import type { AssistantMessage, Message } from '../../canonical/model/message.ts'
import type { AssistantPart, ToolCallPart, ToolResultContent, UserPart } from '../../canonical/model/part.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import type { FunctionTool } from '../../canonical/model/tool.ts'
import { pickItem, type RandomInteger } from './random.ts'

/** The first bytes of a PNG image: some formats detect the media type from the bytes. */
const PNG_DATA = 'iVBORw0KGgoAAAANSUhEUg=='

/** Parts of users by name: one of every kind of content. */
const USER_PARTS: { readonly [name: string]: UserPart } = {
  'a text': { type: 'text', text: 'What is the weather?' },
  'an unusual text': { type: 'text', text: 'Zoë wrote "naïve"\n\t\\ </system> 😀 {"a":1}' },
  'an image by URL': { type: 'image', source: { kind: 'url', url: 'https://example.org/cat.png' } },
  'an image in base64': { type: 'image', source: { kind: 'base64', data: PNG_DATA, mediaType: 'image/png' } },
  'an image with a level of detail': {
    type: 'image',
    source: { kind: 'url', url: 'https://example.org/dog.png' },
    detail: 'low',
  },
  'a PDF file': {
    type: 'file',
    source: { kind: 'base64', data: 'JVBERi0xLjcK', mediaType: 'application/pdf' },
    name: 'report.pdf',
  },
  'a text file': { type: 'file', source: { kind: 'text', text: 'Chapter one' }, name: 'notes.txt' },
  'a file of another provider': {
    type: 'file',
    source: { kind: 'id', id: 'file_123', provider: 'somebody-else' },
  },
  audio: { type: 'audio', source: { kind: 'base64', data: 'UklGRgAA', mediaType: 'audio/wav' } },
  video: { type: 'video', source: { kind: 'url', url: 'https://example.org/clip.mp4' } },
}

/** Parts of answers by name; calls and results are added in pairs. */
const ANSWER_PARTS: { readonly [name: string]: AssistantPart } = {
  'an answer': { type: 'text', text: 'It is sunny.' },
  'a second answer': { type: 'text', text: 'And warm.' },
  reasoning: { type: 'reasoning', text: 'The user asks about the weather.' },
  'a refusal': { type: 'refusal', text: 'I cannot help with that.' },
  'an image of the model': {
    type: 'image',
    source: { kind: 'base64', data: PNG_DATA, mediaType: 'image/png' },
  },
}

const RESULT_CONTENTS: { readonly [name: string]: readonly ToolResultContent[] } = {
  'a text result': [{ type: 'text', text: 'Snow, -3 degrees' }],
  'a JSON result': [{ type: 'json', value: { sky: 'cloudy', wind: [3, 4] } }],
  'an image result': [
    { type: 'text', text: 'The map' },
    { type: 'image', source: { kind: 'base64', data: PNG_DATA, mediaType: 'image/png' } },
  ],
}

const WEATHER_TOOL: FunctionTool = {
  type: 'function',
  name: 'weather',
  description: 'Returns the weather of a city.',
  input: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}

/** Settings by name, each with a value that differs from its default. */
const SETTINGS: { readonly [name: string]: Omit<ChatRequest, 'messages'> } = {
  maxOutputTokens: { maxOutputTokens: 321 },
  temperature: { temperature: 0.5 },
  topP: { topP: 0.75 },
  topK: { topK: 17 },
  stop: { stop: ['END', 'HALT'] },
  seed: { seed: 4711 },
  presencePenalty: { presencePenalty: 0.25 },
  frequencyPenalty: { frequencyPenalty: 0.125 },
  candidateCount: { candidateCount: 2 },
  logprobs: { logprobs: { top: 3 } },
  stream: { stream: true },
  user: { user: 'user-4812' },
  metadata: { metadata: { project: 'apollo' } },
  output: {
    output: { type: 'json', schema: { type: 'object', properties: { answer: { type: 'string' } } } },
  },
  reasoning: { reasoning: { effort: 'high' } },
  'a reasoning budget': { reasoning: { budgetTokens: 2048 }, maxOutputTokens: 4096 },
  verbosity: { verbosity: 'low' },
  serviceTier: { serviceTier: 'priority' },
  store: { store: true },
  promptCacheKey: { promptCacheKey: 'session-77' },
  safetyIdentifier: { safetyIdentifier: 'person-9' },
  tools: { tools: [WEATHER_TOOL] },
  'a strict tool': { tools: [{ ...WEATHER_TOOL, strict: true }] },
  'a required tool': { tools: [WEATHER_TOOL], toolChoice: 'required' },
  'a named tool': { tools: [WEATHER_TOOL], toolChoice: { name: 'weather' } },
  'no parallel tool calls': { tools: [WEATHER_TOOL], parallelToolCalls: false },
}

/** A canonical value with a name for titles. */
export interface NamedValue<T> {
  readonly name: string
  readonly value: T
}

const createUser = (content: readonly UserPart[], index = 0): Message => ({
  id: `user_${index}`,
  role: 'user',
  content,
})

const createAnswer = (content: readonly AssistantPart[], index = 0): AssistantMessage => ({
  id: `assistant_${index}`,
  role: 'assistant',
  content,
})

const createSystem = (role: 'system' | 'developer', text: string, index = 0): Message => ({
  id: `${role}_${index}`,
  role,
  content: [{ type: 'text', text }],
})

const createCall = (number: number, city: string): ToolCallPart => ({
  type: 'tool-call',
  id: `call_${number}`,
  name: 'weather',
  arguments: { city, days: number },
})

const createRound = (contents: readonly (readonly ToolResultContent[])[], offset = 0): readonly Message[] => {
  const calls = contents.map((_content, index) =>
    createCall(offset + index + 1, `City ${offset + index + 1}`),
  )
  const results = calls.map(({ id, name }, index) => ({
    type: 'tool-result' as const,
    callId: id,
    name,
    content: contents[index] ?? [],
  }))
  return [createAnswer(calls, offset), { id: `tool_${offset}`, role: 'tool', content: results }]
}

const QUESTION = createUser([{ type: 'text', text: 'What is the weather?' }])

const createRequest = (
  messages: readonly Message[],
  settings: Omit<ChatRequest, 'messages'> = {},
): ChatRequest => ({ model: 'test-model', maxOutputTokens: 999, ...settings, messages })

/** Returns requests with one kind of content or one setting each. */
export function listRequestSamples(): readonly NamedValue<ChatRequest>[] {
  const failed: Message[] = createRound([[{ type: 'text', text: 'No such city' }]]).map((message) =>
    message.role === 'tool'
      ? { ...message, content: message.content.map((part) => ({ ...part, isError: true }) as typeof part) }
      : message,
  )
  const ask = (...messages: readonly Message[]): ChatRequest => createRequest([QUESTION, ...messages])
  const tools = { tools: [WEATHER_TOOL] }
  const conversations: { readonly [name: string]: ChatRequest } = {
    'a system message': createRequest([createSystem('system', 'Be brief.'), QUESTION]),
    'a developer message': createRequest([createSystem('developer', 'Use metric units.'), QUESTION]),
    'a system message in the middle': ask(
      createAnswer([{ type: 'text', text: 'Sunny.' }]),
      createSystem('system', 'In German from now on.'),
      createUser([{ type: 'text', text: 'And tomorrow?' }], 1),
    ),
    'two parallel tool calls': createRequest(
      [QUESTION, ...createRound([[{ type: 'text', text: 'Rain' }], [{ type: 'text', text: 'Hail' }]])],
      tools,
    ),
    'a failed tool call': createRequest([QUESTION, ...failed], tools),
    'two rounds of tool calls': createRequest(
      [
        QUESTION,
        ...createRound([[{ type: 'text', text: 'Rain' }]]),
        ...createRound([[{ type: 'text', text: 'Hail' }]], 1),
      ],
      tools,
    ),
  }
  return [
    ...mapNamed(USER_PARTS, (part) => createRequest([createUser([{ type: 'text', text: 'Look:' }, part])])),
    ...mapNamed(ANSWER_PARTS, (part) =>
      ask(createAnswer([part]), createUser([{ type: 'text', text: 'Go on' }], 1)),
    ),
    ...mapNamed(RESULT_CONTENTS, (content) => createRequest([QUESTION, ...createRound([content])], tools)),
    ...mapNamed(conversations, (request) => request),
    ...mapNamed(SETTINGS, (settings) => createRequest([QUESTION], settings)),
  ]
}

/** Returns a request with a random mix of content and settings. */
export function generateRequest(random: RandomInteger): ChatRequest {
  const messages: Message[] = random(2) === 0 ? [createSystem('system', 'Be brief.')] : []
  for (let turn = 0, turns = 1 + random(4); turn < turns; turn++) {
    messages.push(createUser(pickSome(random, Object.values(USER_PARTS)), turn))
    if (random(3) === 0) {
      const contents = pickSome(random, Object.values(RESULT_CONTENTS))
      for (const message of createRound(contents, 10 * (turn + 1))) messages.push(message)
    }
    if (turn < turns - 1) messages.push(createAnswer(pickSome(random, Object.values(ANSWER_PARTS)), turn))
  }
  const settings = pickSome(random, Object.values(SETTINGS))
  return createRequest(messages, Object.assign({}, ...settings, { tools: [WEATHER_TOOL] }) as object)
}

/** Returns responses with one kind of content each. */
export function listResponseSamples(): readonly NamedValue<ChatResponse>[] {
  const calls = [createCall(1, 'Oslo'), createCall(2, 'Rome')]
  return [
    ...mapNamed(ANSWER_PARTS, (part) => createResponse([part])),
    { name: 'tool calls', value: createResponse(calls) },
    {
      name: 'text and tool calls',
      value: createResponse([{ type: 'text', text: 'Let me look.' }, ...calls]),
    },
    { name: 'a cut-off answer', value: createResponse([{ type: 'text', text: 'It is' }], 'length') },
  ]
}

/** Returns a response with a random mix of content. */
export function generateResponse(random: RandomInteger): ChatResponse {
  const parts = pickSome(random, Object.values(ANSWER_PARTS))
  const calls = random(2) === 0 ? [createCall(1, 'Oslo')] : []
  return createResponse([...parts, ...calls])
}

function createResponse(content: readonly AssistantPart[], reason?: 'length'): ChatResponse {
  const hasCall = content.some(({ type }) => type === 'tool-call')
  const finish = { reason: reason ?? (hasCall ? 'tool-calls' : 'stop') } as const
  return {
    id: 'response_1',
    model: 'test-model',
    createdAt: '2026-01-02T03:04:05.000Z',
    candidates: [{ ...createAnswer(content), finish }],
    usage: { inputTokens: 21, outputTokens: 13, totalTokens: 34 },
  }
}

/** Returns one to three different items, in random order. */
function pickSome<T>(random: RandomInteger, items: readonly T[]): readonly T[] {
  return [...new Set(Array.from({ length: 1 + random(3) }, () => pickItem(random, items)))]
}

function mapNamed<T, Result>(
  table: { readonly [name: string]: T },
  map: (value: T) => Result,
): readonly NamedValue<Result>[] {
  return Object.entries(table).map(([name, value]) => ({ name, value: map(value) }))
}
