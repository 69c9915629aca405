import fc from 'fast-check'
import {
  assistant,
  type ChatRequest,
  type DialectName,
  dialects,
  type JsonObject,
  type Message,
  reasoning,
  system,
  text,
  toolCall,
  toolResult,
  toolResults,
  user,
} from 'interlingua'
import { modelFamilies } from 'interlingua/models'
import { describe, expect, test } from 'vitest'
import { EFFORTS } from '../../src/canonical/model/request.ts'
import { law } from '../law-assertions.ts'
import { subjects } from '../dialects/dialect-table.ts'
import { hasCheckedFacts, listBrokenFacts } from './broken-facts.ts'
import { readWireView } from './wire-views.ts'

const call = toolCall({ id: 'call_1', name: 'weather', arguments: {} })

/** Conversations with what some models refuse: a prefill, later system text, cache markers, another model's tool loop. */
const conversations: readonly (readonly Message[])[] = [
  [user('Hi')],
  [system('Be brief'), user('Hi'), assistant('The answer is')],
  [user('Hi'), assistant(' ')],
  [user('Hi'), assistant('Hello'), system('Be brief'), user('Go on')],
  [user('Hi'), system('Be brief')],
  [user([{ ...text('Hi'), cache: { ttl: 'long' } }])],
  [user('Hi'), assistant([call]), toolResults([toolResult(call, 'sunny')])],
  [user('Hi'), assistant([reasoning('hm'), call]), toolResults([toolResult(call, 'x')])],
]

const schema = {
  type: 'object',
  properties: { a: { type: 'string' } },
  required: ['a'],
  additionalProperties: false,
}
const tools = [{ type: 'function', name: 'weather', input: schema, strict: true }] as const

const anyReasoning = fc.record(
  {
    enabled: fc.boolean(),
    effort: fc.constantFrom(...EFFORTS),
    budgetTokens: fc.constantFrom(0, 1, 500, 1024, 8000, 60_000, 200_000),
    include: fc.boolean(),
    summary: fc.constantFrom('auto', 'concise'),
  },
  { requiredKeys: [], noNullPrototype: true },
)

const anyAsked = fc.record(
  {
    messages: fc.constantFrom(...conversations),
    reasoning: anyReasoning,
    maxOutputTokens: fc.constantFrom(1, 500, 1024, 1025, 4096, 32_000, 64_000, 128_000, 300_000),
    temperature: fc.constantFrom(0, 0.5, 1),
    topP: fc.constantFrom(0.5, 1),
    topK: fc.constant(5),
    stop: fc.constant(['x']),
    presencePenalty: fc.constant(0.5),
    frequencyPenalty: fc.constant(0.5),
    logprobs: fc.constant({ top: 2 }),
    tools: fc.constant(tools),
    toolChoice: fc.constantFrom('auto', 'required', 'none', { name: 'weather' }),
    parallelToolCalls: fc.boolean(),
    verbosity: fc.constantFrom('low', 'medium', 'high'),
    output: fc.constantFrom({ type: 'json' }, { type: 'json', schema, strict: true }, { type: 'text' }),
  },
  { requiredKeys: ['messages'], noNullPrototype: true },
) as fc.Arbitrary<ChatRequest>

const options = { apiVersion: '2023-06-01' }

function encode(dialect: DialectName, request: ChatRequest, model: string): object {
  return dialects[dialect].encodeRequest(request, { ...options, model }).value
}

const rows = modelFamilies.flatMap((family) =>
  family.names.slice(0, 1).map((name) => [name.replace('*', 'x'), family] as const),
)

/** The cases of each model, and those of two models. */
const [MODEL_CASES, PAIR_CASES] = process.env['SOAK'] ? [500, 400] : [20, 200]

describe.each(subjects)('$name', ({ name: dialect }) => {
  const checked = rows.filter(([, family]) => process.env['SOAK'] || hasCheckedFacts(family, dialect))

  test.each(checked)('%s accepts every encoded request', (model, family) => {
    const check = (request: ChatRequest): void => {
      const body = encode(dialect, request, model)
      const broken = listBrokenFacts(family, dialect, readWireView(dialect, body))
      if (broken.length > 0) expect.fail(`${broken.join(', ')}: ${JSON.stringify(body)}`)
    }
    law(anyAsked, check, MODEL_CASES)
  })

  test('a request that was received for one model is accepted by another', () => {
    const anyRow = fc.constantFrom(...rows)
    law(
      fc.tuple(anyAsked, anyRow, anyRow),
      ([request, [oldModel], [model, family]]) => {
        const extraFields = dialect === 'openai-chat' ? { verbosity: 'low', logit_bias: { '1': 1 } } : {}
        const received = { ...encode(dialect, request, oldModel), ...extraFields, ...olderName(dialect) }
        // Some formats have the model in the path.
        const path =
          dialect === 'bedrock' ? `/model/${oldModel}/converse` : `/v1beta/models/${oldModel}:generateContent`
        const { value } = dialects[dialect].decodeRequest(received, { path })
        // The same model gets what it was sent.
        expect(encode(dialect, value, oldModel)).toEqual(received)
        const body = encode(dialect, value, model)
        const broken = model === oldModel ? [] : listBrokenFacts(family, dialect, readWireView(dialect, body))
        if (broken.length > 0) expect.fail(`${broken.join(', ')}: ${JSON.stringify({ received, body })}`)
      },
      PAIR_CASES,
    )
  })
})

/** The older name of the output limit, which newer models of OpenAI refuse. */
function olderName(dialect: DialectName): JsonObject {
  return dialect === 'openai-chat' ? { max_tokens: 100 } : {}
}
