import { isSendableMedia } from '../engine/content-fallback.ts'
import type { ToolResultPart } from '../../canonical/model/part.ts'
import { textOf } from '../../canonical/read/message-content.ts'
import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { createCallIdHint, encodeAnsweredId, encodeCallId } from '../shared/call-ids.ts'
import { applyResidue, getHints, attachResidue, withHints } from '../engine/residue-slots.ts'
import { reportUnsupportedFields } from '../shared/unsupported-fields.ts'
import { callIdRule, DIALECT_SLOT } from './constants.ts'
import { decodePart, encodeParts, getPlainText } from './parts.ts'
import type { OpenAIResponsesHints } from './hints.ts'
import { decodeImageSource } from './media.ts'

/** The codec of an item type that contains the result of a call. */
interface ToolResultRow {
  /** The key of the call id. */
  readonly id: 'id' | 'call_id'
  read(wire: JsonObject): Pick<ToolResultPart, 'content' | 'isError'> | undefined
  /** Returns undefined if the item type has no form for the result. */
  write(
    result: ToolResultPart,
    hints: OpenAIResponsesHints,
    path: Path | undefined,
    context: EncodeContext,
  ): JsonObject | undefined
}

/** Results of functions and custom tools: text, or parts. */
const outputRow: ToolResultRow = {
  id: 'call_id',
  read: ({ output }) => {
    if (typeof output === 'string') return { content: [{ type: 'text', text: output }] }
    return isList(output) ? { content: output.map((part) => decodePart(part)) } : undefined
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
    const source = decodeImageSource(output)
    const image = source && ({ type: 'image', source } as const)
    return image && isSendableMedia(image) ? { content: [image] } : undefined
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
    read: ({ [key]: text }) => (typeof text === 'string' ? { content: [{ type: 'text', text }] } : undefined),
    write: (result, _hints, path, context) => {
      const text = getResultText(result)
      if (text === undefined || !result.isError) return text === undefined ? undefined : { [key]: text }
      context.report('error-as-text', path)
      return { [key]: JSON.stringify({ error: text }) }
    },
  }
}

/** Creates the row of an item type whose result is a list; `convertText` converts a result that is text. */
function createListRow(key: string, convertText?: (text: string, failed: boolean) => Json): ToolResultRow {
  return {
    id: 'call_id',
    read: ({ [key]: value }) => (isList(value) ? { content: [{ type: 'json', value }] } : undefined),
    write: (result) => {
      const [only, ...others] = result.content
      if (only?.type === 'json' && isList(only.value) && others.length === 0 && !result.isError)
        return { [key]: only.value }
      const text = getResultText(result)
      if (text === undefined || convertText === undefined) return undefined
      return { [key]: convertText(text, result.isError === true) }
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

const toolResultRows: ReadonlyMap<unknown, ToolResultRow> = new Map([
  [FUNCTION_OUTPUT_TYPE, outputRow],
  ['custom_tool_call_output', outputRow],
  ['computer_call_output', screenshotRow],
  ['local_shell_call_output', createTextRow('id', 'output')],
  [
    'shell_call_output',
    createListRow('output', (stdout, failed) => [
      { stdout, stderr: '', outcome: { type: 'exit', exit_code: failed ? 1 : 0 } },
    ]),
  ],
  ['apply_patch_call_output', patchRow],
  ['tool_search_output', createListRow('tools')],
  ['program_output', createTextRow('call_id', 'result')],
])

/** Decodes an item with the result of a call; returns undefined for any other item. */
export function decodeToolResult(wire: JsonObject): ToolResultPart | undefined {
  const row = toolResultRows.get(wire['type'])
  const callId = row && wire[row.id]
  const decoded = row?.read(wire)
  if (typeof callId !== 'string' || callId === '' || decoded === undefined) return undefined
  const result: ToolResultPart = { type: 'tool-result', callId, ...decoded }
  const hints = {
    wireType: wire['type'] as string,
    ...(row === outputRow && isList(wire['output']) && { contentForm: 'parts' }),
    ...createCallIdHint(callId, callIdRule),
  }
  return attachResidue(result, DIALECT_SLOT, hints, wire, (part) =>
    encodeToolResult(part, undefined, undefined, noReport),
  )
}

/** Returns true if a result was received as a separate item. */
export function isFromSeparateItem(result: ToolResultPart): boolean {
  return getHints(result, DIALECT_SLOT)['wireType'] !== undefined
}

/** Returns true for the result of a computer, which was received as a screenshot. */
export function isScreenshot(result: ToolResultPart): boolean {
  return toolResultRows.get(getHints(result, DIALECT_SLOT)['wireType']) === screenshotRow
}

/** Encodes a result as an item: of the received type, else of the type that belongs to the item of its call. */
export function encodeToolResult(
  result: ToolResultPart,
  callItemType: string | undefined,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject {
  reportUnsupportedFields(result, path, context)
  const hints = getHints(result, DIALECT_SLOT)
  const receivedType = hints['wireType'] ?? getOutputType(callItemType)
  const row = toolResultRows.get(receivedType) ?? outputRow
  const type = toolResultRows.has(receivedType) ? (receivedType as string) : FUNCTION_OUTPUT_TYPE
  // A result without a known call reports the change of its id itself.
  const encodeId = callItemType === undefined ? encodeCallId : encodeAnsweredId
  const id = encodeId(result.callId, hints, callIdRule, child(path, 'callId'), context)
  const made = row.write(result, hints, path, context)
  if (made !== undefined) return applyResidue({ type, [row.id]: id, ...made }, result, DIALECT_SLOT)
  context.report('result-form', path)
  const output = outputRow.write(result, {}, path, context)
  return applyResidue({ type: FUNCTION_OUTPUT_TYPE, call_id: id, ...output }, result, DIALECT_SLOT)
}

/** Returns the type of the result item for a call item; their names correspond. */
function getOutputType(callItemType: string | undefined): string | undefined {
  if (callItemType === undefined) return undefined
  return callItemType === 'tool_search_call' ? 'tool_search_output' : `${callItemType}_output`
}
