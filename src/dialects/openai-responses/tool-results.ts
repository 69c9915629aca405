import type { ToolResultContent, ToolResultPart } from '../../canonical/model/part.ts'
import { toUrlSource } from '../../canonical/build/media.ts'
import { textOf } from '../../canonical/read/message-content.ts'
import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { createCallIdHint, encodeCallId } from '../shared/call-ids.ts'
import { applyResidue, getHints, attachResidue, withHints } from '../engine/residue-slots.ts'
import { reportUnsupportedFields } from '../shared/unsupported-fields.ts'
import { callIdRule, VENDOR, DIALECT_SLOT } from './constants.ts'
import { decodePart, encodeParts, getPlainText } from './parts.ts'
import type { OpenAIResponsesHint } from './hints.ts'

type DecodedOutput = Pick<ToolResultPart, 'content' | 'isError'> & {
  readonly hints?: Hints<OpenAIResponsesHint>
}

/** An item that answers a call. */
interface ToolResultRow {
  /** The key that names the call. */
  readonly id: 'id' | 'call_id'
  read(wire: JsonObject): DecodedOutput | undefined
  /** Undefined where the result cannot be said so. */
  write(
    result: ToolResultPart,
    hints: Hints<OpenAIResponsesHint>,
    path: Path | undefined,
    context: EncodeContext,
  ): JsonObject | undefined
}

/** Answers to functions and custom tools: text, or parts. */
const outputRow: ToolResultRow = {
  id: 'call_id',
  read: ({ output }) => {
    if (typeof output === 'string') return { content: [{ type: 'text', text: output }] }
    if (!isList(output)) return undefined
    const content = output.map((part) => decodePart(part, 'result') as ToolResultContent)
    return { content, hints: { contentForm: 'parts' } }
  },
  write: ({ content, isError }, hints, path, context) => {
    const [only] = content
    // Results may be empty, so their text may be, too.
    const empty = content.length === 1 && only?.type === 'text' && only.text === ''
    const kept =
      empty && getHints(only, DIALECT_SLOT)['emptyText'] !== true
        ? [withHints(only, DIALECT_SLOT, { emptyText: true })]
        : content
    const parts = encodeParts(kept, child(path, 'content'), context)
    const text = hints['contentForm'] === 'parts' ? undefined : parts.length === 0 ? '' : getPlainText(parts)
    if (!isError) return { output: text ?? parts }
    context.report('error-as-text', path)
    if (text !== undefined) return { output: JSON.stringify({ error: text }) }
    return { output: [{ type: 'input_text', text: 'The call failed:' }, ...parts] }
  },
}

const screenshotRow: ToolResultRow = {
  id: 'call_id',
  read: ({ output }) => {
    if (!isObject(output) || output['type'] !== 'computer_screenshot') return undefined
    const { image_url: url, file_id: id } = output
    if (typeof url === 'string') return { content: [{ type: 'image', source: toUrlSource(url) }] }
    if (typeof id !== 'string' || id === '') return undefined
    return { content: [{ type: 'image', source: { kind: 'id', id, provider: VENDOR } }] }
  },
  write: ({ content, isError }) => {
    const [only, ...others] = encodeParts(content, undefined, noReport)
    if (only?.['type'] !== 'input_image' || others.length > 0 || isError) return undefined
    const { image_url: url, file_id: id } = only
    const from = url === undefined ? { file_id: id as Json } : { image_url: url }
    return { output: { type: 'computer_screenshot', ...from } }
  },
}

/** Text under a key. */
function createTextRow(id: ToolResultRow['id'], key: string): ToolResultRow {
  return {
    id,
    read: (wire) =>
      typeof wire[key] === 'string' ? { content: [{ type: 'text', text: wire[key] }] } : undefined,
    write: (result, _hints, path, context) => {
      const text = getResultText(result)
      if (text === undefined || !result.isError) return text === undefined ? undefined : { [key]: text }
      context.report('error-as-text', path)
      return { [key]: JSON.stringify({ error: text }) }
    },
  }
}

