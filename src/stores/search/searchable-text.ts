import type { Message } from '../../canonical/model/message.ts'
import type { Part } from '../../canonical/model/part.ts'
import type { Json } from '../../wire/json.ts'

/** The text of a message that searches find, and the names of its tools. */
export interface SearchableText {
  /** One text for each part: a phrase does not extend over several. */
  readonly texts: readonly string[]
  /** Names of the tools that the message calls or whose results it contains. */
  readonly tools: readonly string[]
}

/** Maximum number of characters of a message that are searched. It bounds the cost of a write. */
const MAX_SEARCHED_LENGTH = 32_768

const DATA_URL_PATTERN = /^data:[^,]{0,200};base64,/

/**
 * Returns what searches find in a message: texts, refusals, names and arguments of tool calls, tool results, names and
 * texts of files. Reasoning, bytes, signatures and the fields of providers are not searched.
 */
export function getSearchableText(message: Message): SearchableText {
  const texts: string[] = []
  const tools = new Set<string>()
  let left = MAX_SEARCHED_LENGTH
  const add = (text: string | undefined): void => {
    if (text === undefined || text === '' || left <= 0 || DATA_URL_PATTERN.test(text)) return
    // Composed characters: systems store the same file name or syllable in several forms.
    texts.push(text.slice(0, left).normalize('NFC'))
    left -= text.length
  }
  const addPart = (part: Part): void => {
    switch (part.type) {
      case 'text':
      case 'refusal':
        return add(part.text)
      case 'json':
        return add(joinValues(part.value, left))
      case 'image':
      case 'audio':
      case 'video':
      case 'file':
        for (const text of [part.name, part.transcript]) add(text)
        return part.source.kind === 'text' ? add(part.source.text) : undefined
      case 'tool-call':
        tools.add(part.name)
        return add(`${part.name} ${part.invalidArguments ?? joinValues(part.arguments ?? null, left)}`)
      case 'tool-result':
        if (part.name !== undefined) tools.add(part.name)
        return part.content.forEach(addPart)
      case 'reasoning':
      case 'opaque':
        return undefined
    }
  }
  for (const part of message.content) addPart(part)
  return { texts, tools: [...tools] }
}

/** Returns the names and values of JSON as text, until it has a given length. Escapes would hide words. */
function joinValues(value: Json, maxLength: number): string {
  const texts: string[] = []
  let length = 0
  const pending: Json[] = [value]
  while (pending.length > 0 && length < maxLength) {
    const next = pending.pop()
    if (next === null || next === undefined) continue
    if (typeof next === 'object') {
      const children = Array.isArray(next) ? next : Object.entries(next).flat()
      for (const each of children.toReversed()) pending.push(each as Json)
      continue
    }
    const text = String(next)
    if (DATA_URL_PATTERN.test(text)) continue
    texts.push(text)
    length += text.length + 1
  }
  return texts.join(' ').slice(0, maxLength)
}
