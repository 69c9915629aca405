import type { Message } from '../../canonical/model/message.ts'
import type { Part } from '../../canonical/model/part.ts'
import { checkAndFreezeMessage } from '../../canonical/shape/message.ts'
import { addHints } from '../../dialects/engine/residue-slots.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isEmptyObject, isObject, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { keepIfMisplaced } from '../engine/keep-unknown-values.ts'
import type { ReadingContext, MessagesReader } from '../engine/message-format.ts'
import { attachMessageResidue } from '../engine/attach-message-residue.ts'
import { DARTANTIC_SLOT, NAME } from './constants.ts'
import { readPart } from './parts.ts'
import { readReasoning } from './reasoning.ts'
import { writeMessages } from './write.ts'

const ROLES = { system: 'system', user: 'user', model: 'assistant' } as const

/** Reads messages of dartantic. Tool results, which are parts of user messages, become tool messages. */
export const readMessages: MessagesReader = (items, path, context) => {
  return items.flatMap((wire, index) => {
    const at = child(path, index)
    const [first, ...following] = readMessage(wire, at, context)
    if (first === undefined) return []
    return [
      attachMessageResidue(first, DARTANTIC_SLOT, {}, wire, at, writeMessages, { following }),
      ...following,
    ]
  })
}

function readMessage(wire: JsonObject, path: Path, context: ReadingContext): readonly Message[] {
  const role = ROLES[wire['role'] as keyof typeof ROLES]
  const partsPath = child(path, 'parts')
  const wires = itemsOf(wire['parts'])
  const given = wires.map((part, index) => readPart(part, child(partsPath, index)))
  const metadata = isObject(wire['metadata']) ? wire['metadata'] : {}
  if (role === 'assistant') {
    const answer = readReasoning(given, metadata, path)
    return [createMessage(role, answer.parts, answer.metadata, path, context)]
  }
  const runs = splitResults(given, wires, role, partsPath)
  return runs.map(({ isResults, parts }, index) => {
    const own = index === 0 ? metadata : {}
    const message = createMessage(isResults ? 'tool' : role, parts, own, path, context)
    return index === 0 ? message : freezeOwned(addHints(message, DARTANTIC_SLOT, { continues: true }))
  })
}

function createMessage(
  role: Message['role'],
  content: readonly Part[],
  metadata: JsonObject,
  path: Path,
  context: ReadingContext,
): Message {
  const fields = {
    id: context.messageId(),
    role,
    content,
    ...(!isEmptyObject(metadata) && { metadata }),
  }
  return checkAndFreezeMessage(fields as unknown as Message, path)
}

/** A run of parts that are all tool results, or all something else. */
interface PartRun {
  readonly isResults: boolean
  readonly parts: Part[]
}

/** Splits the parts of a user message where results and other parts meet. */
function splitResults(
  given: readonly Part[],
  wires: readonly Json[],
  role: 'system' | 'user',
  path: Path,
): readonly PartRun[] {
  const runs: PartRun[] = []
  given.forEach((part, index) => {
    const isResults = role === 'user' && part.type === 'tool-result'
    const kept = isResults
      ? part
      : keepIfMisplaced(part, role, NAME, wires[index] ?? null, child(path, index))
    const last = runs.at(-1)
    if (last?.isResults === isResults) last.parts.push(kept)
    else runs.push({ isResults, parts: [kept] })
  })
  return runs.length === 0 ? [{ isResults: false, parts: [] }] : runs
}
