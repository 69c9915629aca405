import { digestText } from '../wire/digest.ts'

/** Section of the tool call log of a {@link Conversation}. */
export const TOOL_CALL_LOG_SECTION = '~tool-calls'

/** Section of the notes of a context strategy. */
export const CONTEXT_NOTES_SECTION = '~context-notes'

/** Tests whether a section contains internal notes, which are not part of a message store. */
export function isInternalSection(section: string): boolean {
  return section === TOOL_CALL_LOG_SECTION || section === CONTEXT_NOTES_SECTION
}

/** Returns the id under which an import stores an entry of the tool call log that it does not trust. */
export function toUntrustedLogId(id: string): string {
  return `untrusted_${digestText(id).slice(0, 32)}`
}
