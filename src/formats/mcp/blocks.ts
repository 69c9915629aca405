import { json, text } from '../../canonical/build/parts.ts'
import type {
  MediaPart,
  Part,
  TextPart,
  ToolCallPart,
  ToolResultContent,
  ToolResultPart,
} from '../../canonical/model/part.ts'
import { checkAndFreezePart } from '../../canonical/shape/part.ts'
import { applyResidue, attachResidue } from '../../dialects/engine/residue-slots.ts'
import {
  getOwnValue,
  isEmptyObject,
  isObject,
  type Json,
  type JsonObject,
  omitUndefined,
} from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { writeOpaquePart } from '../engine/omitted-fields.ts'
import { type FormatReporter, silentReporter } from '../engine/format-loss-reporter.ts'
import { keepPart } from '../engine/keep-unknown-values.ts'
import { readOptionalList, requireObject, requireText } from '../engine/require-fields.ts'
import { MCP_SLOT, NAME, OWN_KEY } from './constants.ts'
import { readMediaBlock, writeMediaBlock } from './media-blocks.ts'

/** Reads a block; one of unknown type is kept as it is. */
export function readBlock(wire: Json, isResult: boolean, path: Path): Part {
  const block = requireObject(wire, path, 'a block')
  if (!isResult && block['type'] === 'tool_use') return readCall(block, path)
  if (!isResult && block['type'] === 'tool_result') return readResult(block, path)
  const part: TextPart | MediaPart | undefined =
    block['type'] === 'text'
      ? { type: 'text', text: requireText(block, 'text', path) }
      : readMediaBlock(block, path)
  if (part === undefined) return keepPart(NAME, block, path)
  const isResource = block['type'] === 'resource' || block['type'] === 'resource_link'
  const hints = isResource && !isResult ? { resource: true } : {}
  return attachResidue(checkAndFreezePart<Part>(part, path), MCP_SLOT, hints, block, (unit) =>
    writeBlock(unit, isResult, undefined, silentReporter),
  )
}

function readOwnFields({ _meta: meta }: JsonObject): JsonObject {
  const own = isObject(meta) ? getOwnValue(meta, OWN_KEY) : undefined
  return isObject(own) ? (own as JsonObject) : {}
}

function readCall(block: JsonObject, path: Path): ToolCallPart {
  const { executedBy, invalidArguments } = readOwnFields(block)
  const input = requireObject(block['input'], child(path, 'input'), 'the input of a tool')
  const call: ToolCallPart = {
    type: 'tool-call',
    id: requireText(block, 'id', path),
    name: requireText(block, 'name', path),
    ...(typeof invalidArguments === 'string' ? { invalidArguments } : { arguments: input }),
    ...(executedBy === 'provider' && { executedBy }),
  }
  return attachResidue(checkAndFreezePart(call, path), MCP_SLOT, {}, block, writeCall)
}

/** Writes a call. What MCP has no field for is metadata: arguments that are no object, and who executed the call. */
function writeCall(call: ToolCallPart): JsonObject {
  const { id, name, executedBy, invalidArguments } = call
  const own = omitUndefined({ executedBy, invalidArguments })
  const wire = {
    type: 'tool_use',
    id,
    name,
    input: call.arguments ?? {},
    ...(!isEmptyObject(own) && { _meta: { [OWN_KEY]: own } }),
  }
  return applyResidue(wire, call, MCP_SLOT)
}

/** Reads a result. Structured content is data; a text that only repeats it is not read. */
function readResult(block: JsonObject, path: Path): ToolResultPart {
  const { structuredContent: data } = block
  const at = child(path, 'content')
  const blocks = readOptionalList(block, 'content', path).map(
    (each, index) => readBlock(each, true, child(at, index)) as ToolResultContent,
  )
  const structured =
    data === undefined
      ? []
      : [json(requireObject(data, child(path, 'structuredContent'), 'the data of a result'))]
  const isRepeated = structured.length > 0 && isTextOf(blocks, data)
  const result: ToolResultPart = {
    type: 'tool-result',
    callId: requireText(block, 'toolUseId', path),
    content: [...(isRepeated ? [] : blocks), ...structured],
    ...(block['isError'] === true && { isError: true as const }),
  }
  return attachResidue(checkAndFreezePart(result, path), MCP_SLOT, {}, block, (unit) =>
    writeResult(unit, undefined, silentReporter),
  )
}

function isTextOf(blocks: readonly ToolResultContent[], data: Json | undefined): boolean {
  const [only] = blocks
  return (
    blocks.length === 1 &&
    only?.type === 'text' &&
    only.extra === undefined &&
    only.text === JSON.stringify(data)
  )
}

/** Writes a result. Data at the end that is an object is structured content; MCP asks for its text, too. */
function writeResult(result: ToolResultPart, path: Path | undefined, report: FormatReporter): JsonObject {
  const { callId, name, isError, content } = result
  if (name !== undefined) report.add('provider-result-name', child(path, 'name'))
  const last = content.at(-1)
  const data = last?.type === 'json' && isObject(last.value) ? last.value : undefined
  const others = data === undefined ? content : content.slice(0, -1)
  const blocks = others.flatMap((part, index): readonly JsonObject[] => {
    const block = writeBlock(part, true, child(child(path, 'content'), index), report)
    return block === undefined ? [] : [block]
  })
  const repeated =
    data !== undefined && others.length === 0
      ? [{ ...text(JSON.stringify(data)) } as unknown as JsonObject]
      : []
  const wire = omitUndefined({
    type: 'tool_result',
    toolUseId: callId,
    content: [...blocks, ...repeated],
    structuredContent: data,
    isError,
  }) as JsonObject
  return applyResidue(wire, result, MCP_SLOT)
}

/** Writes a part as a block; undefined for a part that has none. */
export function writeBlock(
  part: Part,
  isResult: boolean,
  path: Path | undefined,
  report: FormatReporter,
): JsonObject | undefined {
  switch (part.type) {
    case 'text':
      return applyResidue({ type: 'text', text: part.text }, part, MCP_SLOT)
    case 'refusal':
      report.add('refusal-as-text', path)
      return { type: 'text', text: part.text }
    case 'json':
      report.add('json-as-text', path)
      return { type: 'text', text: JSON.stringify(part.value) }
    case 'reasoning':
      report.add('part-unsupported', path)
      return undefined
    case 'opaque':
      return writeOpaquePart(part, NAME, path, report)
    case 'tool-call':
      return writeCall(part)
    case 'tool-result':
      return writeResult(part, path, report)
    case 'image':
    case 'audio':
    case 'video':
    case 'file': {
      const block = writeMediaBlock(part, isResult, path, report)
      return block && applyResidue(block, part, MCP_SLOT)
    }
  }
}
