import { keysOfPlainData } from '../../canonical/update/strip-extra.ts'
import { type ForeignSlotFilter, reportForeignSlots } from '../../canonical/losses/report-foreign-slots.ts'
import type { Extra } from '../../canonical/model/extra.ts'
import { isBranded } from '../../wire/frozen-json.ts'
import { isObject } from '../../wire/json.ts'
import { child, type Path, toPointer } from '../../wire/json-pointer.ts'
import type { EncodeContext } from './encode-context.ts'
import { hasOnlyStructure } from '../../canonical/losses/classify-residue.ts'
import { requestResidueFields, responseResidueFields } from '../../canonical/losses/residue-fields.ts'
import type { ChatEvent, ErrorEvent } from '../../canonical/model/event.ts'
import { getForeignErrorPayloads } from './stream-failures.ts'
import { createCandidatePath, createPartPath } from './parts-being-written.ts'

/** Reports the residue of other dialects in the events of a stream, each rule and path once. */
export class ForeignEventReporter {
  readonly #slot: string
  readonly #context: EncodeContext
  readonly #reported = new Set<string>()
  /** The residue of the latest event: events with equal residue share it. */
  #latestExtra: Extra | undefined

  constructor(slot: string, context: EncodeContext) {
    this.#slot = slot
    this.#context = {
      ...context,
      report: (rule, path) => {
        const key = `${rule} ${toPointer(path)}`
        if (!this.#reported.has(key)) context.report(rule, path)
        this.#reported.add(key)
      },
    }
  }

  report(event: ChatEvent): void {
    const { candidate = 0, extra } = event
    if (extra !== undefined && extra !== this.#latestExtra) this.#reportResidue({ extra }, undefined)
    this.#latestExtra = extra
    if (event.type === 'start') this.#reportResidue(event.message, createCandidatePath(candidate))
    if (event.type === 'usage') this.#reportResidue(event.usage, child(undefined, 'usage'))
    if (event.type === 'opaque') this.#reportOpaque(event)
    if (event.type === 'error') this.#reportErrorPayloads(event)
    if ('part' in event) this.#reportResidue(event.part, createPartPath(event))
    if (event.type === 'part-update')
      this.#reportResidue(event.citations, child(createPartPath(event), 'citations'))
  }

  #reportResidue(value: unknown, path: Path | undefined): void {
    reportForeignResidue(value, this.#slot, 'response', this.#context, path)
  }

  /** Reports the payloads with which a provider repeated an error: only the error itself is written. */
  #reportErrorPayloads({ error }: ErrorEvent): void {
    const { slot = '', payloads = [] } = getForeignErrorPayloads(error, this.#slot) ?? {}
    for (const { type } of payloads)
      if (typeof type === 'string' && type !== 'error')
        this.#context.report('foreign-metadata', child(child(child(undefined, 'extra'), slot), type))
  }

  /**
   * Reports an event of unknown type; one without data, such as a ping, is no loss. Where events have no type, the decoder has
   * understood none of the fields: all of them are residue.
   */
  #reportOpaque({ dialect, value }: ChatEvent & { readonly type: 'opaque' }): void {
    if (dialect === this.#slot || !isObject(value)) return
    const { event_type: eventType, type = eventType, ...data } = value
    if (typeof type !== 'string') this.#reportResidue({ extra: { [dialect]: value } }, undefined)
    else if (!hasOnlyStructure(data)) this.#context.report('foreign-opaque', child(undefined, type))
  }
}

/**
 * Reports all residue that the target does not write: fields of other dialects, and unknown keys. Data that
 * only a response contains (`<dialect>/response`, `<dialect>/choice`) is not expected in a request. `path` is
 * the path of the value. Returns true if the value contains any `extra`.
 */
export function reportForeignResidue(
  value: unknown,
  dialect: string,
  direction: 'request' | 'response',
  context: EncodeContext,
  path?: Path,
): boolean {
  if (!shouldWalk(value)) return false
  const isOwn = (slot: string): boolean =>
    slot === dialect || (slot.includes('/') && (direction === 'request' || slot.startsWith(`${dialect}/`)))
  const fields = direction === 'request' ? requestResidueFields : responseResidueFields
  return walkExtra(value, path, { fields, isOwn, visitedCount: 0 }, context)
}

/** Large frozen values that contain no `extra`: they are not walked again. */
const valuesWithoutExtra = new WeakSet<object>()

/** The number of objects from which a value is large: smaller ones are walked in less time than they are remembered. */
const MIN_REMEMBERED_OBJECTS = 16

/** The slots that are foreign, and the number of objects that were walked so far. */
interface ResidueWalk extends ForeignSlotFilter {
  visitedCount: number
}

/** Returns true if a value may contain an `extra`. */
function shouldWalk(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !valuesWithoutExtra.has(value)
}

/** Reports the residue below a value and returns true if it contains any `extra`. */
function walkExtra(
  value: object,
  path: Path | undefined,
  foreign: ResidueWalk,
  context: EncodeContext,
): boolean {
  let found = false
  const countBefore = foreign.visitedCount++
  if (Symbol.iterator in value) {
    let index = 0
    for (const item of value as Iterable<unknown>) {
      if (shouldWalk(item)) found = walkExtra(item, child(path, index), foreign, context) || found
      index++
    }
  } else {
    for (const key of Object.keys(value)) {
      const item = (value as Record<string, unknown>)[key]
      if (keysOfPlainData.has(key) || !shouldWalk(item)) continue
      // Usage on a message is never sent; only the usage of the response itself, which is at the top, is.
      if (key === 'usage' && (foreign.fields === requestResidueFields || path !== undefined)) continue
      if (key === 'extra' && isObject(item)) {
        reportForeignSlots(item as Extra, child(path, key), foreign, (rule, residuePath) =>
          context.report(rule, residuePath),
        )
        found = true
      } else found = walkExtra(item, child(path, key), foreign, context) || found
    }
  }
  const isLarge = foreign.visitedCount - countBefore >= MIN_REMEMBERED_OBJECTS
  if (!found && isLarge && isBranded(value)) valuesWithoutExtra.add(value)
  return found
}
