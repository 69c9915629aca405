import { parseArguments, stringifyArguments } from '../../canonical/build/call-arguments.ts'
import { text } from '../../canonical/build/parts.ts'
import type { ToolCallPart, ToolResultContent, ToolResultPart } from '../../canonical/model/part.ts'
import { checkAndFreezePart } from '../../canonical/shape/part.ts'
import { applyResidue, attachResidue, getHints } from '../../dialects/engine/residue-slots.ts'
import { isObject, type Json, type JsonObject, omitUndefined } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { type FormatReporter, silentReporter } from '../engine/format-loss-reporter.ts'
import { keepPart } from '../engine/keep-unknown-values.ts'
import { readOptionalText, requireText } from '../engine/require-fields.ts'
import { stringifyContent, toPlainContent } from '../engine/result-content.ts'
import { AGENTS_SLOT, NAME } from './constants.ts'
import { readContent, writeContent } from './content.ts'

/** Reads a call of a function. */
export function readCall(item: JsonObject, path: Path): ToolCallPart {
  const call: ToolCallPart = {
    type: 'tool-call',
    id: requireText(item, 'callId', path),
    name: requireText(item, 'name', path),
    ...parseArguments(requireText(item, 'arguments', path)),
  }
  return attachResidue(checkAndFreezePart(call, path), AGENTS_SLOT, {}, item, (unit) =>
    writeCall(unit, undefined, silentReporter),
  )
}

/** Writes a call of a function. */
export function writeCall(call: ToolCallPart, path: Path | undefined, report: FormatReporter): JsonObject {
  const { id, name } = call
  if (call.signature !== undefined) report.add('signature-dropped', child(path, 'signature'))
  const wire = {
    type: 'function_call',
    callId: id,
    name,
    arguments: stringifyArguments(call),
    status: 'completed',
  }
  return applyResidue(wire, call, AGENTS_SLOT)
}

/** Reads a call that the provider executed, and its result if the item has an output. */
export function readHostedCall(
  item: JsonObject,
  path: Path,
): readonly [call: ToolCallPart, result?: ToolResultPart] {
  const id = readOptionalText(item, 'id', path)
  const output = readOptionalText(item, 'output', path)
  const call = checkAndFreezePart<ToolCallPart>(
    {
      type: 'tool-call',
      id: id === undefined || id === '' ? `hosted_${path.key}` : id,
      name: requireText(item, 'name', path),
      ...parseArguments(readOptionalText(item, 'arguments', path) ?? ''),
      executedBy: 'provider',
    },
    path,
  )
  const result =
    output === undefined
      ? undefined
      : checkAndFreezePart<ToolResultPart>(
          { type: 'tool-result', callId: call.id, content: output === '' ? [] : [text(output)] },
          path,
        )
  const kept = attachResidue(call, AGENTS_SLOT, {}, item, (unit) =>
    writeHostedCall(unit, result, undefined, undefined, silentReporter),
  )
  return result === undefined ? [kept] : [kept, result]
}

/** Writes a call that the provider executed, together with its result. */
export function writeHostedCall(
  call: ToolCallPart,
  result: ToolResultPart | undefined,
  path: Path | undefined,
  resultPath: Path | undefined,
  report: FormatReporter,
): JsonObject {
  const { id, name } = call
  if (call.signature !== undefined) report.add('signature-dropped', child(path, 'signature'))
  const argumentText = stringifyArguments(call)
  const wire = omitUndefined({
    type: 'hosted_tool_call',
    id,
    name,
    arguments: argumentText === '' ? undefined : argumentText,
    status: 'completed',
    output: result && writeText(result, resultPath, report),
  }) as JsonObject
  return applyResidue(wire, call, AGENTS_SLOT)
}

/** Writes a result as one text. */
function writeText(result: ToolResultPart, path: Path | undefined, report: FormatReporter): string {
  if (result.name !== undefined) report.add('provider-result-name', child(path, 'name'))
  if (result.signature !== undefined) report.add('signature-dropped', child(path, 'signature'))
  if (result.isError) report.add('error-as-text', path)
  result.content.forEach((part, index) => {
    const at = child(child(path, 'content'), index)
    if (part.type === 'text') {
      if (result.content.length > 1) report.add('texts-concatenated', at)
    } else if (part.type !== 'opaque') report.add('json-as-text', at)
  })
  const plain = toPlainContent(result, path, report)
  return plain.parts.length === 0 ? '' : stringifyContent(plain)
}

/** Reads the result of a function: a text, a list, or one object of an older version. */
export function readResult(item: JsonObject, path: Path): ToolResultPart {
  const { output } = item
  const at = child(path, 'output')
  const result: ToolResultPart = {
    type: 'tool-result',
    callId: requireText(item, 'callId', path),
    name: requireText(item, 'name', path),
    content: isObject(output)
      ? [readSingle(output, at)]
      : (readContent(output, 'result', at) as readonly ToolResultContent[]),
  }
  const hints = isObject(output) ? { single: true } : Array.isArray(output) ? { parts: true } : {}
  return attachResidue(checkAndFreezePart(result, path), AGENTS_SLOT, hints, item, (unit) =>
    writeResult(unit, undefined, undefined, silentReporter),
  )
}

/** Reads an output that is one object. Only text has a canonical form; other objects are kept as they are. */
function readSingle(output: JsonObject, path: Path): ToolResultContent {
  const given = output['type'] === 'text' ? requireText(output, 'text', path) : undefined
  return given === undefined || Object.keys(output).length !== 2 ? keepPart(NAME, output, path) : text(given)
}

/** Writes the result of a function. */
export function writeResult(
  result: ToolResultPart,
  callName: string | undefined,
  path: Path | undefined,
  report: FormatReporter,
): JsonObject {
  if (result.isError) report.add('error-as-text', path)
  if (result.signature !== undefined) report.add('signature-dropped', child(path, 'signature'))
  const wire = {
    type: 'function_call_result',
    callId: result.callId,
    name: result.name ?? callName ?? result.callId,
    status: 'completed',
    output: writeOutput(result, path, report),
  }
  return applyResidue(wire, result, AGENTS_SLOT)
}

function writeOutput(result: ToolResultPart, path: Path | undefined, report: FormatReporter): Json {
  const hints = getHints(result, AGENTS_SLOT)
  const [only] = result.content
  if (hints.single === true && result.content.length === 1) {
    if (only?.type === 'text') return { type: 'text', text: only.text }
    if (only?.type === 'opaque' && only.dialect === NAME) return only.value
  }
  return writeContent(result.content, 'result', hints.parts === true, path, report)
}
