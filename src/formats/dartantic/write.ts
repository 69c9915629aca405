import type { Part } from '../../canonical/model/part.ts'
import { applyResidue, getHints } from '../../dialects/engine/residue-slots.ts'
import type { JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import type { FormatReporter } from '../engine/format-loss-reporter.ts'
import type { PlacedMessage, MessagesWriter } from '../engine/message-format.ts'
import { DARTANTIC_SLOT } from './constants.ts'
import { writePart } from './parts.ts'
import { isInMetadata, writeMetadata } from './reasoning.ts'

const ROLES = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'model',
  tool: 'user',
} as const

/** Writes messages of dartantic: all results of a round are parts of one user message. */
export const writeMessages: MessagesWriter = (messages, report) => {
  const groups: PlacedMessage[][] = []
  for (const placed of messages) {
    const last = groups.at(-1)
    const isSameRole = last?.every(({ message }) => ROLES[message.role] === ROLES[placed.message.role])
    if (last !== undefined && isSameRole && getHints(placed.message, DARTANTIC_SLOT).continues === true)
      last.push(placed)
    else groups.push([placed])
  }
  return groups.map((group) => writeGroup(group, report))
}

/** Writes messages that are one message of dartantic. */
function writeGroup(group: readonly PlacedMessage[], report: FormatReporter): JsonObject {
  const [first] = group as readonly [PlacedMessage, ...PlacedMessage[]]
  const parts = group.flatMap(({ message, path }) => {
    if (message.role === 'developer') report.add('developer-role', child(path, 'role'))
    return message.content.flatMap((part: Part, index): readonly JsonObject[] => {
      if (isInMetadata(part)) return []
      const block = writePart(part, child(child(path, 'content'), index), report)
      return block === undefined ? [] : [block]
    })
  })
  const metadata = group
    .map(({ message, path }) => writeMetadata(message, path, report))
    .reduce((all, own) => ({ ...all, ...own }))
  const wire = { role: ROLES[first.message.role], parts, metadata }
  return applyResidue(wire, first.message, DARTANTIC_SLOT)
}
