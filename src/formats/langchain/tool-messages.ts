import { text } from '../../canonical/build/parts.ts'
import type { ToolResultContent, ToolResultPart } from '../../canonical/model/part.ts'
import { checkAndFreezePart } from '../../canonical/shape/part.ts'
import { throwMissing } from '../../canonical/shape/shape.ts'
import { applyResidue, attachResidue, getHints } from '../../dialects/engine/residue-slots.ts'
import type { Json, JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { type FormatReporter, silentReporter } from '../engine/format-loss-reporter.ts'
import { readBlock, writeBlock } from './blocks.ts'
import { toFunctionId } from './calls.ts'
import { LANGCHAIN_SLOT } from './constants.ts'
import { wrapMessage, type UnwrappedMessage } from './wrap-message.ts'

/** Reads a tool message, or a function message of the time before tool calls, as a result with its residue. */
export function readToolMessage(
  { form, type, data, path }: UnwrappedMessage,
  wire: JsonObject,
): ToolResultPart {
  const { tool_call_id: callId, name, status, content } = data
  const isFunction = type === 'function'
  if (!isFunction && typeof callId !== 'string')
    return throwMissing(child(path, 'tool_call_id'), 'the id of the call')
  const result: ToolResultPart = {
    type: 'tool-result',
    callId: isFunction ? toFunctionId(name) : (callId as string),
    ...(typeof name === 'string' && { name }),
    content: readContent(content, child(path, 'content')),
    ...(status === 'error' && { isError: true as const }),
  }
  const hints = {
    form,
    ...(Array.isArray(content) && { blocks: true }),
    ...(isFunction && { isFunction }),
  }
  return attachResidue(checkAndFreezePart(result, path), LANGCHAIN_SLOT, hints, wire, (unit) =>
    writeToolMessage(unit, undefined, undefined, silentReporter),
  )
}

function readContent(content: Json | undefined, path: Path): readonly ToolResultContent[] {
  if (Array.isArray(content))
    return content.map(
      (block: Json, index) => readBlock(block, child(path, index), false) as ToolResultContent,
    )
  return typeof content === 'string' && content !== '' ? [text(content)] : []
}

/** Writes a result as a tool message. A result that was not read from LangChain has the given id of its message. */
export function writeToolMessage(
  result: ToolResultPart,
  id: string | undefined,
  path: Path | undefined,
  report: FormatReporter,
): JsonObject {
  const { form, isFunction } = getHints(result, LANGCHAIN_SLOT)
  const isRead = result.extra !== undefined && Object.hasOwn(result.extra, LANGCHAIN_SLOT)
  if (result.signature !== undefined) report.add('signature-dropped', child(path, 'signature'))
  if (result.cache !== undefined) report.add('cache-hint', child(path, 'cache'))
  const data = {
    content: writeContent(result, path, report),
    additional_kwargs: {},
    response_metadata: {},
    ...(isFunction !== true && { tool_call_id: result.callId }),
    ...(result.name !== undefined && { name: result.name }),
    ...(result.isError && { status: 'error' }),
    ...(id !== undefined && !isRead && { id }),
  }
  const type = isFunction === true ? 'function' : 'tool'
  return applyResidue(wrapMessage(form, type, data), result, LANGCHAIN_SLOT)
}

/** Writes the content of a result: one text as it is, other content as blocks. */
function writeContent(result: ToolResultPart, path: Path | undefined, report: FormatReporter): Json {
  const blocks = result.content.flatMap((part, index): readonly JsonObject[] => {
    const at = child(child(path, 'content'), index)
    if (part.type === 'json') report.add('json-as-text', at)
    const block = writeBlock(part, at, report)
    return block === undefined ? [] : [block]
  })
  if (getHints(result, LANGCHAIN_SLOT).blocks === true) return blocks
  if (blocks.length === 0) return ''
  const [only] = blocks
  return isSinglePlainText(blocks) ? (only?.['text'] as string) : blocks
}

/** Returns true for one text without further fields, which is written as a text. */
export function isSinglePlainText(blocks: readonly JsonObject[]): boolean {
  const [only] = blocks
  return (
    blocks.length === 1 &&
    only !== undefined &&
    only['type'] === 'text' &&
    typeof only['text'] === 'string' &&
    only['text'] !== '' &&
    Object.keys(only).length === 2
  )
}
