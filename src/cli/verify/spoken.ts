import type { Message } from '../../canonical/model/message.ts'
import type { Part } from '../../canonical/model/part.ts'
import { stableText } from '../../wire/json.ts'

/** The words and calls of a conversation, as text to compare: what no translation may lose in silence. */
export function spoken(messages: Iterable<Message>): string {
  const said: string[] = []
  for (const { content } of messages) said.push(...content.flatMap((part: Part) => partSaid(part)))
  return said.filter((each) => each !== '').join('\n')
}

function partSaid(part: Part): readonly string[] {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return [part.text]
    case 'tool-call':
      return [`${part.name} ${part.invalidArguments ?? stableText(part.arguments ?? {})}`]
    case 'tool-result':
      return part.content.flatMap(partSaid)
    case 'json':
      return [stableText(part.value)]
    case 'reasoning':
    case 'opaque':
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
      return []
  }
}
