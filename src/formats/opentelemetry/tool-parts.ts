import { json, text } from '../../canonical/build/parts.ts'
import type { ToolCallPart, ToolResultContent, ToolResultPart } from '../../canonical/model/part.ts'
import { checkAndFreezePart } from '../../canonical/shape/part.ts'
import { throwMissing } from '../../canonical/shape/shape.ts'
import { applyResidue, attachResidue, getHints } from '../../dialects/engine/residue-slots.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { type FormatReporter, silentReporter } from '../engine/format-loss-reporter.ts'
import { readJsonArguments, writeJsonArguments } from '../engine/json-arguments.ts'
import { readOptionalText, requireObject, requireText } from '../engine/require-fields.ts'
import { TELEMETRY_SLOT } from './constants.ts'
import { readContentPart, writeContentPart } from './parts.ts'

/** Reads a call, or a call of a tool that the provider executed. */
export function readCall(wire: JsonObject, path: Path): ToolCallPart {
  const isServer = wire['type'] === 'server_tool_call'
  const at = child(path, 'server_tool_call')
  const details = isServer ? requireObject(wire['server_tool_call'], at, 'a call') : wire
  const call: ToolCallPart = {
    type: 'tool-call',
    id: readId(wire, path),
    name: requireText(wire, 'name', path),
    ...readJsonArguments(details['arguments']),
    ...(isServer && { executedBy: 'provider' as const }),
  }
  return attachResidue(checkAndFreezePart(call, path), TELEMETRY_SLOT, {}, wire, writeCall)
}

/** Returns the id of a call; the conventions allow calls without one. */
function readId(wire: JsonObject, path: Path): string {
  const id = readOptionalText(wire, 'id', path)
  return id === undefined || id === '' ? `call_${path.key}` : id
}

/** Writes a call. */
export function writeCall(call: ToolCallPart): JsonObject {
  const { id, name, executedBy } = call
  const given = writeJsonArguments(call)
  const wire =
    executedBy === undefined
      ? { type: 'tool_call', id, name, arguments: given }
      : { type: 'server_tool_call', id, name, server_tool_call: { type: name, arguments: given } }
  return applyResidue(wire, call, TELEMETRY_SLOT)
}

/** Reads a result, or the result of a tool that the provider executed. */
export function readResult(wire: JsonObject, path: Path): ToolResultPart {
  const isServer = wire['type'] === 'server_tool_call_response'
  const key = isServer ? 'server_tool_call_response' : 'response'
  const at = child(path, key)
  if (!Object.hasOwn(wire, key)) return throwMissing(at, 'the response of the tool')
  const details = isServer ? requireObject(wire[key], at, 'a response') : undefined
  const response = details === undefined ? wire[key] : (details['response'] ?? details)
  const name = details?.['type']
  const result: ToolResultPart = {
    type: 'tool-result',
    callId: readId(wire, path),
    ...(typeof name === 'string' && { name }),
    content: readResponse(response, at),
  }
  const hints = Array.isArray(response) && isPartList(response) ? { list: true } : {}
  return attachResidue(checkAndFreezePart(result, path), TELEMETRY_SLOT, hints, wire, (unit) =>
    writeResult(unit, isServer, undefined, silentReporter),
  )
}

const RESPONSE_PARTS: ReadonlySet<Json | undefined> = new Set(['text', 'blob', 'uri', 'file'])

/** Returns true for a list of parts; any other list is data. */
function isPartList(list: readonly Json[]): boolean {
  return list.length > 0 && list.every((item) => isObject(item) && RESPONSE_PARTS.has(item['type']))
}

function readResponse(response: Json | undefined, path: Path): readonly ToolResultContent[] {
  if (response === undefined || response === '') return []
  if (typeof response === 'string') return [text(response)]
  if (!Array.isArray(response) || !isPartList(response)) return [json(response)]
  return response.map((item: Json, index) => {
    const at = child(path, index)
    return (readContentPart(item as JsonObject, at) as ToolResultContent | undefined) ?? json(item)
  })
}

/** Writes a result; one in an answer is that of a tool that the provider executed. */
export function writeResult(
  result: ToolResultPart,
  isServer: boolean,
  path: Path | undefined,
  report: FormatReporter,
): JsonObject {
  const { callId, name, isError } = result
  if (isError) report.add('error-as-text', path)
  if (!isServer && name !== undefined) report.add('provider-result-name', child(path, 'name'))
  const response = writeResponse(result, path, report)
  const wire = isServer
    ? {
        type: 'server_tool_call_response',
        id: callId,
        server_tool_call_response: { type: name ?? 'unknown', response },
      }
    : { type: 'tool_call_response', id: callId, response }
  return applyResidue(wire, result, TELEMETRY_SLOT)
}

/** Writes content: one text or one value as it is, and anything else as a list of parts. */
export function writeResponse(result: ToolResultPart, path: Path | undefined, report: FormatReporter): Json {
  const { content } = result
  const [only] = content
  const isSingle = content.length === 1 && getHints(result, TELEMETRY_SLOT).list !== true
  if (isSingle && only?.type === 'text') return only.text
  if (content.length === 1 && only?.type === 'json') return only.value
  const parts = content.flatMap((part, index): readonly JsonObject[] => {
    const at = child(child(path, 'content'), index)
    if (part.type === 'json') {
      report.add('json-as-text', at)
      return [{ type: 'text', content: JSON.stringify(part.value) }]
    }
    if (part.type === 'opaque') report.add('foreign-opaque', at)
    const wire = writeContentPart(part, at, report)
    return wire === undefined ? [] : [wire]
  })
  return parts.length === 0 ? '' : parts
}
