import { parseArguments, stringifyArguments } from '../../canonical/build/call-arguments.ts'
import { json, text } from '../../canonical/build/parts.ts'
import type { ToolCallPart, ToolResultContent, ToolResultPart } from '../../canonical/model/part.ts'
import { checkAndFreezePart } from '../../canonical/shape/part.ts'
import { applyResidue, attachResidue, getHints } from '../../dialects/engine/residue-slots.ts'
import { isObject, type Json, type JsonObject, omitUndefined } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { type FormatReporter, silentReporter } from '../engine/format-loss-reporter.ts'
import { requireText } from '../engine/require-fields.ts'
import { PYDANTIC_SLOT } from './constants.ts'
import { isMedia, readMedia, writeMedia } from './media.ts'
import { addSignature, writeGoogleSignature } from './signatures.ts'
import { readTextObject, writeTextObject } from './user-content.ts'

/** Reads a call of a tool, or of a tool that the provider executed. */
export function readCall(wire: JsonObject, path: Path): ToolCallPart {
  const { args } = wire
  const fields = {
    type: 'tool-call',
    id: requireText(wire, 'tool_call_id', path),
    name: requireText(wire, 'tool_name', path),
    ...(isObject(args) ? { arguments: args } : readArgs(args)),
    ...(wire['part_kind'] === 'builtin-tool-call' && { executedBy: 'provider' as const }),
  } as ToolCallPart
  const call = addSignature(checkAndFreezePart(fields, path), wire)
  const hints = typeof args === 'string' ? { argsText: true } : {}
  return attachResidue(call, PYDANTIC_SLOT, hints, wire, (unit) => writeCall(unit, undefined, silentReporter))
}

function readArgs(args: Json | undefined): Pick<ToolCallPart, 'arguments' | 'invalidArguments'> {
  if (args === undefined || args === null) return { arguments: {} }
  return typeof args === 'string' ? parseArguments(args) : { invalidArguments: JSON.stringify(args) }
}

/** Writes a call. Arguments that are no object are a text, which pydantic-ai keeps. */
export function writeCall(call: ToolCallPart, path: Path | undefined, report: FormatReporter): JsonObject {
  const { id, name, executedBy, invalidArguments } = call
  const isText = invalidArguments !== undefined || getHints(call, PYDANTIC_SLOT).argsText === true
  const wire = {
    tool_name: name,
    args: isText ? stringifyArguments(call) : (call.arguments ?? {}),
    tool_call_id: id,
    ...writeGoogleSignature(call, path, report),
    part_kind: executedBy === 'provider' ? 'builtin-tool-call' : 'tool-call',
  }
  return applyResidue(wire, call, PYDANTIC_SLOT)
}

/** Reads the result of a tool, or a retry prompt, which is the failure of a tool. */
export function readResult(wire: JsonObject, path: Path): ToolResultPart {
  const isRetry = wire['part_kind'] === 'retry-prompt'
  const { outcome, content } = wire
  const isError = isRetry || (typeof outcome === 'string' && outcome !== 'success')
  const result: ToolResultPart = {
    type: 'tool-result',
    callId: requireText(wire, 'tool_call_id', path),
    name: requireText(wire, 'tool_name', path),
    content: readContent(content, child(path, 'content')),
    ...(isError && { isError: true as const }),
  }
  const hints = { ...(isRetry && { retry: true }), ...(Array.isArray(content) && { list: true }) }
  const kind = wire['part_kind'] as string
  return attachResidue(checkAndFreezePart(result, path), PYDANTIC_SLOT, hints, wire, (unit) =>
    writeResult(unit, { kind }, undefined, silentReporter),
  )
}

/** A list is content of several parts if media or texts that are objects are among its items; any other list is data. */
function readContent(content: Json | undefined, path: Path): readonly ToolResultContent[] {
  if (content === undefined || content === '') return []
  if (!Array.isArray(content) || !content.some(isContentObject)) return [readItem(content, path)]
  return content.map((item: Json, index) => readItem(item, child(path, index)))
}

function isContentObject(item: Json): boolean {
  return isObject(item) && (isMedia(item) || item['kind'] === 'text-content')
}

function readItem(item: Json, path: Path): ToolResultContent {
  if (typeof item === 'string') return text(item)
  if (!isObject(item)) return json(item)
  return isMedia(item) ? readMedia(item, path) : (readTextObject(item, path) ?? json(item))
}

/** What a result is written with: the kind of its part, the name of its call and the time of its message. */
interface ResultOptions {
  readonly kind: string
  readonly callName?: string | undefined
  readonly timestamp?: string | undefined
}

/** Writes the result of a tool. */
export function writeResult(
  result: ToolResultPart,
  { kind, callName, timestamp }: ResultOptions,
  path: Path | undefined,
  report: FormatReporter,
): JsonObject {
  const { callId, name, isError } = result
  if (result.signature !== undefined) report.add('signature-dropped', child(path, 'signature'))
  const isRetry = getHints(result, PYDANTIC_SLOT).retry === true && isError === true
  const wire = omitUndefined({
    tool_name: name ?? callName ?? callId,
    content: writeContent(result, path, report),
    tool_call_id: callId,
    timestamp,
    outcome: isRetry ? undefined : isError ? 'failed' : 'success',
    part_kind: isRetry ? 'retry-prompt' : kind === 'retry-prompt' ? 'tool-return' : kind,
  }) as JsonObject
  return applyResidue(wire, result, PYDANTIC_SLOT)
}

/** Writes content: one value as it is, and several as a list in which texts are objects. */
function writeContent(result: ToolResultPart, path: Path | undefined, report: FormatReporter): Json {
  const isList = getHints(result, PYDANTIC_SLOT).list === true
  const isSingle = result.content.length === 1
  const items = result.content.flatMap((part, index): readonly Json[] => {
    const at = child(child(path, 'content'), index)
    if (part.type === 'text') {
      const isObjectText = getHints(part, PYDANTIC_SLOT).textObject === true
      return [isObjectText || (!isSingle && !isList) ? writeTextObject(part) : part.text]
    }
    if (part.type === 'json') return [part.value]
    if ('source' in part) return [writeMedia(part, at, report)]
    report.add('foreign-opaque', at)
    return []
  })
  const [only] = items
  if (only === undefined) return ''
  const isData = result.content.length === 1 && result.content[0]?.type === 'json'
  return isSingle && (isData || !isList) ? only : items
}