/** Data under a key; words of an application are what its shell printed. */
function createDataRow(key: string, fromWords?: (text: string, failed: boolean) => Json): ToolResultRow {
  return {
    id: 'call_id',
    read: (wire) =>
      Array.isArray(wire[key]) ? { content: [{ type: 'json', value: wire[key] as Json }] } : undefined,
    write: (result) => {
      const [only, ...others] = result.content
      if (only?.type === 'json' && Array.isArray(only.value) && others.length === 0 && !result.isError)
        return { [key]: only.value }
      const text = fromWords === undefined ? undefined : getResultText(result)
      return text === undefined ? undefined : { [key]: fromWords?.(text, result.isError === true) ?? [] }
    },
  }
}

const patchRow: ToolResultRow = {
  id: 'call_id',
  read: ({ status, output }) => {
    if (status !== 'completed' && status !== 'failed') return undefined
    return {
      content: typeof output === 'string' ? [{ type: 'text', text: output }] : [],
      ...(status === 'failed' && { isError: true }),
    }
  },
  write: (result) => {
    const text = result.content.length === 0 ? null : getResultText(result)
    if (text === undefined) return undefined
    return { status: result.isError ? 'failed' : 'completed', ...(text !== null && { output: text }) }
  },
}

/** The text of a result that is text alone. */
function getResultText({ content }: ToolResultPart): string | undefined {
  return content.every((part) => part.type === 'text')
    ? content.map((part) => textOf(part)).join('\n')
    : undefined
}

const FUNCTION_OUTPUT_TYPE = 'function_call_output'

const toolResultRows: { readonly [type: string]: ToolResultRow } = {
  [FUNCTION_OUTPUT_TYPE]: outputRow,
  custom_tool_call_output: outputRow,
  computer_call_output: screenshotRow,
  local_shell_call_output: createTextRow('id', 'output'),
  shell_call_output: createDataRow('output', (stdout, failed) => [
    { stdout, stderr: '', outcome: { type: 'exit', exit_code: failed ? 1 : 0 } },
  ]),
  apply_patch_call_output: patchRow,
  tool_search_output: createDataRow('tools'),
  program_output: createTextRow('call_id', 'result'),
}

/** Reads an item that answers a call; undefined when it is none that we can take apart. */
export function decodeToolResult(wire: JsonObject): ToolResultPart | undefined {
  const { type } = wire
  const row =
    typeof type === 'string' && Object.hasOwn(toolResultRows, type) ? toolResultRows[type] : undefined
  const callId = row && wire[row.id]
  const read = row?.read(wire)
  if (typeof callId !== 'string' || callId === '' || read === undefined) return undefined
  const { hints: forms, ...said } = read
  const result: ToolResultPart = { type: 'tool-result', callId, ...said }
  const hints = { wireType: type as string, ...forms, ...createCallIdHint(callId, callIdRule) }
  return attachResidue(result, DIALECT_SLOT, DIALECT_SLOT, hints, wire, (part) =>
    encodeToolResult(part, undefined, undefined, noReport),
  )
}

/** Whether a result came as an item of its own. */
export function isResultItem(result: ToolResultPart): boolean {
  return getHints(result, DIALECT_SLOT)['wireType'] !== undefined
}

/** Writes a result as an item: of the kind that it came in, else of that which answers its kind of call. */
export function encodeToolResult(
  result: ToolResultPart,
  callKind: string | undefined,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject {
  if (result.name !== undefined) context.report('result-name', child(path, 'name'))
  reportUnsupportedFields(result, path, context)
  const hints = getHints(result, DIALECT_SLOT)
  const came = hints['wireType'] ?? getOutputType(callKind)
  const type = typeof came === 'string' && Object.hasOwn(toolResultRows, came) ? came : FUNCTION_OUTPUT_TYPE
  const row = toolResultRows[type] ?? outputRow
  const id = encodeCallId(result.callId, hints, callIdRule, child(path, 'callId'), context)
  const made = row.write(result, hints, path, context)
  if (made === undefined) context.report('result-form', path)
  const item =
    made === undefined
      ? { type: FUNCTION_OUTPUT_TYPE, call_id: id, ...outputRow.write(result, {}, path, context) }
      : { type, [row.id]: id, ...made }
  return applyResidue(item, result, DIALECT_SLOT)
}

/** The item that answers a call: they are named alike. */
function getOutputType(callKind: string | undefined): string | undefined {
  if (callKind === undefined) return undefined
  return callKind === 'tool_search_call' ? 'tool_search_output' : `${callKind}_output`
}
