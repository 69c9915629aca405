import fc from 'fast-check'
import { type ChatRequest, type Dialect, dialects, type JsonObject, type Loss } from 'interlingua'
import { cohereDialect } from 'interlingua/dialects/cohere'
import { describe, expect, test } from 'vitest'
import { anyRequest, anyResponse, RUNS } from '../../arbitraries.ts'
import { expectSame } from '../../law-assertions.ts'
import { published } from '../../published-schemas.ts'
import { recorded } from '../../recorded-exchanges.ts'
import { oddRequests, requests } from '../bodies/cohere-requests.ts'
import { oddResponses, responses } from '../bodies/cohere-responses.ts'
import { subjects } from '../dialect-table.ts'
import { isNamed, traced, vanished } from '../find-lost-values.ts'
import { covers, leavesOf, mapLeaves, pointerTo } from '../json-leaves.ts'
import { marked } from '../marked-bodies.ts'

const own: Dialect<JsonObject, JsonObject> = cohereDialect
const builtIn = Object.values(dialects) as unknown as readonly Dialect<JsonObject, JsonObject>[]
const requestSchema = published('spec/cohere-chat-request')
const responseSchema = published('spec/cohere-chat-response')

const isBody = (body: unknown): body is JsonObject => typeof body === 'object' && body !== null

/** Recorded bodies are translated in a soak only: they contain nothing that the others do not. */
const exchanges = process.env['SOAK'] === undefined ? [] : recorded('cohere')

/** Bodies of this dialect, by direction. */
const bodies = {
  request: [
    ...Object.values({ ...requests, ...oddRequests }),
    ...exchanges.flatMap(({ request }) => (isBody(request) ? [request] : [])),
  ],
  response: [
    ...Object.values({ ...responses, ...oddResponses }),
    ...exchanges.flatMap(({ response }) => (isBody(response) ? [response] : [])),
  ],
} as const

const directions = ['request', 'response'] as const
type Direction = (typeof directions)[number]

function translate(
  body: JsonObject,
  direction: Direction,
  from: Dialect<JsonObject, JsonObject>,
  to: Dialect<JsonObject, JsonObject>,
): { readonly decoded: unknown; readonly value: JsonObject; readonly losses: readonly Loss[] } {
  if (direction === 'request') {
    const { value: decoded } = from.decodeRequest(body)
    return { decoded, ...to.encodeRequest({ model: 'some-model', ...decoded }) }
  }
  const { value: decoded } = from.decodeResponse(body)
  return { decoded, ...to.encodeResponse(decoded) }
}

/** Paths of fields that mean nothing in another format: ids, times, and what an answer of OpenAI or Ollama repeats. */
const meaningless =
  /^\/(id|createdAt|model)$|anthropic_version|\/extra\/(openai-\w+|ollama)(~1response)?\/|bedrock~1response\/.*\/metrics\/|cohere~1response\/billed_units\/(in|out)put_tokens$/

/** Lists the paths of marked values that are neither in the output nor named by a loss. */
function findSilentLosses(
  body: JsonObject,
  direction: Direction,
  from: Dialect<JsonObject, JsonObject>,
  to: Dialect<JsonObject, JsonObject>,
): readonly string[] {
  const source = marked(body)
  const { decoded, value, losses } = translate(source.body, direction, from, to)
  const output = JSON.stringify(value)
  const files = leavesOf(value).map(({ value: leaf }) => Buffer.from(String(leaf), 'base64').toString())
  const { createdAt } = decoded as { readonly createdAt?: string }
  const isWritten = (mark: string | number): boolean =>
    output.includes(String(mark)) ||
    files.some((text) => text.includes(String(mark))) ||
    (typeof mark === 'number' && new Date(mark * 1000).toISOString() === createdAt)
  return source.marks
    .filter((mark) => !isWritten(mark))
    .flatMap((mark) => {
      const places = leavesOf(decoded)
        .filter(({ value: leaf }) => String(leaf).includes(String(mark)))
        .map(({ at }) => pointerTo(at))
      const isReported = places.some(
        (place) => meaningless.test(place) || losses.some(({ path }) => path !== '' && covers(path, place)),
      )
      return isReported ? [] : [`${mark} ${places.join(' ')}`]
    })
}

/** Lists the bodies of another dialect; unusual ones are translated in a soak only. */
function listFixtures(
  other: Dialect<JsonObject, JsonObject>,
  direction: Direction,
): readonly { readonly name: string; readonly body: JsonObject }[] {
  const { fixtures } = subjects.find(({ name }) => name === other.name) ?? {}
  const isTested = (name: string): boolean => process.env['SOAK'] !== undefined || !name.startsWith('unusual')
  return fixtures?.[direction].filter(({ name }) => isTested(name)) ?? []
}

