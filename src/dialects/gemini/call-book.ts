import type { Json } from '../../wire/json.ts'
import { callIds } from '../shared/call-ids.ts'

/** The calls of a conversation as it is read: which have which id, and which wait for an answer. */
export interface CallBook {
  /** The id of a call: its own, or one that the same history gives again. */
  call(id: Json | undefined, name: string, argumentsText: () => string): string
  /** The call that a result is for: by id, else the oldest of that name without an answer. */
  answered(id: Json | undefined, name: string, text: () => string): string
  /** Whether a call came without this id. */
  isMadeUp(id: string): boolean
}

/** A book for one conversation, or for one answer; `about` tells answers of the same words apart. */
export function callBook(about?: string): CallBook {
  const ids = callIds()
  if (about !== undefined) ids.saw(about)
  const madeUp = new Set<string>()
  const open: { readonly id: string; readonly name: string }[] = []
  return {
    call(id, name, argumentsText) {
      const own = typeof id === 'string' && id !== '' ? id : undefined
      if (own !== undefined) ids.saw(own)
      const known = own ?? ids.next(name, argumentsText())
      if (own === undefined) madeUp.add(known)
      open.push({ id: known, name })
      return known
    },
    answered(id, name, text) {
      const own = typeof id === 'string' && id !== '' ? id : undefined
      const at = open.findIndex((call) => (own === undefined ? call.name === name : call.id === own))
      const [call] = at === -1 ? [] : open.splice(at, 1)
      return own ?? call?.id ?? ids.next(name, text())
    },
    isMadeUp: (id) => madeUp.has(id),
  }
}
