import type { AssistantMessage, Message } from '../../canonical/model/message.ts'
import type { MediaPart, Part, ReasoningPart } from '../../canonical/model/part.ts'
import { checkAndFreezeMessage } from '../../canonical/shape/message.ts'
import { checkAndFreezePart } from '../../canonical/shape/part.ts'
import { applyResidue, getHints } from '../../dialects/engine/residue-slots.ts'
import { itemsOf, type JsonObject, omitUndefined } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { CallIdAssigner } from '../engine/call-id-assigner.ts'
import type { FormatReporter } from '../engine/format-loss-reporter.ts'
import { readGroupedResults } from '../engine/read-grouped-results.ts'
import { getKeptMessage, keepIfMisplaced, keepMessage } from '../engine/keep-unknown-values.ts'
import type { PlacedMessage, ReadingContext } from '../engine/message-format.ts'
import { attachMessageResidue } from '../engine/attach-message-residue.ts'
import { readOptionalList } from '../engine/require-fields.ts'
import { HUGGINGFACE_SLOT, NAME, REASONING_KEYS } from './constants.ts'
import { readContent, blocksToContent, writeBlocks } from './content.ts'
import type { ImageCollector, ImageColumn } from './media.ts'
import { readCall, readResult, writeCall, writeResult } from './tool-messages.ts'

/** What the messages of a row share while they are read. */
export interface RowReading {
  readonly context: ReadingContext
  readonly pairing: CallIdAssigner
  readonly images: ImageColumn
  /** The message that the images without a block belong to, and those images. */
  readonly unplaced?: { readonly owner: JsonObject; readonly parts: readonly MediaPart[] }
}

const ROLES: readonly string[] = ['system', 'developer', 'user', 'assistant'] satisfies Message['role'][]

/** Reads messages. Consecutive tool messages become one message with all results. */
export function readMessages(
  items: readonly JsonObject[],
  path: Path | undefined,
  reading: RowReading,
): readonly Message[] {
  const { context, pairing, images } = reading
  return readGroupedResults(items, path, {
    isResult: ({ role }) => role === 'tool',
    readFields: () => ({ id: context.messageId() }),
    readResult: (wire, at) => readResult(wire, at, pairing, images),
    readMessage: (wire, at) => readMessage(wire, at, reading),
  })
}

function readMessage(
  wire: JsonObject,
  path: Path,
  { context, pairing, images, unplaced }: RowReading,
): Message {
  const { role, content, name } = wire
  if (typeof role !== 'string' || !ROLES.includes(role)) return keepMessage(NAME, wire, path, context)
  const isAnswer = role === 'assistant'
  const at = child(path, 'content')
  const parts = readContent(content, at, images).map((part, index) =>
    keepIfMisplaced(
      part,
      role as Message['role'],
      NAME,
      Array.isArray(content) ? (itemsOf(content)[index] ?? null) : null,
      child(at, index),
    ),
  )
  const key = isAnswer
    ? REASONING_KEYS.find((each) => typeof wire[each] === 'string' && wire[each] !== '')
    : undefined
  const reasoning =
    key === undefined
      ? []
      : [
          checkAndFreezePart<ReasoningPart>(
            { type: 'reasoning', text: wire[key] as string },
            child(path, key),
          ),
        ]
  const calls = isAnswer
    ? readOptionalList(wire, 'tool_calls', path).map((call, index) =>
        readCall(call, child(child(path, 'tool_calls'), index), pairing),
      )
    : []
  const message = {
    id: context.messageId(),
    role,
    content: [...(unplaced?.owner === wire ? unplaced.parts : []), ...reasoning, ...parts, ...calls],
    ...(typeof name === 'string' && name !== '' && { name }),
  }
  const hints = {
    ...(Array.isArray(content) && { list: true }),
    ...(key !== undefined && key !== REASONING_KEYS[0] && { reasoning: key }),
  }
  const checked = checkAndFreezeMessage(message as Message, path)
  return attachMessageResidue(checked, HUGGINGFACE_SLOT, hints, wire, path, (units, report) =>
    writeMessages(units, report, { images: [] }),
  )
}

/** Writes messages: each result is a message of its own. */
export function writeMessages(
  messages: readonly PlacedMessage[],
  report: FormatReporter,
  collector: ImageCollector,
): readonly JsonObject[] {
  return messages.flatMap(({ message, path }) => {
    const kept = getKeptMessage(message, NAME)
    if (kept !== undefined) return [kept]
    const at = child(path, 'content')
    const answer = message.role === 'tool' ? [] : [writeMessage(message, path, report, collector)]
    const results = message.content.flatMap((part: Part, index): readonly JsonObject[] => {
      if (part.type === 'tool-result') return [writeResult(part, child(at, index), report, collector)]
      if (message.role === 'tool') report.add('foreign-opaque', child(at, index))
      return []
    })
    if (message.role === 'tool' && message.name !== undefined) report.add('message-name', child(path, 'name'))
    return [...answer, ...results]
  })
}

function writeMessage(
  message: Exclude<Message, { readonly role: 'tool' }>,
  path: Path,
  report: FormatReporter,
  collector: ImageCollector,
): JsonObject {
  const { role, name } = message
  const { list, reasoning: key } = getHints(message, HUGGINGFACE_SLOT)
  const blocks = writeBlocks(message.content, child(path, 'content'), report, collector)
  const thoughts = role === 'assistant' ? writeReasoning(message, path, report) : undefined
  const parts: readonly Part[] = message.content
  const calls = parts.filter((part) => part.type === 'tool-call')
  if (role === 'assistant') reportOrder(message, path, report)
  const isEmpty = blocks.length === 0 && calls.length > 0
  const wire = {
    role,
    ...omitUndefined({ name }),
    ...(thoughts !== undefined && { [typeof key === 'string' ? key : REASONING_KEYS[0]]: thoughts }),
    ...(!isEmpty && { content: blocksToContent(blocks, list === true) }),
    ...(calls.length > 0 && { tool_calls: calls.map(writeCall) }),
  }
  return applyResidue(wire, message, HUGGINGFACE_SLOT)
}

/** Returns the reasoning of an answer as one text; undefined if it has none. */
function writeReasoning(
  { content }: AssistantMessage,
  path: Path,
  report: FormatReporter,
): string | undefined {
  const texts = content.flatMap((part, index) =>
    part.type === 'reasoning' ? [{ text: part.text, index }] : [],
  )
  if (texts.length === 0) return undefined
  if (texts.length > 1)
    for (const { index } of texts) report.add('texts-concatenated', child(child(path, 'content'), index))
  return texts.map(({ text }) => text).join('\n')
}

/** The order in which the fields of an answer are read. */
const PART_ORDER: { readonly [type in Part['type']]?: number } = {
  reasoning: 0,
  'tool-call': 2,
  'tool-result': 3,
}

/** Reports parts that are written in another order: reasoning, content, calls, results. */
function reportOrder({ content }: AssistantMessage, path: Path, report: FormatReporter): void {
  let highest = 0
  content.forEach((part: Part, index) => {
    const rank = PART_ORDER[part.type] ?? 1
    if (rank < highest) report.add('order-lost', child(child(path, 'content'), index))
    highest = Math.max(highest, rank)
  })
}
