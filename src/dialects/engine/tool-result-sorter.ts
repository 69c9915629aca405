import type { Part, ToolCallPart } from '../../canonical/model/part.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import type { EngineHint } from './residue-hints.ts'
import { getHints, type Slot, defineSlot } from './residue-slots.ts'
import type { PairedMessage } from './paired-messages.ts'
import type { RuleReporter } from './tool-pairing.ts'

/** A result of the current round: the position of its call, and where it comes from. */
interface PlacedResult {
  readonly part: Part
  readonly call: number
  readonly source: PairedMessage
  readonly position: number
}

const NO_MESSAGES: readonly PairedMessage[] = []

/**
 * Puts the results of a round in the order of their calls, for formats without call ids: there a result belongs to the call
 * at its position. Messages arrive as {@link ToolPairing} returns them, the results of a round one after the other.
 */
export class ToolResultSorter {
  readonly #slot: Slot<EngineHint>
  readonly #report: RuleReporter
  /** The content of the assistant message whose calls the round answers. */
  #content: readonly Part[] = []
  #round: PairedMessage[] = []

  constructor(slot: string, report: RuleReporter) {
    this.#slot = defineSlot(slot)
    this.#report = report
  }

  /** Returns a copy in the same state that reports to another function. */
  fork(report: RuleReporter): ToolResultSorter {
    const copy = new ToolResultSorter(this.#slot, report)
    copy.#content = this.#content
    copy.#round = [...this.#round]
    return copy
  }

  /** Adds a message and returns the messages that can be written now; results wait for the end of their round. */
  add(paired: PairedMessage): readonly PairedMessage[] {
    const { message } = paired
    if (message.role === 'tool') {
      this.#round.push(paired)
      return []
    }
    const round = this.flush()
    if (message.role === 'assistant') this.#content = message.content
    return round.length === 0 ? [paired] : [...round, paired]
  }

  /** Returns the results of the round in the order of their calls. */
  flush(): readonly PairedMessage[] {
    if (this.#round.length === 0) return NO_MESSAGES
    const round = this.#round
    this.#round = []
    // Most rounds have one result.
    if (round.length === 1 && (round[0]?.message.content.length ?? 0) < 2) return round
    const calls = this.#content.filter(isApplicationCall)
    if (calls.length < 2) return round
    const results = listResults(calls, round)
    const ordered = results.toSorted((a, b) => a.call - b.call)
    const places = new Map(ordered.map((result, place) => [result, place]))
    const moved = results.filter((result, index) => (places.get(result) ?? index) < index)
    if (moved.length === 0 || moved.some(({ part }) => this.#isPreserved(part))) return round
    for (const { source, position } of moved)
      this.#report('results-reordered', { message: source.index, part: position })
    return ordered.map(({ source, part, position }) => ({
      message: { ...source.message, content: [part] } as PairedMessage['message'],
      index: source.index,
      positions: [position],
    }))
  }

  #isPreserved(part: Part): boolean {
    return getHints(part, this.#slot)['preserveInvalid'] === true
  }
}

/** Lists the results with the positions of their calls. Calls with the same id get their results in order. */
function listResults(
  calls: readonly ToolCallPart[],
  round: readonly PairedMessage[],
): readonly PlacedResult[] {
  const positions = new Map<string, number[]>()
  // In reverse, so that the first position of an id is the last of its list.
  for (let position = calls.length - 1; position >= 0; position--) {
    const id = calls[position]?.id ?? ''
    const known = positions.get(id)
    if (known === undefined) positions.set(id, [position])
    else known.push(position)
  }
  let call = 0
  return round.flatMap((source) =>
    source.message.content.map((part, index) => {
      // Any other part stays behind the result before it.
      if (part.type === 'tool-result') call = positions.get(part.callId)?.pop() ?? call
      return { part, call, source, position: source.positions?.[index] ?? index }
    }),
  )
}
