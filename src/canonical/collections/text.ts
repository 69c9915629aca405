import { InterlinguaError } from '../../errors.ts'
import type { Message } from '../model/message.ts'
import { isComposite } from '../read/state.ts'
import { textOf } from '../read/text.ts'

/** How {@link Messages.toText} writes a conversation. */
export interface TextOptions {
  /** What stands between messages. Default: a line break. */
  readonly separator?: string
  /** How a message is written. Default: its text, which only plain messages have. */
  readonly render?: (message: Message) => string
}

/** The text of a message that is nothing else. */
export function plainText(message: Message): string {
  if (!isComposite(message)) return textOf(message)
  throw new InterlinguaError('composite-message', 'A message holds more than plain text', {
    found: `a message of role ${message.role} that is not one plain text`,
    expected: 'messages of one plain text each',
    hint: 'Pass render, such as textOf, to say how such messages are written.',
  })
}
