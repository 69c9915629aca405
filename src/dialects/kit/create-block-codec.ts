import { withTypedErrors } from '../../wire/typed-errors.ts'
import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { createDefaultErrorCodec } from '../engine/default-errors.ts'
import type { DialectDefinition } from '../engine/define-dialect.ts'
import type { BlockEventReader, BlockFormat } from './block-format.ts'
import { BlockPartCodec } from './block-parts.ts'
import { BlockRequestCodec } from './block-request.ts'
import { BlockResponseCodec } from './block-response.ts'
import { BlockStreamReader } from './block-stream-reader.ts'
import { BlockStreamWriter } from './block-stream-writer.ts'
import { EVENT_KIND } from './block-stream-plan.ts'
import type { RecognizedInput } from '../engine/input-recognizers.ts'

/** The certainty of an input whose keys and names all fit; some fields may belong to another format, too. */
const CERTAINTY = 0.95

/** Recognizes the bodies and payloads of a format by its keys and tables. */
function recognizeBlockInput(
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

/**
 * Creates the codec of a format whose messages are lists of typed blocks. The format is a description: keys, tables, and
 * small functions that know nothing of losses, residue and hints. Bodies and streams of the format are restored exactly, and
 * unknown fields and blocks are kept.
 *
 * @example
 * export const myDialect = defineDialect(createBlockCodec(myFormat))
 */
export function createBlockCodec<Name extends string>(format: BlockFormat<Name>): DialectDefinition<Name> {
  return withTypedErrors(() => buildCodec(format), [format])
}

function buildCodec<Name extends string>(format: BlockFormat<Name>): DialectDefinition<Name> {
  const { name, endpoint, stream } = format
  const parts = new BlockPartCodec(format)
  const requests = new BlockRequestCodec(format, parts)
  const responses = new BlockResponseCodec(format, parts)
  return {
    name,
    ...(format.rules && { rules: format.rules }),
    decodeRequest: (body, options) => requests.decode(body, options),
    requestWriter: requests.writer,
    decodeResponse: (body, options) => responses.decode(body, options),
    encodeResponse: (response, context) => responses.encode(response, context),
    encodeTools: (tools, path, context) => requests.encodeTools(tools, path, context),
    decodeUsage: (wire) => responses.decodeUsage(wire),
    decodeFinish: (wire) => (isObject(wire) ? responses.decodeFinish(wire, false) : undefined),
    endpoint: (request, options) =>
      typeof endpoint === 'string' ? { path: endpoint } : endpoint(request, options),
    errors: createDefaultErrorCodec(name, format.errors),
    recognize: (value) =>
      recognizeBlockInput(format, value, () => new BlockStreamReader(parts, responses, undefined)),
    stream: {
      framing: stream.framing,
      wireEventType: () => EVENT_KIND,
      createReader: ({ limits } = {}) => {
        const reader = new BlockStreamReader(parts, responses, limits)
        return { read: (payload) => stream.read(payload, reader), end: () => reader.end() }
      },
      createWriter: (context) => new BlockStreamWriter(format, parts, responses, context),
    },
  }
}
