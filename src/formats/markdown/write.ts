import type { Message } from '../../canonical/model/message.ts'
import type { Part } from '../../canonical/model/part.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import { applyResidue } from '../../dialects/engine/residue-slots.ts'
import type { JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import type { PlacedConversation } from '../engine/conversation-codec.ts'
import type { FormatReporter } from '../engine/format-loss-reporter.ts'
import { MARKDOWN_SLOT, PART_HEADINGS, ROLE_HEADINGS, TOOLS_HEADING } from './constants.ts'
import { writeComment, writeFence, writeText } from './lines.ts'

/** Writes a conversation: texts are readable, any other part is its JSON in a fence. */
export function writeRecord({ request, messages }: PlacedConversation, report: FormatReporter): JsonObject {
  const blocks: string[] = []
  const tools = writeTools(request, report)
  if (tools !== undefined) blocks.push(TOOLS_HEADING, writeFence(tools, 'json'))
  const ids = new UniqueIds()
  for (const { message } of messages) {
    const fields = { ...getFields(message), id: ids.take(message.id) }
    blocks.push(ROLE_HEADINGS[message.role], writeComment(fields))
    message.content.forEach((part: Part, index) => {
      for (const block of writePart(part, index === 0)) blocks.push(block)
    })
  }
  return applyResidue({ markdown: `${blocks.join('\n\n')}\n` }, request, MARKDOWN_SLOT)
}

function getFields(message: Message): JsonObject {
  const { role: _role, content: _content, extra: _extra, ...fields } = message
  return fields as unknown as JsonObject
}

/** Makes ids unique: the reader would replace a repeated one by a random id. */
class UniqueIds {
  readonly #used = new Set<string>()
  readonly #counts = new Map<string, number>()

  take(id: string): string {
    let unique = id
    while (this.#used.has(unique)) {
      const count = (this.#counts.get(id) ?? 1) + 1
      this.#counts.set(id, count)
      unique = `${id}_${count}`
    }
    this.#used.add(unique)
    return unique
  }
}

/** Parts that are written as text if they have no other field. */
const TEXT_TYPES: readonly string[] = ['text', 'reasoning', 'refusal']

function writePart(part: Part, isFirst: boolean): readonly string[] {
  const { extra: _extra, ...fields } = part
  const heading = PART_HEADINGS[part.type]
  const isText = 'text' in part && TEXT_TYPES.includes(part.type) && Object.keys(fields).length === 2
  if (!isText) return [heading, writeFence(JSON.stringify(omitNestedExtra(fields), null, 2), 'json')]
  return part.type === 'text' && isFirst ? [writeText(part.text)] : [heading, writeText(part.text)]
}

/** Removes the residue of nested parts, which is reported. */
function omitNestedExtra(fields: object): object {
  return JSON.parse(
    JSON.stringify(fields, (key, value: unknown) => (key === 'extra' ? undefined : value)),
  ) as object
}

function writeTools({ tools = [] }: ChatRequest, report: FormatReporter): string | undefined {
  if (tools.length === 0) return undefined
  const described = tools.map(({ extra, ...tool }, index) => {
    report.addResidue(extra, child(child(undefined, 'tools'), index))
    return tool
  })
  return JSON.stringify(described, null, 2)
}
