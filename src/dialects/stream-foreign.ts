import { isStructure } from '../canonical/losses/foreign-metadata.ts'
import type { ChatEvent } from '../canonical/model/event.ts'
import { isObject } from '../wire/json.ts'
import { below, type Path, pointer } from '../wire/pointer.ts'
import type { Encoding } from './encoding.ts'
import { reportForeign } from './foreign.ts'
import { candidatePath, partPath } from './shared/open-parts.ts'

/** Reports what the events of a stream keep of another wire format: each thing once, however often it comes. */
export class ForeignEvents {
  readonly #slot: string
  readonly #encoding: Encoding
  readonly #told = new Set<string>()

  constructor(slot: string, encoding: Encoding) {
    this.#slot = slot
    this.#encoding = {
      options: encoding.options,
      lose: (rule, at) => {
        const key = `${rule} ${pointer(at)}`
        if (!this.#told.has(key)) encoding.lose(rule, at)
        this.#told.add(key)
      },
    }
  }

  report(event: ChatEvent): void {
    const { candidate = 0, extra } = event
    if (extra !== undefined) this.#walk({ extra }, undefined)
    if (event.type === 'start') this.#walk(event.message, candidatePath(candidate))
    if (event.type === 'usage') this.#walk(event.usage, below(undefined, 'usage'))
    if (event.type === 'opaque') this.#unknown(event)
    if (!('index' in event)) return
    const at = partPath({ candidate, index: event.index })
    if ('part' in event) this.#walk(event.part, at)
    if (event.type === 'part-update') this.#walk(event.citations, below(at, 'citations'))
  }

  #walk(value: unknown, at: Path | undefined): void {
    reportForeign(value, this.#slot, 'response', this.#encoding, at)
  }

  /** Reports an event of unknown type; one without data, such as a ping, is no loss. */
  #unknown({ dialect, value }: ChatEvent & { readonly type: 'opaque' }): void {
    if (dialect === this.#slot || !isObject(value) || typeof value['type'] !== 'string') return
    const { type, ...data } = value
    if (!isStructure(data)) this.#encoding.lose('foreign-opaque', below(undefined, type))
  }
}
