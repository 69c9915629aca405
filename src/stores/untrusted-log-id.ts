import { digestText } from '../wire/digest.ts'

/** Returns the id under which an import stores an entry of the tool call log that it does not trust. */
export function toUntrustedLogId(id: string): string {
  return `untrusted_${digestText(id).slice(0, 32)}`
}
