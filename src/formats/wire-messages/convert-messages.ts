import type { Message } from '../../canonical/model/message.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { Dialect } from '../../dialects/engine/dialect.ts'
import { itemsOf, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import type { FormatReporter } from '../engine/format-loss-reporter.ts'
import type { PlacedMessage, ReadingContext } from '../engine/message-format.ts'

/** The key of the messages in a request, and that of system text, if the messages cannot contain it. */
export interface MessageKeys {
  readonly list: string
  readonly system?: string
}

const MESSAGES = '/messages'

/** Reads messages with the codec of a dialect, as if they were in a request. */
export function decodeMessages(
  dialect: Dialect,
  { list }: MessageKeys,
  items: readonly JsonObject[],
  context: ReadingContext,
): readonly Message[] {
  const { messages, tools } = dialect.decodeRequest(
    { [list]: items },
    { newId: (prefix) => context.newId(prefix) },
  ).value
  // Items of the Responses API may contain tools, which are not part of a conversation.
  if (tools !== undefined && tools.length > 0) context.report('request-field', child(undefined, 'tools'))
  return [...messages]
}

/** Writes messages with the codec of a dialect, and returns only the messages of the request. */
export function encodeMessages(
  dialect: Dialect,
  { list, system }: MessageKeys,
  placed: readonly PlacedMessage[],
  report: FormatReporter,
): readonly JsonObject[] {
  // Some dialects need a message in a request, and would add one.
  if (placed.length === 0) return []
  const request: ChatRequest = { messages: placed.map(({ message }) => message) }
  const { value, losses } = dialect.encodeRequest(request)
  const body = value as JsonObject
  if (system !== undefined && Object.hasOwn(body, system)) reportSystemMessages(placed, report)
  // Losses of settings belong to the request, which is not written.
  for (const loss of losses)
    if (loss.path.startsWith(MESSAGES)) report.forward({ ...loss, path: loss.path.slice(MESSAGES.length) })
  return itemsOf(body[list]) as readonly JsonObject[]
}

/** Reports the system messages at the start: their text is in a field of the request. */
function reportSystemMessages(placed: readonly PlacedMessage[], report: FormatReporter): void {
  for (const { message, path } of placed) {
    if (message.role !== 'system' && message.role !== 'developer') return
    report.add('system-outside', child(path, 'content'))
  }
}
