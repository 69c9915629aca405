import type { AssistantMessage, Message, ToolMessage } from '../../canonical/model/message.ts'
import type { AssistantPart, Part, ToolResultPart } from '../../canonical/model/part.ts'
import { checkAndFreezeMessage } from '../../canonical/shape/message.ts'
import { throwWrongType } from '../../canonical/shape/shape.ts'
import { isObject, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { ReadingContext, MessagesReader } from '../engine/message-format.ts'
import { attachMessageResidue } from '../engine/attach-message-residue.ts'
import { UI_SLOT } from './constants.ts'
import { keepUnchanged, readPart, readText } from './parts.ts'
import { getToolName, readToolPart } from './tool-parts.ts'
import { upgradeMessage } from './upgrade-v4.ts'
import { writeMessages } from './write.ts'

/**
 * Reads UI messages. Each step of an assistant message becomes an assistant message, followed by a tool message with the
 * results of its calls.
 */
export const readMessages: MessagesReader = (items, path, context) => {
  const messages: Message[] = []
  items.forEach((item, index) => {
    for (const message of readUiMessage(item, messages.at(-1)?.role, child(path, index), context))
      messages.push(message)
  })
  return messages
}

/** Reads one UI message. `previous` is the role of the message before it: the writer would join two of the assistant. */
export function readUiMessage(
  item: JsonObject,
  previous: Message['role'] | undefined,
  path: Path,
  context: ReadingContext,
): readonly Message[] {
  const wire = upgradeMessage(item)
  const [first, ...rest] = readMessage(wire, path, context)
  if (first === undefined) return []
  const isSeparate = first.role === 'assistant' && (previous === 'assistant' || previous === 'tool')
  const hints = {
    ...(isSeparate && { separate: true }),
    ...(first.role === 'assistant' && !startsWithStep(wire) && { noStepStart: true }),
  }
  const options = { following: rest }
  const attached = attachMessageResidue(first, UI_SLOT, hints, wire, path, writeMessages, options)
  return [attached, ...rest]
}

function startsWithStep(wire: JsonObject): boolean {
  const [first] = itemsOf(wire['parts'])
  return isObject(first) && first['type'] === 'step-start'
}

function readMessage(wire: JsonObject, path: Path, context: ReadingContext): readonly Message[] {
  const { id, role, metadata } = wire
  const partsPath = child(path, 'parts')
  const parts = itemsOf(wire['parts']).map((part, index) =>
    isObject(part) ? part : throwWrongType(part, child(partsPath, index), 'a part: an object'),
  )
  const fields = {
    id: context.messageId(id),
    ...(isObject(metadata) && { metadata: metadata }),
  }
  if (role === 'assistant') return readSteps(parts, partsPath, fields, context)
  const content = parts.map((part, index) => readSimplePart(part, child(partsPath, index), role))
  return [checkAndFreezeMessage({ ...fields, role, content } as unknown as Message, path)]
}

/** Reads a part of a system or user message; system messages have only text, user messages also files. */
function readSimplePart(wire: JsonObject, path: Path, role: Json | undefined): Part {
  if (wire['type'] === 'text') return readText(wire, [], path)
  return role === 'user' && wire['type'] === 'file' ? readPart(wire, path) : keepUnchanged(wire, path)
}

interface Step {
  readonly content: AssistantPart[]
  readonly results: ToolResultPart[]
}

function readSteps(
  parts: readonly JsonObject[],
  path: Path,
  fields: Pick<Message, 'id' | 'metadata'>,
  context: ReadingContext,
): readonly Message[] {
  const steps: Step[] = []
  const repeatedIds = findRepeatedIds(parts)
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index] as JsonObject
    if (part['type'] === 'step-start' || steps.length === 0) steps.push({ content: [], results: [] })
    if (part['type'] === 'step-start') continue
    const sources = part['type'] === 'text' ? takeSources(parts, index + 1) : []
    addPart(steps.at(-1) as Step, part, sources, repeatedIds, child(path, index))
    index += sources.length
  }
  if (steps.length === 0) steps.push({ content: [], results: [] })
  return steps.flatMap(({ content, results }, index): readonly Message[] => {
    const own = index === 0 ? fields : { id: context.messageId() }
    const answer: AssistantMessage = { ...own, role: 'assistant', content }
    if (results.length === 0) return [checkAndFreezeMessage(answer, path)]
    const answers: ToolMessage = { id: context.messageId(), role: 'tool', content: results }
    return [checkAndFreezeMessage(answer, path), checkAndFreezeMessage(answers, path)]
  })
}

/** Returns the sources that follow a text directly: they are its citations. */
function takeSources(parts: readonly JsonObject[], start: number): readonly JsonObject[] {
  let end = start
  while (parts[end]?.['type'] === 'source-url' || parts[end]?.['type'] === 'source-document') end += 1
  return parts.slice(start, end)
}

function findRepeatedIds(parts: readonly JsonObject[]): ReadonlySet<Json | undefined> {
  const found = new Set<Json | undefined>()
  const repeated = new Set<Json | undefined>()
  for (const { toolCallId } of parts) {
    if (found.has(toolCallId)) repeated.add(toolCallId)
    found.add(toolCallId)
  }
  return repeated
}

function addPart(
  { content, results }: Step,
  wire: JsonObject,
  sources: readonly JsonObject[],
  repeatedIds: ReadonlySet<Json | undefined>,
  path: Path,
): void {
  const name = getToolName(wire)
  if (wire['type'] === 'text') content.push(readText(wire, sources, path))
  else if (name === undefined) content.push(readPart(wire, path))
  else {
    const { call, result } = readToolPart(wire, name, repeatedIds.has(wire['toolCallId']), path)
    content.push(call)
    if (result !== undefined && call.executedBy === 'provider') content.push(result)
    else if (result !== undefined) results.push(result)
  }
}
