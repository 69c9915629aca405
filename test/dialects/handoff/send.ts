import {
  type ChatRequest,
  type DialectName,
  dialects,
  type JsonObject,
  type Loss,
  type Message,
  toolCallsOf,
  toolResult,
  toolResults,
  user,
  validate,
} from 'interlingua'
import { expect } from 'vitest'
import { expectSame } from '../../law-assertions.ts'
import { faultsOf, type Subject, subjects } from '../dialect-table.ts'
import { answers } from './responses.ts'
import { leaked } from './ciphertexts.ts'

/** Returns the test data of a dialect. */
export function subjectOf(name: DialectName): Subject {
  const found = subjects.find((each) => each.name === name)
  return found ?? expect.fail(`${name} is no dialect`)
}

/** A body for a provider, with its losses. */
export interface Sent {
  readonly body: JsonObject
  readonly losses: readonly Loss[]
}

/** Returns the elements of a body's conversation. */
export function elementsOf(name: DialectName, body: JsonObject): readonly JsonObject[] {
  return body[subjectOf(name).row.list] as readonly JsonObject[]
}

/**
 * Encodes for a provider, and checks every hand-over: the body is valid, decodes to a valid conversation, and
 * contains no ciphertext of other vendors; the input is not changed.
 */
export function send(request: ChatRequest, to: DialectName, model?: string): Sent {
  const subject = subjectOf(to)
  const before = structuredClone(request)
  const { value, losses } = subject.dialect.encodeRequest(request, { ...(model !== undefined && { model }) })
  expectSame(request, before)
  expect(faultsOf(subject, 'request', value).slice(0, 9).join('\n')).toBe('')
  expect(leaked(to, value)).toEqual([])
  const problems = validate(subject.dialect.decodeRequest(value).value.messages, subject.dialect)
  expect(problems.map(({ rule, path }) => `${rule} ${path}`)).toEqual([])
  return { body: value, losses }
}

/**
 * Returns the conversation after a provider responded with calls, the application ran them, and the user sent
 * a message.
 */
export function answered(request: ChatRequest, by: DialectName): ChatRequest {
  const { candidates } = dialects[by].decodeResponse(answers[by], { request }).value
  const [answer] = candidates
  if (answer === undefined) return expect.fail(`${by} sent no response`)
  const results = toolCallsOf(answer).map((call, index) =>
    toolResult(call, index === 0 ? 'Fog' : 'No clock here', index === 0 ? {} : { isError: true }),
  )
  const more: readonly Message[] = [answer, toolResults(results), user(`Go on after ${by}`)]
  return { ...request, messages: [...request.messages, ...more] }
}
