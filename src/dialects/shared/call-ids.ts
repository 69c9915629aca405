import { digestText } from '../../wire/digest.ts'

/** Makes ids for calls that came without one. */
export interface CallIds {
  /** The id of the next call: a digest of the call and of all calls before it, so decoding again gives it again. */
  next(name: string, argumentsText: string): string
  /** Takes note of a call that has an id of its own. */
  saw(id: string): void
}

/** Ids for one conversation. The position alone would not do: a changed history must change the ids after it. */
export function callIds(): CallIds {
  let chain = ''
  // They are digested when a call without an id comes: most conversations have none.
  let seen: string[] = []
  return {
    next(name, argumentsText) {
      for (const id of seen) chain = digestText(JSON.stringify([chain, id]))
      seen = []
      chain = digestText(JSON.stringify([chain, name, argumentsText]))
      return `call_${chain.slice(0, 24)}`
    },
    saw(id) {
      seen.push(id)
    },
  }
}
