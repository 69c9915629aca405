import { stringifyArguments } from '../../canonical/build/call-arguments.ts'
import type { ToolCallPart, ToolResultContent, ToolResultPart } from '../../canonical/model/part.ts'
import { checkAndFreezePart } from '../../canonical/shape/part.ts'
import { applyResidue, attachResidue, getHints } from '../../dialects/engine/residue-slots.ts'
import { isObject, type Json, type JsonObject, omitUndefined } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { CallIdAssigner } from '../engine/call-id-assigner.ts'
import { type FormatReporter, silentReporter } from '../engine/format-loss-reporter.ts'
import { readObjectArguments, toJsonArguments } from '../engine/object-arguments.ts'
import { requireObject, requireText } from '../engine/require-fields.ts'
import { HUGGINGFACE_SLOT } from './constants.ts'
import { readContent, blocksToContent, writeBlocks } from './content.ts'
import type { ImageCollector, ImageColumn } from './media.ts'

/** Reads a call: its arguments are an object or a text, and its id may be missing. */
export function readCall(given: Json, path: Path, pairing: CallIdAssigner): ToolCallPart {
  const wire = requireObject(given, path, 'a call')
  const isFlat = !isObject(wire['function'])
  const described = isFlat ? wire : (wire['function'] as JsonObject)
  const at = isFlat ? path : child(path, 'function')
  const { arguments: input } = described
  const part: ToolCallPart = {
    type: 'tool-call',
    id: pairing.callId(wire['id']),
    name: requireText(described, 'name', at),
    ...readObjectArguments(input),
  }
  const checked = checkAndFreezePart(part, path)
  pairing.addCall(checked)
  const isText = typeof input === 'string' && checked.invalidArguments === undefined
  const hints = { ...(isFlat && { flat: true }), ...(isText && { text: true }) }
  return attachResidue(checked, HUGGINGFACE_SLOT, hints, wire, writeCall)
}

/** Writes a call. Arguments that are not an object are written as text. */
export function writeCall(call: ToolCallPart): JsonObject {
  const { flat, text } = getHints(call, HUGGINGFACE_SLOT)
  const { id, name } = call
  const input = text === true ? stringifyArguments(call) : toJsonArguments(call)
  const described = { name, arguments: input }
  const wire = flat === true ? { id, ...described } : { id, type: 'function', function: described }
  return applyResidue(wire, call, HUGGINGFACE_SLOT)
}

/** Reads a message of the role `tool` as a result. */
export function readResult(
  wire: JsonObject,
  path: Path,
  pairing: CallIdAssigner,
  images: ImageColumn,
): ToolResultPart {
  const { content, name, tool_call_id: id } = wire
  const tool = typeof name === 'string' && name !== '' ? name : undefined
  const part: ToolResultPart = {
    type: 'tool-result',
    ...pairing.pairResult(id, tool),
    content: readContent(content, child(path, 'content'), images) as readonly ToolResultContent[],
  }
  const hints = Array.isArray(content) ? { list: true } : {}
  return attachResidue(checkAndFreezePart(part, path), HUGGINGFACE_SLOT, hints, wire, (unit) =>
    writeResult(unit, undefined, silentReporter, { images: [] }),
  )
}

/** Writes a result as a message of the role `tool`. */
export function writeResult(
  result: ToolResultPart,
  path: Path | undefined,
  report: FormatReporter,
  collector: ImageCollector,
): JsonObject {
  if (result.isError) report.add('error-as-text', path)
  const { callId, name } = result
  const blocks = writeBlocks(result.content, child(path, 'content'), report, collector)
  const isList = getHints(result, HUGGINGFACE_SLOT).list === true
  const wire = {
    role: 'tool',
    ...omitUndefined({ name }),
    tool_call_id: callId,
    content: blocksToContent(blocks, isList),
  }
  return applyResidue(wire, result, HUGGINGFACE_SLOT)
}
