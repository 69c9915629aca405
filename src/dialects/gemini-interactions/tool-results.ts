import type { ToolResultContent, ToolResultPart } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { applyResidue, attachResidue, getHints, withHints } from '../engine/residue-slots.ts'
import { createToolNameHint, encodeToolName } from '../shared/tool-names.ts'
import { reportUnsupportedFields } from '../shared/unsupported-fields.ts'
import { DIALECT_SLOT, toolNameRule } from './constants.ts'
import type { GeminiInteractionsHints } from './hints.ts'
import { decodeContent, encodeContents, getPlainText } from './parts.ts'
import { decodeUsualResult } from './usual-form-decoder.ts'

/** The type of the step that contains the result of a function. */
export const FUNCTION_RESULT = 'function_result'

/** Decodes a `function_result` step; `isInTurn` is true within a turn of the model, where the part needs a mark. */
export function decodeToolResult(wire: JsonObject, isInTurn = false): ToolResultPart | undefined {
  const usual = isInTurn ? undefined : decodeUsualResult(wire)
  if (usual !== undefined) return usual
  const { call_id: callId, name: wireName, result, is_error: isError } = wire
  if (typeof callId !== 'string' || callId === '' || result === undefined) return undefined
  const name = typeof wireName === 'string' && wireName !== '' ? wireName : undefined
  const { content, hints: formHints } = decodeResultValue(result)
  const part: ToolResultPart = {
    type: 'tool-result',
    callId,
    ...(name !== undefined && { name }),
    content,
    ...(isError === true && { isError }),
  }
  const nameHints = name === undefined ? { missingName: true } : createToolNameHint(name, toolNameRule)
  const hints = { ...formHints, ...nameHints, ...(isInTurn && { wireType: FUNCTION_RESULT }) }
  return attachResidue(part, DIALECT_SLOT, hints, wire, (each, path, context) =>
    encodeToolResult(each, undefined, path, context),
  )
}

/** Decodes the value of a result: text, an object, or a list of content. */
export function decodeResultValue(result: Json): {
  readonly content: readonly ToolResultContent[]
  readonly hints: GeminiInteractionsHints
} {
  if (typeof result === 'string') return { content: [freezeOwned({ type: 'text', text: result })], hints: {} }
  if (isList(result)) return { content: result.map(decodeContent), hints: { contentForm: 'list' } }
  const hints = isObject(result) ? {} : { contentForm: 'data' }
  return { content: [freezeOwned({ type: 'json', value: result })], hints }
}

/** Encodes a `function_result` step; `callName` is the name of the function of its call. */
export function encodeToolResult(
  result: ToolResultPart,
  callName: string | undefined,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject {
  reportUnsupportedFields(result, path, context)
  const hints = getHints(result, DIALECT_SLOT)
  const made = {
    type: FUNCTION_RESULT,
    call_id: result.callId,
    ...encodeResultName(result, callName, hints, path, context),
    result: encodeResultValue(result.content, hints, child(path, 'content'), context),
    ...(result.isError && { is_error: true }),
  }
  return applyResidue(made, result, DIALECT_SLOT)
}

/** Encodes the name, which the API requires although its types do not, unless the result was received without one. */
function encodeResultName(
  { name: resultName }: ToolResultPart,
  callName: string | undefined,
  hints: GeminiInteractionsHints,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject {
  if (resultName === undefined && hints['missingName'] === true) return {}
  const known = resultName ?? callName
  if (known === undefined) context.report('result-named', path)
  return {
    name: encodeToolName(known ?? 'function', hints, toolNameRule, child(path, 'name'), context),
  }
}

/** Encodes the content of a result: as text or as an object if it is one, else as a list of content. */
export function encodeResultValue(
  content: readonly ToolResultContent[],
  hints: GeminiInteractionsHints,
  path: Path | undefined,
  context: EncodeContext,
): Json {
  const [only, ...others] = content
  const isSingle = only !== undefined && others.length === 0
  const form = hints['contentForm']
  if (isSingle && only.type === 'json' && form !== 'list') {
    reportUnsupportedFields(only, child(path, 0), context)
    if (isObject(only.value) || (form === 'data' && !isList(only.value) && typeof only.value !== 'string'))
      return only.value
    // The API reads a list as content.
    context.report('json-as-text', child(path, 0))
    return JSON.stringify(only.value)
  }
  // A tool result may be empty, so empty text is allowed.
  const isEmptyText = isSingle && only.type === 'text' && only.text === ''
  const isMarked = isEmptyText && getHints(only, DIALECT_SLOT)['emptyText'] === true
  const kept = isEmptyText && !isMarked ? [withHints(only, DIALECT_SLOT, { emptyText: true })] : content
  const contents = encodeContents(kept, path, context)
  if (form === 'list') return contents
  return contents.length === 0 ? '' : (getPlainText(contents) ?? contents)
}
