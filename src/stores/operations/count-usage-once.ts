import type { Message } from '../../canonical/model/message.ts'
import { stableStringify } from '../../wire/json.ts'
import type { MessageRow } from '../rows/row-store.ts'
import { messageFromRow } from '../rows/row-hash.ts'

/**
 * Removes the usage of rows whose response is counted already: every candidate of a response carries the usage of the
 * whole response. Candidates are stored as siblings, or one after the other. `siblings` are the stored children of the
 * parent of the new rows; the new rows are in order, parents first.
 */
export function countUsageOnce(
  added: readonly MessageRow[],
  siblings: readonly MessageRow[],
): readonly MessageRow[] {
  const countedSiblings = new Set<string>()
  const responses = new Map<string, string>()
  const isCounted = (row: MessageRow): boolean => {
    const response = identifyResponse(messageFromRow(row))
    if (response === undefined) return false
    responses.set(row.key, response)
    const sibling = `${row.parent ?? ''} ${response}`
    const isRepeated = countedSiblings.has(sibling) || responses.get(row.parent ?? '') === response
    countedSiblings.add(sibling)
    return isRepeated
  }
  siblings.forEach(isCounted)
  return added.map((row) => (isCounted(row) ? { ...row, usage: null } : row))
}

/** Returns the id and the token counts of a message's response; undefined if it has no id or no usage. */
export function identifyResponse(message: Message): string | undefined {
  if (message.role !== 'assistant' || message.usage === undefined) return undefined
  const { extra: _extra, ...counts } = message.usage
  const { responseId } = message.origin ?? {}
  return responseId === undefined ? undefined : stableStringify([responseId, { ...counts }])
}
