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
import { callIdRule, SIGNATURE_VENDOR, DIALECT_SLOT } from './constants.ts'
import { decodePart, encodeParts, getPlainText } from './parts.ts'
import type { OpenAIResponsesHint } from './hints.ts'

type DecodedOutput = Pick<ToolResultPart, 'content' | 'isError'> & {
  readonly hints?: Hints<OpenAIResponsesHint>
}

/** The codec of an item type that contains the result of a call. */
interface ToolResultRow {
  /** The key of the call id. */
  readonly id: 'id' | 'call_id'
  read(wire: JsonObject): DecodedOutput | undefined
  /** Returns undefined if the item type has no form for the result. */
  write(
    result: ToolResultPart,
    hints: Hints<OpenAIResponsesHint>,
    path: Path | undefined,
    context: EncodeContext,
  ): JsonObject | undefined
}

/** Results of functions and custom tools: text, or parts. */
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
    // A tool result may be empty, so empty text is allowed.
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
    return { content: [{ type: 'image', source: { kind: 'id', id, provider: SIGNATURE_VENDOR } }] }
  },
  write: ({ content, isError }) => {
    const [only, ...others] = encodeParts(content, undefined, noReport)
    if (only?.['type'] !== 'input_image' || others.length > 0 || isError) return undefined
    const { image_url: url, file_id: id } = only
    const from = url === undefined ? { file_id: id as Json } : { image_url: url }
    return { output: { type: 'computer_screenshot', ...from } }
  },
}

/** Creates the row of an item type whose result is text under a key. */
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

/**
 * Creates the row of an item type whose result is a list under a key; `convertText` converts a result that is
 * text.
 */
function createDataRow(key: string, convertText?: (text: string, failed: boolean) => Json): ToolResultRow {
  return {
    id: 'call_id',
    read: (wire) =>
      Array.isArray(wire[key]) ? { content: [{ type: 'json', value: wire[key] as Json }] } : undefined,
    write: (result) => {
      const [only, ...others] = result.content
      if (only?.type === 'json' && Array.isArray(only.value) && others.length === 0 && !result.isError)
        return { [key]: only.value }
      const text = convertText === undefined ? undefined : getResultText(result)
      return text === undefined ? undefined : { [key]: convertText?.(text, result.isError === true) ?? [] }
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

/** Returns the text of a result that contains only text; undefined for any other result. */
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

/** Decodes an item with the result of a call; returns undefined for any other item. */
export function decodeToolResult(wire: JsonObject): ToolResultPart | undefined {
  const { type } = wire
  const row =
    typeof type === 'string' && Object.hasOwn(toolResultRows, type) ? toolResultRows[type] : undefined
  const callId = row && wire[row.id]
  const decoded = row?.read(wire)
  if (typeof callId !== 'string' || callId === '' || decoded === undefined) return undefined
  const { hints: outputHints, ...output } = decoded
  const result: ToolResultPart = { type: 'tool-result', callId, ...output }
  const hints = { wireType: type as string, ...outputHints, ...createCallIdHint(callId, callIdRule) }
  return attachResidue(result, DIALECT_SLOT, DIALECT_SLOT, hints, wire, (part) =>
    encodeToolResult(part, undefined, undefined, noReport),
  )
}

/** Returns true if a result was received as a separate item. */
export function isResultItem(result: ToolResultPart): boolean {
  return getHints(result, DIALECT_SLOT)['wireType'] !== undefined
}

/** Encodes a result as an item: of the received type, else of the type that belongs to the item of its call. */
export function encodeToolResult(
  result: ToolResultPart,
  callItemType: string | undefined,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject {
  if (result.name !== undefined) context.report('result-name', child(path, 'name'))
  reportUnsupportedFields(result, path, context)
  const hints = getHints(result, DIALECT_SLOT)
  const receivedType = hints['wireType'] ?? getOutputType(callItemType)
  const type =
    typeof receivedType === 'string' && Object.hasOwn(toolResultRows, receivedType)
      ? receivedType
      : FUNCTION_OUTPUT_TYPE
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

/** Returns the type of the result item for a call item; their names correspond. */
function getOutputType(callItemType: string | undefined): string | undefined {
  if (callItemType === undefined) return undefined
  return callItemType === 'tool_search_call' ? 'tool_search_output' : `${callItemType}_output`
}
