import type { Message } from '../../canonical/model/message.ts'
import { stableStringify } from '../../wire/json.ts'
import type { MessageRow } from '../rows/row-definitions.ts'
import { messageFromRow } from '../rows/row-hash.ts'

/** Number of responses that are remembered. Candidates of one response follow each other closely. */
const MAX_RESPONSES = 10_000

/**
 * Finds messages that report the usage of a response again, among rows that are passed one by one, parents first: every
 * candidate of a response carries the usage of the whole response. Candidates are stored as siblings, or one after the
 * other.
 */
export class RepeatedUsageFilter {
  readonly #siblings = new Set<string>()
  readonly #responses = new Map<string, string>()

  /** Creates a filter; `siblings` are the stored children of the parent of the first row. */
  constructor(siblings: readonly MessageRow[] = []) {
    for (const row of siblings) this.#isCounted(row)
  }

  /** Returns the row without usage if its response was counted before. */
  removeRepeatedUsage(row: MessageRow): MessageRow {
    return this.#isCounted(row) ? { ...row, usage: null } : row
  }

  /** Tests whether the response of a row was counted before, and remembers it. */
  #isCounted(row: MessageRow): boolean {
    const response = identifyResponse(messageFromRow(row))
    if (response === undefined) return false
    this.#responses.set(row.key, response)
    const sibling = `${row.parent ?? ''} ${response}`
    const isRepeated = this.#siblings.has(sibling) || this.#responses.get(row.parent ?? '') === response
    this.#siblings.add(sibling)
    for (const known of [this.#siblings, this.#responses])
      if (known.size > MAX_RESPONSES) known.delete(known.keys().next().value ?? '')
    return isRepeated
  }
}

/** Returns the id and the token counts of a message's response; undefined if it has no id or no usage. */
export function identifyResponse(message: Message): string | undefined {
  if (message.role !== 'assistant' || message.usage === undefined) return undefined
  const { extra: _extra, ...counts } = message.usage
  const { responseId } = message.origin ?? {}
  return responseId === undefined ? undefined : stableStringify([responseId, { ...counts }])
}
