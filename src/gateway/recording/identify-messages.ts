import type { Message } from '../../canonical/model/message.ts'
import type { Part } from '../../canonical/model/part.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import { digestText } from '../../wire/digest.ts'
import { type Json, stableStringify } from '../../wire/json.ts'

/** A message of a conversation, with an id that covers it and everything before. */
export interface IdentifiedMessage {
  readonly id: string
  readonly message: Message
  /** The number of characters of what identifies the message: about its size. */
  readonly chars: number
}

/** The number of hexadecimal digits of an id. */
const ID_DIGITS = 40

/**
 * Gives messages ids by the content of the conversation up to them. The same prefix has the same ids in every request, in every
 * instance and after a restart, so that no index of conversations is needed. Reasoning, ids of calls and metadata do not count:
 * clients drop or change them. Neither does text beside calls: clients of Cohere send it back as reasoning.
 */
export function identifyMessages(start: string, messages: readonly Message[]): readonly IdentifiedMessage[] {
  let id = start
  return messages.map((message) => {
    const text = stableStringify([message.role, ...describeContent(message.content)])
    id = digestText(`${id}.${digestText(text)}`).slice(0, ID_DIGITS)
    return { id, message, chars: text.length }
  })
}

/** Returns what identifies a content; adjacent texts are one, since clients join and trim them. */
function describeContent(parts: readonly Part[]): readonly Json[] {
  const described: Json[] = []
  const isCalling = parts.some(isApplicationCall)
  let text = ''
  const endText = (): void => {
    if (text.trim() !== '') described.push(text.trim())
    text = ''
  }
  for (const part of parts) {
    if (part.type === 'reasoning') continue
    if (part.type === 'text' || part.type === 'refusal') {
      if (!isCalling) text += part.text
      continue
    }
    endText()
    described.push(describePart(part))
  }
  endText()
  return described
}

function describePart(part: Exclude<Part, { readonly type: 'reasoning' | 'text' | 'refusal' }>): Json {
  switch (part.type) {
    case 'tool-call':
      return ['call', part.name, part.arguments ?? part.invalidArguments ?? null]
    case 'tool-result':
      return ['result', ...describeContent(part.content)]
    case 'json':
      return ['json', part.value]
    case 'opaque':
      return ['opaque', part.value]
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
      return [part.type, part.source as unknown as Json]
  }
}
