import type { ToolResultPart } from '../../canonical/model/part.ts'
import { sealOwn } from '../../wire/frozen.ts'
import type { Json, JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { Aliases } from '../../wire/residue.ts'
import { type Encoding, silent } from '../encoding.ts'
import { applyResidue, withResidue } from '../unit.ts'
import { reportBare } from '../shared/bare.ts'
import type { OpenCalls } from './calls.ts'
import { SLOT } from './codes.ts'
import { decodeMedia } from './media.ts'
import { encodeSaid } from './parts.ts'

type Wire = { readonly [key: string]: Json }

/** Older clients name the tool as they name people. */
const aliases: Aliases = { tool_name: ['name'] }

/** Reads a tool message as the result that it is; undefined where no call waits for it. */
export function decodeResult(wire: Wire, calls: OpenCalls): ToolResultPart | undefined {
  const { content, images, tool_name: name = wire['name'], tool_call_id: id } = wire
  const callId = typeof id === 'string' && id !== '' ? id : calls.oldest(name)
  if (callId === undefined || typeof content !== 'string') return undefined
  calls.answered(callId)
  const result: ToolResultPart = {
    type: 'tool-result',
    callId,
    ...(typeof name === 'string' && name !== '' && { name }),
    content: [...decodeMedia(images), sealOwn({ type: 'text', text: content })],
  }
  const made = encodeResult(result, calls, undefined, silent)
  return sealOwn(withResidue(result, SLOT, made, wire, {}, aliases))
}

/** Writes a result as a message of its own, with the name of its tool. */
export function encodeResult(
  result: ToolResultPart,
  calls: OpenCalls,
  at: Path | undefined,
  encoding: Encoding,
): JsonObject {
  const { callId, isError } = result
  const name = result.name ?? calls.nameOf(callId)
  reportBare(result, at, encoding)
  const said = encodeSaid(result.content, 'tool', below(at, 'content'), encoding, SLOT)
  if (isError) encoding.lose('error-as-text', at)
  const made = {
    role: 'tool',
    ...said,
    ...(isError && { content: JSON.stringify({ error: said['content'] as Json }) }),
    ...(name !== undefined && { tool_name: name }),
    tool_call_id: callId,
  }
  return applyResidue(made, result, SLOT)
}