describe.each(builtIn)('cohere and $name', (other) => {
  test.each(directions)('no value of a %s of cohere is lost without a report', (direction) => {
    for (const body of bodies[direction]) expect(findSilentLosses(body, direction, own, other)).toEqual([])
  })

  test.each(directions)('no value of a %s of the other is lost without a report', (direction) => {
    for (const { name, body } of listFixtures(other, direction))
      expect(findSilentLosses(body, direction, other, own), name).toEqual([])
  })

  test('bodies of the other become valid bodies', () => {
    for (const { body, name } of listFixtures(other, 'request')) {
      const { value } = translate(body, 'request', other, own)
      expect(requestSchema(value), name).toEqual([])
      expect(findRefusals(value), name).toEqual([])
    }
    for (const { body, name } of listFixtures(other, 'response'))
      expect(responseSchema(translate(body, 'response', other, own).value), name).toEqual([])
  })
})

/** Lists what the API refuses beyond its schema. */
function findRefusals(body: JsonObject): readonly string[] {
  const messages = (body['messages'] ?? []) as readonly JsonObject[]
  const problems: string[] = []
  if (messages.length === 0) problems.push('there is no message')
  let open: string[] = []
  for (const [index, { role, content, tool_calls: calls, tool_call_id: id }] of messages.entries()) {
    if (role !== 'tool' && open.length > 0) problems.push(`${index}: a call has no result`)
    if (role === 'tool' && !open.includes(id as string)) problems.push(`${index}: a result has no call`)
    open = role === 'tool' ? open.filter((each) => each !== id) : []
    if (role === 'assistant')
      open = ((calls ?? []) as readonly JsonObject[]).map((call) => call['id'] as string)
    if (role === 'user' && (content === '' || (Array.isArray(content) && content.length === 0)))
      problems.push(`${index}: content is empty`)
  }
  const names = JSON.stringify(body['tools'] ?? []).matchAll(/"function":\{"name":"([^"]*)"/g)
  for (const [, name = ''] of names)
    if (!/^[A-Za-z_]\w*$/.test(name)) problems.push(`the tool name ${name} is invalid`)
  const { type } = (body['response_format'] ?? {}) as JsonObject
  const { length } = (body['tools'] ?? []) as readonly unknown[]
  if (type === 'json_object' && length > 0) problems.push('an output format excludes tools')
  return problems
}

describe('cohere: canonical values', () => {
  test('any request becomes a valid body, and nothing is lost without a report', () => {
    const property = fc.property(anyRequest, (generated) => {
      const request = traced<ChatRequest>(generated)
      const { value, losses } = own.encodeRequest({ model: 'some-model', ...request })
      expect(requestSchema(value)).toEqual([])
      expect(findRefusals(value)).toEqual([])
      const back = own.decodeRequest(value).value
      expect(vanished(request.messages, [...back.messages], losses.map(dropMessages))).toEqual([])
    })
    fc.assert(property, { numRuns: Math.ceil(RUNS / 4) })
  })

  test('any response becomes a valid body', () => {
    const property = fc.property(anyResponse, (response) => {
      expect(responseSchema(own.encodeResponse(response).value)).toEqual([])
    })
    fc.assert(property, { numRuns: Math.ceil(RUNS / 4) })
  })

  test('a changed text is sent, and its old value is not', () => {
    for (const direction of directions) {
      for (const body of bodies[direction]) {
        const { decoded } = translate(marked(body).body, direction, own, own)
        const texts = leavesOf(decoded, (key) => key !== 'extra').filter(
          ({ at, value }) =>
            /q\d{4}zq/.test(String(value)) && (at.at(-1) === 'text' || at.at(-1) === 'quote'),
        )
        for (const { at, value } of texts) {
          const edited = mapLeaves(decoded, (leaf, place) =>
            pointerTo(place) === pointerTo(at) ? 'an edited text' : leaf,
          )
          const { value: sent, losses } =
            direction === 'request' ? own.encodeRequest(edited as never) : own.encodeResponse(edited as never)
          const text = JSON.stringify(sent)
          expect(text.includes('an edited text') || isNamed(losses, at)).toBe(true)
          expect(text).not.toContain(String(value))
        }
      }
    }
  })

  test('hostile bodies give typed results in bounded work', () => {
    for (const value of [null, 1, 'x', [], { messages: {} }, { messages: [null, 1, []] }]) {
      const run = (): unknown => own.decodeRequest(value)
      if (isBody(value) && !Array.isArray(value))
        expectSame(own.encodeRequest(own.decodeRequest(value).value).value, value)
      else expect(run).toThrow(/request/i)
    }
  })
})

/** Returns a loss with a path that starts at the list of messages. */
function dropMessages(loss: Loss): Loss {
  return { ...loss, path: loss.path.replace(/^\/messages/, '') }
}
