import fc from 'fast-check'
import { type ChatRequest, type Dialect, dialects, type JsonObject, type Loss } from 'interlingua'
import { bedrockDialect } from 'interlingua/dialects/bedrock'
import { describe, expect, test } from 'vitest'
import { anyRequest, anyResponse, RUNS } from '../../arbitraries.ts'
import { expectSame } from '../../law-assertions.ts'
import { published } from '../../published-schemas.ts'
import { recorded } from '../../recorded-exchanges.ts'
import { requests } from '../bodies/bedrock-requests.ts'
import { oddRequests } from '../bodies/bedrock-unusual-requests.ts'
import { oddResponses, responses } from '../bodies/bedrock-responses.ts'
import { subjects } from '../dialect-table.ts'
import { isNamed, traced, vanished } from '../find-lost-values.ts'
import { covers, leavesOf, mapLeaves, pointerTo } from '../json-leaves.ts'
import { marked } from '../marked-bodies.ts'

const own: Dialect<JsonObject, JsonObject> = bedrockDialect
const others = Object.values(dialects).filter(({ name }) => name !== 'bedrock')
const builtIn = others as unknown as readonly Dialect<JsonObject, JsonObject>[]
const requestSchema = published('spec/bedrock-converse-request')
const responseSchema = published('spec/bedrock-converse-response')

const isBody = (body: unknown): body is JsonObject => typeof body === 'object' && body !== null

/** Recorded bodies are translated in a soak only: they contain nothing that the others do not. */
const exchanges = process.env['SOAK'] === undefined ? [] : recorded('bedrock-converse')

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
    return { decoded, ...to.encodeRequest(decoded) }
  }
  const { value: decoded } = from.decodeResponse(body)
  return { decoded, ...to.encodeResponse(decoded) }
}

/** Paths of fields that mean nothing in another format: ids, times, and what an answer of OpenAI or Ollama repeats. */
const meaningless =
  /^\/(id|createdAt|model)$|\/metrics\/|FieldPaths|TokenCount$|billed_units\/(in|out)put_tokens$|anthropic_version|\/extra\/(openai-\w+|ollama)(~1response)?\//

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

describe.each(builtIn)('bedrock and $name', (other) => {
  test.each(directions)('no value of a %s of bedrock is lost without a report', (direction) => {
    for (const body of bodies[direction]) expect(findSilentLosses(body, direction, own, other)).toEqual([])
  })

  test.each(directions)('no value of a %s of the other is lost without a report', (direction) => {
    const subject = subjects.find(({ name }) => name === other.name)
    for (const { name, body } of subject?.fixtures[direction] ?? [])
      expect(findSilentLosses(body, direction, other, own), name).toEqual([])
  })

  test('bodies of the other become valid bodies', () => {
    const subject = subjects.find(({ name }) => name === other.name)
    for (const { body, name } of subject?.fixtures.request ?? []) {
      const { value } = translate(body, 'request', other, own)
      expect(requestSchema(value), name).toEqual([])
      expect(findRefusals(value), name).toEqual([])
    }
    for (const { body, name } of subject?.fixtures.response ?? [])
      expect(responseSchema(translate(body, 'response', other, own).value), name).toEqual([])
  })
})

const blockKeys = (content: unknown): readonly string[] =>
  (content as readonly object[]).map((block) => Object.keys(block)[0] ?? '')

const readId = ({ toolUseId }: JsonObject): string => (typeof toolUseId === 'string' ? toolUseId : '')

/** Lists what the service refuses beyond its schema. */
function findRefusals(body: JsonObject): readonly string[] {
  const messages = (body['messages'] ?? []) as readonly { role: string; content: readonly JsonObject[] }[]
  const problems: string[] = []
  const names = new Set<string>()
  const points = JSON.stringify(body).match(/"cachePoint":/g)?.length ?? 0
  if (points > 4) problems.push('too many cache points')
  if (messages[0]?.role !== 'user') problems.push('a user message must be first')
  for (const [index, { role, content }] of messages.entries()) {
    const keys = blockKeys(content)
    if (messages[index - 1]?.role === role) problems.push(`${index}: roles must alternate`)
    if (content.length === 0) problems.push(`${index}: content is empty`)
    if (content.some(({ text }) => typeof text === 'string' && text.trim() === ''))
      problems.push(`${index}: blank text`)
    if (keys.includes('document') && !keys.includes('text')) problems.push(`${index}: document without text`)
    const isToolTurn = keys.includes('toolUse') || keys.includes('toolResult')
    if (isToolTurn && body['toolConfig'] === undefined) problems.push(`${index}: toolConfig is missing`)
    const documents = leavesOf(content).filter(({ at }) => at.at(-1) === 'name' && at.at(-2) === 'document')
    for (const { value } of documents) {
      const name = String(value)
      if (names.has(name.toLowerCase())) problems.push(`${index}: document name ${name} is repeated`)
      if (!/^[a-zA-Z0-9\-()[\]]+( [a-zA-Z0-9\-()[\]]+)*$/.test(name) || name.length > 200)
        problems.push(`${index}: document name ${name} is invalid`)
      names.add(name.toLowerCase())
    }
    const calls = content.flatMap(({ toolUse }) => (isBody(toolUse) ? [readId(toolUse)] : []))
    const next = messages[index + 1]?.content ?? []
    const results = next.flatMap(({ toolResult }) => (isBody(toolResult) ? [readId(toolResult)] : []))
    if (role === 'assistant' && calls.some((id) => !results.includes(id)))
      problems.push(`${index}: a call has no result`)
    if (calls.some((id) => !/^[\w-]{1,64}$/.test(id))) problems.push(`${index}: invalid call id`)
  }
  return problems
}

describe('bedrock: canonical values', () => {
  test('any request becomes a valid body, and nothing is lost without a report', () => {
    const property = fc.property(anyRequest, (generated) => {
      const request = traced<ChatRequest>(generated)
      const { value, losses } = own.encodeRequest(request)
      expect(requestSchema(value)).toEqual([])
      expect(findRefusals(value)).toEqual([])
      const back = own.decodeRequest(value, { path: '/model/m/converse' }).value
      expect(vanished(request.messages, [...back.messages], losses.map(dropMessages))).toEqual([])
    })
    fc.assert(property, { numRuns: Math.ceil(RUNS / 2) })
  })

  test('any response becomes a valid body', () => {
    const property = fc.property(anyResponse, (response) => {
      expect(responseSchema(own.encodeResponse(response).value)).toEqual([])
    })
    fc.assert(property, { numRuns: Math.ceil(RUNS / 2) })
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
