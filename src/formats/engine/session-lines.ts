import {
  createTimestamp,
  generateId,
  type IdentityOptions,
} from '../../canonical/build/ids-and-timestamps.ts'
import type { Message } from '../../canonical/model/message.ts'
import { STORED_VERSION, toJson } from '../../canonical/stored/stored-form.ts'
import { withTypedErrors } from '../../wire/internal-error.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import type { ImportedConversation } from './conversation-format.ts'

/** The section of a storage that contains the messages of a conversation. */
const SECTION = 'messages'

/** Options of {@link toConversationLines}. */
export interface ConversationLinesOptions extends IdentityOptions {
  /** The title of the session. Default: that of the conversation. */
  readonly title?: string
}

/**
 * Writes a conversation of a file as the lines that `storage.importSession` accepts. All branches are included; the head is the
 * end of the current one. Tools and settings are not part of a session.
 *
 * @example
 * for (const conversation of fromConversations(text)) await storage.importSession(toConversationLines(conversation))
 */
export function toConversationLines(
  conversation: ImportedConversation,
  options: ConversationLinesOptions = {},
): readonly string[] {
  return withTypedErrors(() => {
    const { value, allMessages, id = generateId('session', options) } = conversation
    const branch = [...value.messages]
    const messages = allMessages ?? branch.map((message, index) => withParent(message, branch[index - 1]))
    const createdAt = conversation.createdAt ?? messages[0]?.createdAt ?? createTimestamp(options)
    const head = branch.at(-1)?.id
    const header = {
      interlingua: STORED_VERSION,
      session: {
        id,
        title: toStorableTitle(options.title ?? conversation.title ?? ''),
        labels: [],
        parameters: {},
        createdAt,
        updatedAt: conversation.updatedAt ?? messages.at(-1)?.createdAt ?? createdAt,
      },
      sections: [{ name: SECTION, ...(head !== undefined && { head }) }],
    }
    return [
      JSON.stringify(header),
      ...messages.map((message) => JSON.stringify({ section: SECTION, ...toJson(message) })),
    ]
  })
}

/** Returns the message with another parent, or without one. */
export function withParent<T extends Message>(message: T, parent: { readonly id: string } | undefined): T {
  const { parentId: _parentId, ...rest } = message
  return freezeOwned({ ...rest, ...(parent !== undefined && { parentId: parent.id }) }) as unknown as T
}

/** The longest title that every storage accepts. */
const MAX_TITLE_LENGTH = 256

/** Returns a title without what a storage cannot store. */
function toStorableTitle(title: string): string {
  return title.slice(0, MAX_TITLE_LENGTH).replaceAll(/\p{Cs}|\0/gu, '\ufffd')
}
