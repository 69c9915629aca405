import type { Message } from '../../canonical/model/message.ts'
import { addHints, attachResidue } from '../../dialects/engine/residue-slots.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { type Json, type JsonObject, readStringOrEmpty } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { silentReporter } from '../engine/format-loss-reporter.ts'
import { MessageCollector } from '../engine/message-collector.ts'
import type { ReadingContext, MessagesReader } from '../engine/message-format.ts'
import { requireObject } from '../engine/require-fields.ts'
import { keepMessage } from '../engine/keep-unknown-values.ts'
import { NAME, PYDANTIC_SLOT, REQUEST_SLOT } from './constants.ts'
import { readInstructions, readPrompt } from './request-parts.ts'
import { readResponse } from './response.ts'
import { readResult } from './tool-parts.ts'
import { writeRequest } from './write.ts'

/**
 * Reads messages of pydantic-ai. The parts of a request become messages; its instructions become a system message the first
 * time, since later requests repeat them.
 */
export const readMessages: MessagesReader = (items, path, context) => {
  let hasInstructions = false
  return items.flatMap((wire, index): readonly Message[] => {
    const at = child(path, index)
    if (wire['kind'] === 'response') return [readResponse(wire, at, context)]
    const { instructions } = wire
    const isFirst = !hasInstructions && typeof instructions === 'string' && instructions !== ''
    hasInstructions ||= isFirst
    const given = isFirst ? [markInstructions(readInstructions(instructions, at, context))] : []
    const messages = [...given, ...readRequestParts(wire, at, context)]
    const [first, ...following] = messages
    if (first === undefined) return [keepMessage(NAME, wire, at, context)]
    const starts = items[index - 1]?.['kind'] === 'request'
    const marked = starts ? freezeOwned(addHints(first, PYDANTIC_SLOT, { starts: true })) : first
    return [keepRequest(marked, following, wire, at), ...following]
  })
}

function markInstructions(message: Message): Message {
  return freezeOwned(addHints(message, PYDANTIC_SLOT, { instructions: true }))
}

/** Attaches what the messages of a request do not contain to the first of them. */
function keepRequest(first: Message, following: readonly Message[], wire: JsonObject, path: Path): Message {
  return attachResidue(first, REQUEST_SLOT, {}, wire, (unit) =>
    writeRequest(
      [unit, ...following].map((message) => ({ message, path })),
      new Map(),
      silentReporter,
    ),
  )
}

function readRequestParts(wire: JsonObject, path: Path, context: ReadingContext): readonly Message[] {
  const collector = new MessageCollector(path, context)
  const list = wire['parts'] as readonly Json[]
  list.forEach((each, index) => {
    const at = child(child(path, 'parts'), index)
    const part = requireObject(each, at, 'a part')
    const kind = readStringOrEmpty(part['part_kind'])
    const isRetry = kind === 'retry-prompt'
    if (kind === 'tool-return' || (isRetry && typeof part['tool_name'] === 'string'))
      collector.addResult(readResult(part, at))
    else if (kind === 'system-prompt') collector.addMessage(readPrompt(part, 'system', at, context))
    else if (kind === 'user-prompt' || (isRetry && typeof part['content'] === 'string'))
      collector.addMessage(readPrompt(part, 'user', at, context))
    else collector.addMessage(keepMessage(NAME, part, at, context))
  })
  return collector.finish()
}
