import type { Message } from '../../canonical/model/message.ts'
import { applyResidue, getHints } from '../../dialects/engine/residue-slots.ts'
import type { JsonObject } from '../../wire/json.ts'
import { textOf } from '../../canonical/read/message-content.ts'
import type { FormatReporter } from '../engine/format-loss-reporter.ts'
import type { PlacedMessage, MessagesWriter } from '../engine/message-format.ts'
import { getKeptMessage } from '../engine/keep-unknown-values.ts'
import { NAME, PYDANTIC_SLOT, REQUEST_SLOT } from './constants.ts'
import { writeRequestParts } from './request-parts.ts'
import { writeResponse } from './response.ts'

/** Writes messages of pydantic-ai: a response for each answer, and one request for all messages between two answers. */
export const writeMessages: MessagesWriter = (messages, report) => {
  const written: JsonObject[] = []
  const callNames = new Map<string, string>()
  let request: PlacedMessage[] = []
  const closeRequest = (): void => {
    if (request.length > 0) written.push(writeRequest(request, callNames, report))
    request = []
  }
  for (const placed of messages) {
    const { message, path } = placed
    const whole = getKeptMessage(message, NAME)
    if (message.role === 'assistant' || (whole !== undefined && Object.hasOwn(whole, 'kind'))) {
      closeRequest()
      for (const part of message.content) if (part.type === 'tool-call') callNames.set(part.id, part.name)
      if (message.role === 'assistant') written.push(writeResponse(message, path, report))
      else if (whole !== undefined) written.push(whole)
      continue
    }
    if (getHints(message, PYDANTIC_SLOT).starts === true) closeRequest()
    request.push(placed)
  }
  closeRequest()
  return written
}

/** Writes a request of consecutive messages, with what was read from the request of the first one. */
export function writeRequest(
  messages: readonly PlacedMessage[],
  callNames: ReadonlyMap<string, string>,
  report: FormatReporter,
): JsonObject {
  const instructions = messages.find(({ message }) => isInstructions(message))?.message
  const parts = messages.flatMap(({ message, path }) =>
    message === instructions ? [] : writeRequestParts(message, path, callNames, report),
  )
  const wire = {
    parts,
    ...(instructions && { instructions: textOf(instructions) }),
    kind: 'request',
  }
  const [first] = messages
  return first === undefined ? wire : applyResidue(wire, first.message, REQUEST_SLOT)
}

function isInstructions(message: Message): boolean {
  return message.role === 'system' && getHints(message, PYDANTIC_SLOT).instructions === true
}
