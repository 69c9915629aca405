import { json, text } from '../../canonical/build/parts.ts'
import type { ToolCallPart, ToolResultContent, ToolResultPart } from '../../canonical/model/part.ts'
import { checkAndFreezePart } from '../../canonical/shape/part.ts'
import { applyResidue, attachResidue, getHints } from '../../dialects/engine/residue-slots.ts'
import {
  getOwnValue,
  isEmptyObject,
  isObject,
  type Json,
  type JsonObject,
  omitUndefined,
} from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import {
  addProviderMetadata,
  buildPartMetadata,
  readOwnProviderMetadata,
} from '../ai-sdk-shared/provider-metadata.ts'
import { readPlainContent, stringifyContent, toPlainContent } from '../engine/result-content.ts'
import { type FormatReporter, silentReporter } from '../engine/format-loss-reporter.ts'
import { readJsonArguments, writeJsonArguments } from '../engine/json-arguments.ts'
import { UI_SLOT } from './constants.ts'

/** A call, and its result if there is one, with their paths. */
export interface CallWithResult {
  readonly call: ToolCallPart
  readonly callPath?: Path | undefined
  readonly result?: ToolResultPart | undefined
  readonly resultPath?: Path | undefined
}

/** Returns the name of the tool of a part; undefined for a part that is not a tool part. */
export function getToolName({ type, toolName }: JsonObject): string | undefined {
  if (type === 'dynamic-tool') return typeof toolName === 'string' ? toolName : undefined
  return typeof type === 'string' && type.startsWith('tool-') ? type.slice('tool-'.length) : undefined
}

/** Reads a tool part: the call, with the residue of the part, and its result if it has one. */
export function readToolPart(
  wire: JsonObject,
  name: string,
  isIdRepeated: boolean,
  path: Path,
): CallWithResult {
  const { toolCallId, providerExecuted, callProviderMetadata, type } = wire
  const call = addProviderMetadata<ToolCallPart>(
    {
      type: 'tool-call',
      id: toolCallId as string,
      name,
      ...readJsonArguments(wire['input'] ?? wire['rawInput']),
      ...(providerExecuted === true && { executedBy: 'provider' as const }),
    },
    callProviderMetadata,
    path,
  )
  const result = readResult(wire, call, path)
  const hints = {
    ...(type === 'dynamic-tool' && { dynamic: true }),
    ...(isIdRepeated && result === undefined && { unanswered: true }),
  }
  const attached = attachResidue(call, UI_SLOT, hints, wire, (unit) =>
    writeToolPart({ call: unit, result }, silentReporter),
  )
  return { call: attached, result }
}

/** What the model reads about a call that was not approved, if no reason is given. */
const DENIED = 'Tool call execution denied.'

function readResult(wire: JsonObject, call: ToolCallPart, path: Path): ToolResultPart | undefined {
  const { state, output, errorText, approval, resultProviderMetadata } = wire
  const own = readOwnProviderMetadata(resultProviderMetadata)
  const name = typeof own['name'] === 'string' ? own['name'] : call.name
  const base = { type: 'tool-result', callId: call.id, name } as const
  const build = (content: readonly ToolResultContent[], isError: boolean): ToolResultPart =>
    checkAndFreezePart({ ...base, content, ...(isError && { isError: true as const }) }, path)
  if (isDenied(state, approval)) {
    const reason = isObject(approval) ? getOwnValue(approval, 'reason') : undefined
    return build([text(typeof reason === 'string' ? reason : DENIED)], true)
  }
  const plain = readPlainContent(own['content'] === true ? output : own['content'], path)
  if (state === 'output-error')
    return build(plain ?? [text(typeof errorText === 'string' ? errorText : '')], true)
  if (state !== 'output-available') return undefined
  if (plain !== undefined) return build(plain, false)
  if (output === undefined) return build([], false)
  return build([typeof output === 'string' ? text(output) : json(output)], false)
}

function isDenied(state: Json | undefined, approval: Json | undefined): boolean {
  const isRefused = isObject(approval) && approval['approved'] === false
  return state === 'output-denied' || (state === 'approval-responded' && isRefused)
}

/** Writes a call and its result as one tool part. */
export function writeToolPart(
  { call, callPath, result, resultPath }: CallWithResult,
  report: FormatReporter,
): JsonObject {
  const isDynamic = getHints(call, UI_SLOT).dynamic === true
  const outcome =
    result === undefined ? { state: 'input-available' } : writeResult(result, call, resultPath, report)
  const wire = omitUndefined({
    type: isDynamic ? 'dynamic-tool' : `tool-${call.name}`,
    toolName: isDynamic ? call.name : undefined,
    toolCallId: call.id,
    ...outcome,
    input: writeJsonArguments(call),
    providerExecuted: call.executedBy === 'provider' ? true : undefined,
    callProviderMetadata: buildPartMetadata(call, callPath, report),
  }) as JsonObject
  return applyResidue(wire, call, UI_SLOT)
}

function writeResult(
  result: ToolResultPart,
  call: ToolCallPart,
  path: Path | undefined,
  report: FormatReporter,
): { readonly [key: string]: Json | undefined } {
  const { name, isError } = result
  if (result.cache !== undefined) report.add('cache-hint', child(path, 'cache'))
  if (result.signature !== undefined) report.add('signature-dropped', child(path, 'signature'))
  const plain = toPlainContent(result, path, report)
  const own: Record<string, Json> = name === undefined || name === call.name ? {} : { name }
  if (isError) {
    if (typeof plain.value !== 'string') own['content'] = plain.parts
  } else if (plain.value === undefined) own['content'] = true
  const metadata = isEmptyObject(own) ? undefined : { interlingua: own }
  return isError
    ? { state: 'output-error', errorText: stringifyContent(plain), resultProviderMetadata: metadata }
    : {
        state: 'output-available',
        output: plain.value === undefined ? plain.parts : plain.value,
        resultProviderMetadata: metadata,
      }
}
