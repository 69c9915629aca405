import type { Message } from '../../canonical/model/message.ts'
import type { Part } from '../../canonical/model/part.ts'
import { checkAndFreezeMessage } from '../../canonical/shape/message.ts'
import { checkAndFreezePart } from '../../canonical/shape/part.ts'
import { isTimestamp } from '../../canonical/shape/shape.ts'
import { applyResidue, attachResidue, getHints } from '../../dialects/engine/residue-slots.ts'
import { type Json, type JsonObject, omitUndefined } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { type FormatReporter, silentReporter } from '../engine/format-loss-reporter.ts'
import type { ReadingContext } from '../engine/message-format.ts'
import { requireText } from '../engine/require-fields.ts'
import { getKeptMessage } from '../engine/keep-unknown-values.ts'
import { NAME, PYDANTIC_SLOT } from './constants.ts'
import { writeResult } from './tool-parts.ts'
import { readUserContent, writeUserContent } from './user-content.ts'

/** Reads a system prompt, a user prompt, or a retry prompt without a tool, as a message. */
export function readPrompt(
  wire: JsonObject,
  role: 'system' | 'user',
  path: Path,
  context: ReadingContext,
): Message {
  const { content, timestamp, part_kind: kind } = wire
  const isUserPrompt = kind === 'user-prompt'
  const given: Json | undefined = isUserPrompt ? content : requireText(wire, 'content', path)
  const fields = {
    id: context.messageId(),
    role,
    content: readUserContent(given, child(path, 'content')),
    ...(isTimestamp(timestamp) && { createdAt: timestamp }),
  }
  const message = checkAndFreezeMessage(fields as unknown as Message, path)
  const hints = {
    ...(kind === 'retry-prompt' && { retry: true }),
    ...(Array.isArray(content) && { list: true }),
  }
  return attachResidue(
    message,
    PYDANTIC_SLOT,
    hints,
    wire,
    (unit) => writeRequestParts(unit, path, new Map(), silentReporter)[0],
  )
}

/** Reads the instructions of a request as a system message. */
export function readInstructions(instructions: string, path: Path, context: ReadingContext): Message {
  const part = checkAndFreezePart({ type: 'text', text: instructions } as const, path)
  const message: Message = { id: context.messageId(), role: 'system', content: [part] }
  return checkAndFreezeMessage(message, path)
}

/** Writes the parts of a request that a message becomes: one for each text of the system, and one for each result. */
export function writeRequestParts(
  message: Message,
  path: Path,
  callNames: ReadonlyMap<string, string>,
  report: FormatReporter,
): readonly JsonObject[] {
  const whole = getKeptMessage(message, NAME)
  if (whole !== undefined) return [whole]
  const { role, createdAt: timestamp } = message
  const hints = getHints(message, PYDANTIC_SLOT)
  if (role === 'user') {
    const content = writeUserContent(message.content, hints.list === true, path, report)
    const isRetry = hints.retry === true && typeof content === 'string'
    const wire = omitUndefined({
      content,
      timestamp,
      part_kind: isRetry ? 'retry-prompt' : 'user-prompt',
    }) as JsonObject
    return [applyResidue(wire, message, PYDANTIC_SLOT)]
  }
  if (role === 'developer') report.add('developer-role', child(path, 'role'))
  const parts = message.content.flatMap((part: Part, index): readonly JsonObject[] => {
    const at = child(child(path, 'content'), index)
    if (part.type === 'tool-result') {
      const options = { kind: 'tool-return', callName: callNames.get(part.callId), timestamp }
      return [writeResult(part, options, at, report)]
    }
    if (part.type === 'text') return [writeSystemPrompt(part, timestamp, at, report)]
    report.add('foreign-opaque', at)
    return []
  })
  // What was read from a system prompt is restored in the prompt of the same message.
  const isPrompt = role !== 'tool'
  const prompts = isPrompt && parts.length === 0 ? [createSystemPrompt('', timestamp)] : parts
  return prompts.map((part, index) =>
    isPrompt && index === 0 ? applyResidue(part, message, PYDANTIC_SLOT) : part,
  )
}

function writeSystemPrompt(
  part: Part & { readonly type: 'text' },
  timestamp: string | undefined,
  path: Path,
  report: FormatReporter,
): JsonObject {
  if (part.signature !== undefined) report.add('signature-dropped', child(path, 'signature'))
  if (part.cache !== undefined) report.add('cache-hint', child(path, 'cache'))
  return createSystemPrompt(part.text, timestamp)
}

function createSystemPrompt(content: string, timestamp: string | undefined): JsonObject {
  return omitUndefined({ content, timestamp, part_kind: 'system-prompt' })
}
