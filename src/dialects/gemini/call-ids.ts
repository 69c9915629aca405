import type { Json } from '../../wire/json.ts'
import { createCallIdGenerator } from '../shared/call-ids.ts'

/** The calls of a conversation as it is read: which have which id, and which wait for an answer. */
export interface CallIdResolver {
  /** The id of a call: its own, or one that the same history gives again. */
  resolveCall(id: Json | undefined, name: string, argumentsText: () => string): string
  /** The call that a result is for: by id, else the oldest of that name without an answer. */
  resolveResult(id: Json | undefined, name: string, text: () => string): string
  /** Whether a call came without this id. */
  isGenerated(id: string): boolean
}

/** A book for one conversation, or for one answer; `about` tells answers of the same words apart. */
export function createCallIdResolver(about?: string): CallIdResolver {
  const ids = createCallIdGenerator()
  if (about !== undefined) ids.noteId(about)
  const madeUp = new Set<string>()
  const open: { readonly id: string; readonly name: string }[] = []
  return {
    resolveCall(id, name, argumentsText) {
      const own = typeof id === 'string' && id !== '' ? id : undefined
      if (own !== undefined) ids.noteId(own)
      const known = own ?? ids.next(name, argumentsText())
      if (own === undefined) madeUp.add(known)
      open.push({ id: known, name })
      return known
    },
    resolveResult(id, name, text) {
      const own = typeof id === 'string' && id !== '' ? id : undefined
      const at = open.findIndex((call) => (own === undefined ? call.name === name : call.id === own))
      const [call] = at === -1 ? [] : open.splice(at, 1)
      return own ?? call?.id ?? ids.next(name, text())
    },
    isGenerated: (id) => madeUp.has(id),
  }
}
