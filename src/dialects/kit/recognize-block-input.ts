import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import type { RecognizedInput } from '../engine/input-recognizers.ts'
import type { BlockEventReader, BlockFormat } from './block-format.ts'

/** The certainty of an input whose keys and names all fit; some fields may belong to another format, too. */
const CERTAINTY = 0.95

/** Recognizes the bodies and payloads of a format by its keys and tables. */
export function recognizeBlockInput(
  format: BlockFormat,
  value: JsonObject,
  createReader: () => BlockEventReader,
): RecognizedInput | undefined {
  const { request, response } = format
  const messages = value[request.messages]
  if (isList(messages) && messages.some((message) => isMessage(message, format)))
    return { kind: 'request', certainty: CERTAINTY, evidence: `has "${request.messages}"` }
  const content = value[response.content]
  const hasContent =
    typeof content === 'string' || (isList(content) && content.every((each) => isBlock(each, format)))
  const isNamed = typeof value[response.finish] === 'string'
  if (hasContent && isNamed)
    return {
      kind: 'response',
      certainty: CERTAINTY,
      evidence: `has "${response.content}" and "${response.finish}"`,
    }
  const events = format.stream.read(value, createReader())
  if (events.length === 0) return undefined
  return { kind: 'stream', certainty: CERTAINTY, evidence: `is an event of ${format.name}` }
}

function isMessage(wire: Json, { message }: BlockFormat): boolean {
  return (
    isObject(wire) && message.roles.some(([name]) => name === wire[message.role]) && message.content in wire
  )
}

function isBlock(wire: Json, { blocks }: BlockFormat): boolean {
  const rows = Object.values(blocks.parts)
  return isObject(wire) && rows.some(({ type }) => type === wire[blocks.type])
}
