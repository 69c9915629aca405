import { assistant } from '../../canonical/build/messages.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { ToolCallPart } from '../../canonical/model/part.ts'
import { isSystemRole } from '../../canonical/read/type-guards.ts'
import { toolCallsOf, toolResultsOf } from '../../canonical/read/message-content.ts'
import type { Dialect } from '../../dialects/engine/dialect.ts'
import type { Route } from '../../dialects/server/routes.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isList, isObject, type Json } from '../../wire/json.ts'
import type { GatewayConfig } from '../config.ts'
import {
  createInvalidRequestError,
  decodeClientRequest,
  type ReceivedRequest,
  type RequestBody,
} from '../read-request.ts'
import type { ResponseFormat } from './response-format.ts'

/** A request whose messages are separated by what is stored. */
interface DecodedInput {
  readonly received: ReceivedRequest
  /** The message of the instructions, which belong to this request only. */
  readonly instructions: readonly Message[]
  /** The messages of the input, which become part of the conversation. */
  readonly messages: readonly Message[]
}

/** A request that may continue a conversation. */
interface ContinuingRequest {
  readonly format: ResponseFormat
  readonly dialect: Dialect
  readonly route: Pick<Route, 'model'>
  readonly body: RequestBody
  readonly path: string
  readonly sanitize: NonNullable<GatewayConfig['sanitize']>
}

/**
 * Decodes the input of a request that continues a conversation. Results of calls are decoded together with the calls that they
 * answer, which only the conversation contains. A result without a call is refused: its call is in no other place.
 */
export function decodeNewInput(
  { format, dialect, route, body, path, sanitize }: ContinuingRequest,
  history: readonly Message[] | undefined,
): DecodedInput {
  const calls = history === undefined || !hasResults(body['input'], format) ? [] : findOpenCalls(history)
  const items = calls.length === 0 ? [] : dialect.encodeMessage(assistant(calls)).value
  const input = items.length === 0 ? body['input'] : [...items, ...(body['input'] as readonly Json[])]
  const withCalls = input === undefined ? body : { ...body, input }
  const received = decodeClientRequest(dialect, route, withCalls, { path, sanitize })
  const instructions = body[format.instructionsField]
  const decoded = [...received.request.messages]
  // Instructions may have been removed as untrusted.
  const isInstructed = instructions !== '' && decoded[0] !== undefined && isSystemRole(decoded[0].role)
  const start = typeof instructions === 'string' && isInstructed ? 1 : 0
  const messages = removeCalls(decoded.slice(start), calls.length)
  if (history !== undefined) checkResults(messages, history)
  return { received, instructions: decoded.slice(0, start), messages }
}

function hasResults(input: Json | undefined, { resultType }: ResponseFormat): boolean {
  return (
    isList(input) &&
    input.some((item) => isObject(item) && typeof item['type'] === 'string' && resultType.test(item['type']))
  )
}

/** Returns the calls without a result. */
function findOpenCalls(history: readonly Message[]): readonly ToolCallPart[] {
  const open = new Map<string, ToolCallPart>()
  for (const message of history) {
    for (const call of toolCallsOf(message)) if (call.executedBy !== 'provider') open.set(call.id, call)
    for (const { callId } of toolResultsOf(message)) open.delete(callId)
  }
  return [...open.values()]
}

/** Removes the first parts of the first message: the calls that were decoded only for their results. */
function removeCalls(messages: readonly Message[], count: number): readonly Message[] {
  const [first, ...rest] = messages
  if (count === 0 || first?.role !== 'assistant') return messages
  const content = first.content.slice(count)
  return content.length === 0 ? rest : [freezeOwned({ ...first, content }), ...rest]
}

function checkResults(messages: readonly Message[], history: readonly Message[]): void {
  const known = new Set([...history, ...messages].flatMap((each) => toolCallsOf(each).map(({ id }) => id)))
  for (const message of messages)
    for (const { callId } of toolResultsOf(message))
      if (!known.has(callId))
        throw createInvalidRequestError(
          `No tool call found for function call output with call_id ${callId.slice(0, 200)}.`,
          'input',
        )
}
