import { withTypedErrors } from '../../wire/internal-error.ts'
import { isObject } from '../../wire/json.ts'
import { createDefaultErrorCodec } from '../engine/default-errors.ts'
import type { DialectDefinition } from '../engine/define-dialect.ts'
import type { BlockFormat } from './block-format.ts'
import { BlockPartCodec } from './block-parts.ts'
import { BlockRequestCodec } from './block-request.ts'
import { BlockResponseCodec } from './block-response.ts'
import { BlockStreamReader } from './block-stream-reader.ts'
import { BlockStreamWriter } from './block-stream-writer.ts'
import { EVENT_KIND } from './block-stream-plan.ts'
import { recognizeBlockInput } from './recognize-block-input.ts'

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
