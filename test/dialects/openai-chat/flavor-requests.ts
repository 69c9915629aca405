import {
  assistant,
  type ChatRequest,
  developer,
  image,
  type JsonObject,
  reasoning,
  refusal,
  text,
  toolCall,
  toolResult,
  toolResults,
  user,
} from 'interlingua'
import type { OpenAIChatFlavorName } from '../../../src/dialects/openai-chat/flavors.ts'
import { leavesOf, pointerTo } from '../json-leaves.ts'
import { documentedRequests } from './documented-bodies.ts'

/** A request with every setting and part that some host requires in another form. */
export const everything: ChatRequest = {
  model: 'm',
  messages: [
    developer('Be brief.'),
    user([text('Look.', { cache: {} }), image('https://example.org/a.png')], { name: 'ann' }),
    assistant([
      reasoning('I should ask.'),
      text('One moment.'),
      toolCall({ id: 'call_1', name: 'weather', arguments: { city: 'Oslo' } }),
    ]),
    toolResults([toolResult('call_1', [text('Rain'), text('5 degrees')])]),
    user('And tomorrow?'),
    assistant([refusal('That I cannot say.')]),
  ],
  tools: [
    {
      type: 'function',
      name: 'weather',
      input: { type: 'object', properties: {}, required: [], additionalProperties: false },
      strict: true,
    },
    { type: 'function', name: 'time', input: { type: 'object' } },
  ],
  toolChoice: { allowed: ['weather'], mode: 'required' },
  parallelToolCalls: false,
  output: { type: 'json', name: 'sky', schema: { type: 'object', properties: {} } },
  reasoning: { effort: 'low' },
  maxOutputTokens: 100,
  temperature: 1.8,
  topP: 0.9,
  topK: 40,
  stop: ['END', 'STOP'],
  seed: 7,
  presencePenalty: 0.1,
  frequencyPenalty: 0.2,
  candidateCount: 2,
  logprobs: { top: 3 },
  stream: true,
  user: 'u-1',
  metadata: { team: 'a' },
}

/** Returns the leaves of a body by their paths. */
function flat(body: unknown): ReadonlyMap<string, string> {
  return new Map(leavesOf(body).map(({ at, value }) => [pointerTo(at), JSON.stringify(value)]))
}

/** Lists the differences between two bodies by leaf: the removed ones, then the added ones. */
export function changes(usual: JsonObject, body: JsonObject): readonly string[] {
  const [before, after] = [flat(usual), flat(body)]
  const gone = [...before].filter(([place, value]) => after.get(place) !== value)
  const added = [...after].filter(([place, value]) => before.get(place) !== value)
  return [
    ...gone.map(([place, value]) => `- ${place} ${value}`),
    ...added.map(([place, value]) => `+ ${place} ${value}`),
  ].toSorted((a, b) => (a.slice(2) < b.slice(2) ? -1 : 1))
}

const hi = { role: 'user', content: 'Hi' }
const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }]
const called = (id: string): JsonObject => ({
  id,
  type: 'function',
  function: { name: 'f', arguments: '{}' },
})

/** Bodies that each host accepts and that must be encoded unchanged; the model is the title of the test. */
export const legal: { readonly [name in OpenAIChatFlavorName]?: readonly JsonObject[] } = {
  ...documentedRequests,
  deepseek: [
    {
      model: 'with reasoning',
      messages: [
        hi,
        { role: 'assistant', content: null, reasoning_content: 'Hm.', tool_calls: [called('call_00_a')] },
        { role: 'tool', tool_call_id: 'call_00_a', content: 'done' },
      ],
      tools,
      max_tokens: 9,
      thinking: { type: 'enabled' },
      user_id: 'u-1',
    },
    {
      model: 'empty reasoning',
      messages: [hi, { role: 'assistant', content: 'Yo', reasoning_content: '' }, hi],
    },
    { model: 'without reasoning', messages: [hi, { role: 'assistant', content: 'Yo' }, hi] },
  ],
  groq: [
    {
      model: 'reasoning and one candidate',
      messages: [
        { role: 'developer', content: 'Be brief.' },
        hi,
        { role: 'assistant', content: 'Yo', reasoning: 'Hm.' },
        hi,
      ],
      n: 1,
      max_tokens: 9,
      reasoning_format: 'parsed',
    },
  ],
  mistral: [
    {
      model: 'calls and a message to continue',
      messages: [
        hi,
        { role: 'assistant', content: '', tool_calls: [called('a1B2c3D4e')] },
        { role: 'tool', tool_call_id: 'a1B2c3D4e', name: 'f', content: 'done' },
        { role: 'assistant', content: 'So', prefix: true },
      ],
      tools,
      tool_choice: 'any',
      max_tokens: 9,
      random_seed: 7,
      temperature: 1.5,
      safe_prompt: true,
    },
  ],
  openrouter: [
    {
      model: 'details and markers',
      messages: [
        { role: 'system', content: [{ type: 'text', text: 'A', cache_control: { type: 'ephemeral' } }] },
        hi,
        {
          role: 'assistant',
          content: 'Yo',
          reasoning: 'Hm.',
          reasoning_details: [{ type: 'reasoning.text', text: 'Hm.', format: 'unknown', index: 0 }],
        },
        hi,
      ],
      top_k: 40,
      provider: { order: ['a'] },
    },
  ],
  together: [
    {
      model: 'counted logprobs',
      messages: [hi, { role: 'assistant', content: 'Yo', reasoning_content: 'Hm.' }, hi],
      logprobs: 3,
      stop: ['END'],
      top_k: 40,
      max_tokens: 9,
    },
  ],
  zai: [
    {
      model: 'one stop',
      messages: [hi],
      tools,
      tool_choice: 'auto',
      stop: ['END'],
      user_id: 'user-1',
      temperature: 1,
    },
  ],
}
