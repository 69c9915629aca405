import type { Message } from '../../canonical/model/message.ts'
import type { Part, TextPart, ToolResultContent, ToolResultPart } from '../../canonical/model/part.ts'
import { checkAndFreezeMessage } from '../../canonical/shape/message.ts'
import { checkAndFreezePart } from '../../canonical/shape/part.ts'
import { addHints, attachResidue } from '../../dialects/engine/residue-slots.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isObject, itemsOf, type Json, type JsonObject, omitUndefined } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { silentReporter } from '../engine/format-loss-reporter.ts'
import { keepIfMisplaced, keepMessage, keepPart } from '../engine/keep-unknown-values.ts'
import { MessageCollector } from '../engine/message-collector.ts'
import type { ReadingContext, MessagesReader } from '../engine/message-format.ts'
import { requireText } from '../engine/require-fields.ts'
import { getVendor, readFinish, readOrigin, readUsage } from './answer-fields.ts'
import { readContent } from './blocks.ts'
import { NAME, PI_SLOT } from './constants.ts'
import { listMessages } from './session-branch.ts'
import type { PiHintName } from './types.ts'
import { SUMMARY_ROLES, writeMessage, writeResult } from './write.ts'

/** The roles of pi that have a canonical form. Messages of extensions and summaries are shown to a model as user messages. */
const ROLES: ReadonlyMap<Json | undefined, Message['role']> = new Map([
  ['system', 'system'],
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['custom', 'user'],
  ['branchSummary', 'user'],
  ['compactionSummary', 'user'],
])

/** Reads messages of pi, or the current branch of a session. Consecutive results become one message. */
export const readMessages: MessagesReader = (items, path, context) => {
  const collector = new MessageCollector(path, context)
  for (const { wire, path: at, id } of listMessages(items, path, context)) {
    const role = ROLES.get(wire['role'])
    if (wire['role'] === 'toolResult') collector.addResult(readResult(wire, at), id)
    else if (role === undefined) collector.addMessage(keepMessage(NAME, wire, at, context))
    else collector.addMessage(readMessage(wire, role, id, at, context))
  }
  return collector.finish()
}

function readResult(wire: JsonObject, path: Path): ToolResultPart {
  const at = child(path, 'content')
  const content = readContent(wire['content'], undefined, at).map((part, index) => {
    if (part.type !== 'reasoning' && part.type !== 'tool-call') return part
    return keepPart(NAME, itemsOf(wire['content'])[index] ?? null, child(at, index))
  })
  const result: ToolResultPart = {
    type: 'tool-result',
    callId: requireText(wire, 'toolCallId', path),
    name: requireText(wire, 'toolName', path),
    content: content as readonly ToolResultContent[],
    ...(wire['isError'] === true && { isError: true as const }),
  }
  const { timestamp } = wire
  const hints = typeof timestamp === 'number' ? { timestamp } : {}
  return attachResidue(checkAndFreezePart(result, path), PI_SLOT, hints, wire, (unit) =>
    writeResult(unit, undefined, 0, undefined, silentReporter),
  )
}

function readMessage(
  wire: JsonObject,
  role: Message['role'],
  id: string | undefined,
  path: Path,
  context: ReadingContext,
): Message {
  const key = SUMMARY_ROLES.has(wire['role']) ? 'summary' : 'content'
  const given = wire[key]
  const parts = readContent(
    given,
    role === 'assistant' ? getVendor(wire['api']) : undefined,
    child(path, key),
  )
  const content = parts.map((part, index) => {
    const block = Array.isArray(given) ? (given[index] as Json) : null
    return keepIfMisplaced(part, role, NAME, block, child(child(path, key), index))
  })
  const fields = {
    id: context.messageId(id),
    role,
    content: [...content, ...(role === 'system' ? readSections(wire, path) : [])],
    ...omitUndefined({ createdAt: readTime(wire['timestamp']) }),
    ...(role === 'assistant' &&
      omitUndefined({
        origin: readOrigin(wire),
        usage: readUsage(wire['usage']),
        finish: readFinish(wire['stopReason']),
      })),
  }
  const message = checkAndFreezeMessage(fields as unknown as Message, path)
  const hints: { readonly [name in PiHintName]?: Json } = {
    ...(Array.isArray(given) && role !== 'assistant' && { parts: true }),
    ...(role === 'user' && wire['role'] !== 'user' && { role: wire['role'] as Json }),
  }
  return attachResidue(message, PI_SLOT, hints, wire, (unit) => writeMessage(unit, path, silentReporter))
}

/** Reads the sections of a system prompt, each as one text. */
function readSections({ sections }: JsonObject, path: Path): readonly Part[] {
  if (!isObject(sections)) return []
  return Object.entries(sections).flatMap(([section, text]) => {
    if (typeof text !== 'string') return []
    const part = checkAndFreezePart<TextPart>({ type: 'text', text }, child(child(path, 'sections'), section))
    return [freezeOwned(addHints(part, PI_SLOT, { section }))]
  })
}

const MAX_TIME = 253_402_300_799_999

/** Reads a time in milliseconds; zero is an unknown time. */
function readTime(timestamp: Json | undefined): string | undefined {
  const isTime = typeof timestamp === 'number' && Number.isSafeInteger(timestamp)
  return isTime && timestamp > 0 && timestamp <= MAX_TIME ? new Date(timestamp).toISOString() : undefined
}
