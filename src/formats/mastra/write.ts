import { applyResidue, getHints } from '../../dialects/engine/residue-slots.ts'
import type { Message } from '../../canonical/model/message.ts'
import {
  itemsOf,
  isObject,
  type Json,
  type JsonObject,
  omitUndefined,
  readStringOrEmpty,
} from '../../wire/json.ts'
import { writeGroups } from '../ai-sdk-ui-messages/write.ts'
import type { PlacedMessage, MessagesWriter } from '../engine/message-format.ts'
import { getKeptMessage } from '../engine/keep-unknown-values.ts'
import { MASTRA_SLOT, NAME } from './constants.ts'
import { fromUiPart } from './convert-parts.ts'

/** Writes messages of Mastra: what UI messages contain, with the parts that Mastra stores. */
export const writeMessages: MessagesWriter = (messages, report) => {
  const runs: PlacedMessage[][] = [[]]
  for (const placed of messages) {
    if (getKeptMessage(placed.message, NAME) === undefined) runs.at(-1)?.push(placed)
    else runs.push([placed], [])
  }
  return runs.flatMap((run): readonly JsonObject[] => {
    const [first] = run
    const whole = first && getKeptMessage(first.message, NAME)
    if (whole !== undefined) return [whole]
    return writeGroups(run, report).map((group) => writeMessage(group.first, group.wire))
  })
}

/** Writes a stored message of a UI message, with what was read from it. */
function writeMessage(first: Message, ui: JsonObject): JsonObject {
  const { id, role, metadata } = ui
  const { rawData, repeats } = getHints(first, MASTRA_SLOT)
  const parts = itemsOf(ui['parts']).map((part) => fromUiPart(part as JsonObject, rawData === true))
  const content = {
    format: 2,
    parts,
    ...writeRepeatedFields(itemsOf(repeats), parts),
    ...(metadata !== undefined && { metadata }),
  }
  const wire = omitUndefined({ id, role, createdAt: first.createdAt, content }) as JsonObject
  return applyResidue(wire, first, MASTRA_SLOT)
}

/** The fields of the content that repeat its parts, and how they do. */
const REPEATED_FIELDS: { readonly [field: string]: (parts: readonly JsonObject[]) => Json } = {
  content: (parts) => joinTexts(parts, 'text', 'text'),
  reasoning: (parts) => joinTexts(parts, 'reasoning', 'reasoning'),
  toolInvocations: (parts) =>
    parts.flatMap(({ toolInvocation }) => (isObject(toolInvocation) ? [toolInvocation] : [])),
}

/** The names of the fields that repeat the parts. */
export const repeatedFieldNames: readonly string[] = Object.keys(REPEATED_FIELDS)

/** Writes the fields that repeat the parts if they were read: an edit of a part changes them, too. */
function writeRepeatedFields(names: readonly Json[], parts: readonly JsonObject[]): JsonObject {
  const fields = names.flatMap((name) => {
    const write =
      typeof name === 'string' && repeatedFieldNames.includes(name) ? REPEATED_FIELDS[name] : undefined
    return write === undefined ? [] : [[name as string, write(parts)] as const]
  })
  return Object.fromEntries(fields)
}

function joinTexts(parts: readonly JsonObject[], type: string, key: string): string {
  return parts
    .filter((part) => part['type'] === type)
    .map((part) => readStringOrEmpty(part[key]))
    .join('\n')
}
