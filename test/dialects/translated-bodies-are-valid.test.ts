import {
  assistant,
  type ChatRequest,
  type ChatResponse,
  type JsonObject,
  repair,
  toolCall,
  toolResult,
  toolResults,
  translateRequest,
  user,
} from 'interlingua'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyRequest, anyResponse } from '../arbitraries.ts'
import { law } from '../law-assertions.ts'
import { validator, type WireSchemaName } from '../wire-validators.ts'
import { wireValue } from '../wire-arbitraries.ts'
import { faultsOf, listRefusals, pairs, SHARE, type Subject, subjects } from './dialect-table.ts'
import { shareOf, shareOfFixtures } from './pair-shares.ts'
import { publishedAnswerOptions } from './stream-responses.ts'
import { translateAnyResponse } from './translate-any-response.ts'
import { bare, leavesOf } from './json-leaves.ts'

function complaints(schemas: readonly WireSchemaName[], body: unknown): readonly string[] {
  return schemas.flatMap((schema) => validator(schema)(body).map((complaint) => `${schema} ${complaint}`))
}

/** Some recorded bodies contain no model: it was part of the URL. */
const MODEL = { model: 'a-model' }

describe.each(pairs)('translated bodies from $name are valid', (pair) => {
  const { from, to } = pair
  const options = { from: from.name, to: to.name, ...MODEL }
  const answerOptions = { ...options, ...publishedAnswerOptions(to.name) }
  const { request, response } = to.row.schemas

  test.each(shareOfFixtures(pair, from.valid.request))('request $name', ({ body }) => {
    expect(faultsOf(to, 'request', translateRequest(body, options).value)).toEqual([])
  })

  const unusual = from.fixtures.request.filter(({ name }) => name.startsWith('unusual '))
  test.each(shareOfFixtures(pair, unusual))('request $name', ({ body }) => {
    expect(complaints(request, translateRequest(body, options).value)).toEqual([])
  })

  test.each(shareOfFixtures(pair, from.fixtures.response))('response $name', ({ body }) => {
    expect(faultsOf(to, 'response', translateAnyResponse(body, answerOptions).value)).toEqual([])
  })

  test.each(from.row.widest.request)('generated requests of %s', (schema) => {
    law(
      wireValue(schema),
      (body) => {
        expect(complaints(request, translateRequest(body, options).value)).toEqual([])
      },
      SHARE,
    )
  })

  test.each(from.row.widest.response)('generated responses of %s', (schema) => {
    law(
      wireValue(schema),
      (body) => {
        expect(complaints(response, translateAnyResponse(body, answerOptions).value)).toEqual([])
      },
      SHARE,
    )
  })
})

/** Removes duplicate tools: an application's list contains each name once. */
function withOneOfEach({ tools = [], ...request }: ChatRequest): ChatRequest {
  const nameOf = (tool: (typeof tools)[number]): unknown => ('name' in tool ? tool.name : tool.value)
  return {
    ...request,
    tools: tools.filter((tool, at) => tools.findIndex((each) => nameOf(each) === nameOf(tool)) === at),
  }
}

/** The keys of lists that contain the names of tools. */
const NAME_LISTS: ReadonlySet<unknown> = new Set(['allowedFunctionNames', 'tools'])

describe.each(subjects)('$name encodes any conversation', ({ name, dialect, row }) => {
  test('requests', () => {
    law(anyRequest, (request) => {
      const messages = repair(bare([...request.messages]))
      const given = withOneOfEach({ ...bare(request), ...MODEL, messages })
      const value: JsonObject = dialect.encodeRequest(given).value
      expect(complaints(row.schemas.request, value)).toEqual([])
      expect(listRefusals(name, value)).toEqual([])
    })
  })

  test('tool names are the same in tools, calls and choices', () => {
    const name = fc.oneof(fc.string({ minLength: 1, maxLength: 200 }), fc.constantFrom('a.b', 'a/b', 'a_b'))
    law(fc.uniqueArray(name, { minLength: 1, maxLength: 4 }), (names) => {
      const calls = names.map((each) => toolCall({ name: each, arguments: {} }))
      const messages = [
        user('Go'),
        assistant(calls),
        toolResults(calls.map((call) => toolResult(call, 'Done'))),
      ]
      const tools = names.map(
        (each) => ({ type: 'function', name: each, input: { type: 'object' } }) as const,
      )
      const [first = ''] = names
      const { value } = dialect.encodeRequest({ ...MODEL, messages, tools, toolChoice: { name: first } })
      const toolNames = leavesOf(value)
        .filter(({ at }) => at.at(-1) === 'name' || NAME_LISTS.has(at.at(-2)))
        .map(({ value: word }) => String(word))
      expect(toolNames.filter((word) => !row.names.test(word))).toEqual([])
      expect(new Set(toolNames).size).toBe(names.length)
      // In tools and calls, in the choice, and in results if the format requires it.
      const chosen = row.chooses === true ? 1 : 0
      const sent = row.chooses === 'by-tools' ? 1 : names.length
      const count = sent + names.length + chosen
      expect([count, count + names.length]).toContain(toolNames.length)
    })
  })

  test('responses', () => {
    law(anyResponse, (response) => {
      const { value } = dialect.encodeResponse(bare(response), publishedAnswerOptions(dialect.name))
      expect(complaints(row.schemas.response, value)).toEqual([])
    })
  })

  test('sampling settings as the model version supports them', () => {
    const given: ChatRequest = { ...MODEL, messages: [], temperature: 1.5, topP: 0.5 }
    const { value, losses } = dialect.encodeRequest(given, { apiVersion: '2023-06-01' })
    expect(complaints(row.widest.request, value)).toEqual([])
    expect(leavesOf(value).map((leaf) => leaf.value)).toContain(0.5)
    expect(losses.map(({ rule }) => rule).filter((rule) => rule === 'sampling-refused')).toEqual([])
  })
})

describe.each(subjects)('a response of $name as history', (from) => {
  /**
   * Returns true if a response contains only published fields, so that a host without deviations accepts it
   * as history. A block of bedrock has a key instead of a type: a call without an object is unknown by its `input`.
   */
  const isKnown = (body: unknown): boolean =>
    !JSON.stringify(body).includes('"reasoning_content"') &&
    !complaints(from.row.widest.response, body).some((text) =>
      /the key is unknown|\/type: |\/toolUse\/input: /.test(text),
    )

  function replayed(to: Subject, response: ChatResponse): readonly string[] {
    return response.candidates.flatMap((candidate) => {
      const asked = { id: 'msg_1', role: 'user', content: [{ type: 'text', text: 'Go on' }] } as const
      const messages = repair([asked, candidate, { ...asked, id: 'msg_2' }])
      return complaints(
        to.row.widest.request,
        to.dialect.encodeRequest({ ...MODEL, maxOutputTokens: 5, messages }).value,
      )
    })
  }

  test.each(subjects)('is valid for $name', (to) => {
    const pair = { from, to }
    const found = [...shareOfFixtures(pair, from.fixtures.response), ...shareOf(pair, from.own.response)]
      .filter(({ body }) => to !== from || isKnown(body))
      .flatMap(({ name, body }) =>
        replayed(to, from.dialect.decodeResponse(body).value).map((text) => `${name} ${text}`),
      )
    expect(found.slice(0, 20)).toEqual([])
  })
})
