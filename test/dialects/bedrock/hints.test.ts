import { accumulate, type JsonObject } from 'interlingua'
import { bedrockDialect } from 'interlingua/dialects/bedrock'
import { expect, test } from 'vitest'
import { hintMeanings } from '../../../src/dialects/bedrock/hints.ts'
import { requests } from '../bodies/bedrock-requests.ts'
import { oddResponses, responses } from '../bodies/bedrock-responses.ts'
import { oddRequests } from '../bodies/bedrock-unusual-requests.ts'
import { collectHints } from '../collect-hints.ts'

/** Hints that the decoder writes only for the model of a request, or in streams. */
const otherHints: ReadonlySet<string> = new Set(['signatureFollows'])

test('every hint of bedrock is written by a body', () => {
  const found = new Set<string>()
  for (const body of Object.values({ ...requests, ...oddRequests }))
    collectHints(bedrockDialect.decodeRequest(body).value, found)
  for (const body of Object.values({ ...responses, ...oddResponses }))
    collectHints(bedrockDialect.decodeResponse(body).value, found)
  const request = { model: 'us.deepseek.r1-v1:0', messages: [] }
  collectHints(bedrockDialect.decodeResponse(responses['reasoning'], { request }).value, found)
  const missing = Object.keys(hintMeanings).filter((name) => !found.has(name) && !otherHints.has(name))
  expect(missing).toEqual([])
})

test('reasoning of a stream has the vendor of the model of its request', async () => {
  const events: readonly JsonObject[] = [
    { messageStart: { role: 'assistant' } },
    { contentBlockDelta: { contentBlockIndex: 0, delta: { reasoningContent: { text: 'Hm' } } } },
    { contentBlockDelta: { contentBlockIndex: 0, delta: { reasoningContent: { signature: 's' } } } },
    { contentBlockStop: { contentBlockIndex: 0 } },
    { messageStop: { stopReason: 'end_turn' } },
  ]
  async function* lines(): AsyncGenerator<string> {
    for (const event of events) yield `${JSON.stringify(event)}\n`
  }
  for (const [model, vendor] of [
    ['us.anthropic.claude-sonnet-5', 'anthropic'],
    ['amazon.nova-2-lite-v1:0', 'amazon'],
  ] as const) {
    const request = { model, messages: [] }
    const { candidates } = await accumulate(bedrockDialect.decodeStream(lines(), { request }))
    expect(candidates[0]?.content[0]?.signature?.vendor).toBe(vendor)
    expect(candidates[0]?.origin).toMatchObject({ dialect: 'bedrock', model })
  }
})
