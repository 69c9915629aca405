import type { IdentityOptions } from '../../canonical/build/ids-and-timestamps.ts'
import { message } from '../../canonical/build/messages.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { Json } from '../../wire/json.ts'
import type { ContextNotes } from '../context/strategy.ts'
import type { ConversationStorage } from '../conversation-storage.ts'
import { CONTEXT_NOTES_SECTION } from '../internal-sections.ts'

/** Wraps an internal note in a message, so that every storage can store it. */
export function toNoteMessage(
  value: Json,
  options: IdentityOptions & { readonly id?: string } = {},
): Message {
  return message('system', { type: 'opaque', dialect: 'interlingua', value }, options)
}

/** Returns the value of a note. */
export function readNote(note: Message | undefined): Json | undefined {
  const [part] = note?.content ?? []
  return part?.type === 'opaque' ? part.value : undefined
}

/** A strategy needs the newest note, and some older ones if the conversation has branches. */
const RECENT_NOTE_COUNT = 20

/** Creates context notes that are stored in a section of the session. */
export function createContextNotes(storage: ConversationStorage, session: string): ContextNotes {
  return {
    read: async () => {
      const notes = await storage.messages(session, {
        section: CONTEXT_NOTES_SECTION,
        last: RECENT_NOTE_COUNT,
      })
      return [...notes].flatMap((note) => readNote(note) ?? [])
    },
    write: async (value) => {
      await storage.append(session, toNoteMessage(value), { section: CONTEXT_NOTES_SECTION })
    },
  }
}
