import {
  assistant,
  fromJson,
  image,
  Messages,
  reasoning,
  renderMessages,
  repair,
  sanitize,
  system,
  toJson,
  toolCall,
  toolResult,
  user,
  validate,
} from 'interlingua'
import { fromMessages, toMessages, type WritableFormatName } from 'interlingua/formats'
import { parseMessages } from 'interlingua/parse'
import { validateValue } from 'interlingua/schema'
import { expectTrue, fixedIdentity, type PortableLaw } from './portable-law.ts'

const identity = { id: 'm', createdAt: '2026-01-01T00:00:00.000Z' }
const call = toolCall({ id: 'call_1', name: 'weather', arguments: { city: 'Tromsø 🌨' } })

const conversation = Messages.of(
  system('Answer {{name}} in one sentence.', { ...identity, id: 'm1' }),
  user(['How warm is it?', image('https://example.org/a.png')], { ...identity, id: 'm2' }),
  assistant([reasoning('I look it up.'), call], { ...identity, id: 'm3' }),
)
  .toolResults(toolResult(call, { celsius: -4 }), { ...identity, id: 'm4' })
  .assistant('−4 °C', { ...identity, id: 'm5', finish: { reason: 'stop' } })

const FORMATS = Object.keys({
  'ag-ui-messages': true,
  'ai-sdk-model-messages': true,
  'ai-sdk-ui-messages': true,
  dartantic: true,
  'instructor-php': true,
  langchain: true,
  laragent: true,
  'llm-msg-io': true,
  mastra: true,
  mcp: true,
  'neuron-ai': true,
  'openai-agents': true,
  opentelemetry: true,
  pi: true,
  'pydantic-ai': true,
  anthropic: true,
  bedrock: true,
  cohere: true,
  gemini: true,
  'gemini-interactions': true,
  mistral: true,
  ollama: true,
  'openai-chat': true,
  'openai-responses': true,
  chatml: true,
  'gemini-tuning': true,
  harmony: true,
  huggingface: true,
  markdown: true,
  'openai-fine-tuning': true,
  sharegpt: true,
} satisfies { readonly [name in WritableFormatName]: true }) as WritableFormatName[]

/** Operations on the canonical form, and messages of other libraries. */
export const conversationLaws: readonly PortableLaw[] = [
  {
    name: 'the stored form of a conversation is read as it was',
    run: () => {
      const stored = JSON.stringify(toJson(conversation))
      const restored = fromJson(JSON.parse(stored))
      expectTrue(JSON.stringify(toJson(restored)) === stored, 'the stored form changed')
      return stored
    },
  },
  {
    name: 'problems are found and repaired',
    run: () => {
      const broken = parseMessages(JSON.parse(JSON.stringify([...conversation].slice(0, 3))) as unknown)
      const repaired = repair(broken)
      return [validate(broken), repaired.map(({ role, content }) => ({ role, content })), validate(repaired)]
    },
  },
  {
    name: 'templates are filled in and URLs are removed',
    run: () => [
      [...renderMessages(conversation, { name: 'Ada' })],
      sanitize(conversation, { urls: (url) => url.hostname !== 'example.org' }),
    ],
  },
  {
    name: 'a value is checked against a schema',
    run: () =>
      validateValue(
        { type: 'object', properties: { city: { type: 'string', pattern: '^\\p{Lu}' } }, required: ['date'] },
        { city: 'oslo' },
      ),
  },
  ...FORMATS.map((to) => ({
    name: `messages are written as ${to} and read again`,
    run: (): unknown => {
      const written = toMessages(conversation, { to })
      return [written, fromMessages(written.value, { from: to, ...fixedIdentity() })]
    },
  })),
]
