import type { Message } from '../../canonical/model/message.ts'
import type { Part } from '../../canonical/model/part.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { Tool } from '../../canonical/model/tool.ts'
import { checkAndFreezeMessage } from '../../canonical/shape/message.ts'
import { readCanonicalValue, throwInvalid } from '../../canonical/shape/shape.ts'
import { toolShape } from '../../canonical/shape/request.ts'
import { attachResidue } from '../../dialects/engine/residue-slots.ts'
import { isObject, type Json, type JsonObject, tryParseJson } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { ConversationContent } from '../engine/conversation-codec.ts'
import { silentReporter } from '../engine/format-loss-reporter.ts'
import { readFunctionTools } from '../engine/function-tools.ts'
import type { ReadingContext } from '../engine/message-format.ts'
import { requireText } from '../engine/require-fields.ts'
import { MARKDOWN_SLOT, PART_HEADINGS, ROLE_HEADINGS, TOOLS_HEADING } from './constants.ts'
import { getHeading, readComment, readFence, readText, trimBlankLines } from './lines.ts'
import { writeRecord } from './write.ts'

/** A heading with the lines below it, up to the next heading. */
interface Section {
  readonly heading: string | undefined
  readonly lines: string[]
  /** The number of the line of the heading, counted from 1. */
  readonly lineNumber: number
}

/** Reads a transcript: one that was written by this format, or headings of roles with text below them. */
export function readRecord(
  record: JsonObject,
  path: Path | undefined,
  context: ReadingContext,
): ConversationContent {
  const at = child(path, 'markdown')
  const text = requireText(record, 'markdown', child(path, 'markdown'))
  const [preamble, ...sections] = splitSections(text)
  const title = /^# (.+)$/.exec(trimBlankLines(preamble?.lines ?? [])[0] ?? '')?.[1]?.trim()
  const messages: Message[] = []
  let tools: readonly Tool[] | undefined
  let open:
    | { readonly role: Message['role']; readonly fields: JsonObject; readonly parts: Part[] }
    | undefined
  const flush = (): void => {
    if (open === undefined) return
    const { role, fields, parts } = open
    const message = { ...fields, id: context.messageId(fields['id']), role, content: parts }
    messages.push(checkAndFreezeMessage(message as unknown as Message, at))
  }
  for (const section of sections) {
    const place = child(at, section.lineNumber)
    const role = findKey(ROLE_HEADINGS, section.heading)
    if (section.heading === TOOLS_HEADING) tools = readTools(section, place)
    else if (role !== undefined) {
      flush()
      const [first, ...rest] = trimBlankLines(section.lines)
      const fields = readComment(first)
      const body = trimBlankLines(fields === undefined ? section.lines : rest)
      open = { role, fields: fields ?? {}, parts: body.length === 0 ? [] : [toTextPart(body)] }
    } else if (open === undefined) throwMisplaced(place)
    else open.parts.push(readPart(section, place))
  }
  flush()
  const request: ChatRequest = {
    messages: Object.freeze(messages),
    ...(tools !== undefined && tools.length > 0 && { tools }),
  }
  const placed = messages.map((message, index) => ({ message, path: child(undefined, index) }))
  return {
    request: attachResidue(request, MARKDOWN_SLOT, {}, record, (unit) =>
      writeRecord({ request: unit, messages: placed, listPath: undefined }, silentReporter),
    ),
    ...(title !== undefined && title !== '' && { fields: { title } }),
  }
}

/** Splits a text at its headings: those inside of texts and fences are escaped. */
function splitSections(text: string): readonly Section[] {
  const sections: Section[] = [{ heading: undefined, lines: [], lineNumber: 0 }]
  // Files of Windows end every line with two characters; a single one belongs to its text.
  const isWindows = text.includes('\r\n') && !/(^|[^\r])\n/.test(text)
  const lines = (isWindows ? text.replaceAll('\r\n', '\n') : text).split('\n')
  lines.forEach((line, index) => {
    const heading = getHeading(line)
    if (heading === undefined) sections.at(-1)?.lines.push(line)
    else sections.push({ heading, lines: [], lineNumber: index + 1 })
  })
  return sections
}

function findKey<Key extends string>(
  headings: { readonly [key in Key]: string },
  heading: string | undefined,
): Key | undefined {
  return (Object.keys(headings) as Key[]).find((key) => headings[key] === heading)
}

function toTextPart(lines: readonly string[]): Part {
  return { type: 'text', text: readText(lines) }
}

function readPart({ heading, lines }: Section, path: Path): Part {
  const type = findKey(PART_HEADINGS, heading) ?? 'text'
  const body = trimBlankLines(lines)
  const json = readFence(body, 'json')
  if (json === undefined) {
    if (type === 'text' || type === 'reasoning' || type === 'refusal') return { type, text: readText(body) }
    return throwInvalid(
      'invalid-value',
      path,
      'a block without a fence',
      `a json fence below ${heading ?? ''}`,
    )
  }
  const value = tryParseJson(json)
  if (isObject(value) && value['type'] === type) return value as unknown as Part
  return throwInvalid('invalid-value', path, 'other JSON', `a part of the type ${type}`)
}

function readTools({ lines }: Section, path: Path): readonly Tool[] {
  const json = readFence(trimBlankLines(lines), 'json')
  const value: Json | undefined = json === undefined ? undefined : tryParseJson(json)
  const isTool = (tool: Json): boolean => isObject(tool) && typeof tool['type'] === 'string'
  const isDescribed = (tool: Json): boolean => isObject(tool) && isObject(tool['function'])
  if (Array.isArray(value) && value.every((tool: Json) => isTool(tool) && !isDescribed(tool)))
    return value.map((tool: Json, index) => readCanonicalValue(toolShape, tool, child(path, index)))
  const described = readFunctionTools(value)
  return (
    described ?? throwInvalid('invalid-value', path, 'another block', 'a json fence with a list of tools')
  )
}

function throwMisplaced(path: Path): never {
  const expected = `a heading of a role before it: ${Object.values(ROLE_HEADINGS).join(', ')}`
  return throwInvalid('invalid-value', path, 'a part outside of a message', expected)
}
