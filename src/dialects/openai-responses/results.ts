import type { ToolResultContent, ToolResultPart } from '../../canonical/model/part.ts'
import { urlSource } from '../../canonical/build/media.ts'
import { textOf } from '../../canonical/read/text.ts'
import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import { type Encoding, silent } from '../encoding.ts'
import { idHint, writeId } from '../shared/ids.ts'
import { applyResidue, hintsFor, keep, withHints } from '../unit.ts'
import { reportBare } from '../shared/bare.ts'
import { idRule, MAKER, SLOT } from './codes.ts'
import { decodePart, encodeParts, plainText } from './parts.ts'
import type { OpenAIResponsesHint } from './hints.ts'

type Wire = { readonly [key: string]: Json }
type Said = Pick<ToolResultPart, 'content' | 'isError'> & { readonly hints?: Hints<OpenAIResponsesHint> }

/** An item that answers a call. */
interface Row {
  /** The key that names the call. */
  readonly id: 'id' | 'call_id'
  read(wire: Wire): Said | undefined
  /** Undefined where the result cannot be said so. */
  write(
    result: ToolResultPart,
    hints: Hints<OpenAIResponsesHint>,
    at: Path | undefined,
    encoding: Encoding,
  ): JsonObject | undefined
}

/** Answers to functions and custom tools: text, or parts. */
const spoken: Row = {
  id: 'call_id',
  read: ({ output }) => {
    if (typeof output === 'string') return { content: [{ type: 'text', text: output }] }
    if (!isList(output)) return undefined
    const content = output.map((part) => decodePart(part, 'result') as ToolResultContent)
    return { content, hints: { contentForm: 'parts' } }
  },
  write: ({ content, isError }, hints, at, encoding) => {
    const [only] = content
    // Results may be empty, so their text may be, too.
    const empty = content.length === 1 && only?.type === 'text' && only.text === ''
    const kept =
      empty && hintsFor(only, SLOT)['emptyText'] !== true
        ? [withHints(only, SLOT, { emptyText: true })]
        : content
    const parts = encodeParts(kept, below(at, 'content'), encoding)
    const text = hints['contentForm'] === 'parts' ? undefined : parts.length === 0 ? '' : plainText(parts)
    if (!isError) return { output: text ?? parts }
    encoding.lose('error-as-text', at)
    if (text !== undefined) return { output: JSON.stringify({ error: text }) }
    return { output: [{ type: 'input_text', text: 'The call failed:' }, ...parts] }
  },
}

const screenshot: Row = {
  id: 'call_id',
  read: ({ output }) => {
    if (!isObject(output) || output['type'] !== 'computer_screenshot') return undefined
    const { image_url: url, file_id: id } = output
    if (typeof url === 'string') return { content: [{ type: 'image', source: urlSource(url) }] }
    if (typeof id !== 'string' || id === '') return undefined
    return { content: [{ type: 'image', source: { kind: 'id', id, provider: MAKER } }] }
  },
  write: ({ content, isError }) => {
    const [only, ...others] = encodeParts(content, undefined, silent)
    if (only?.['type'] !== 'input_image' || others.length > 0 || isError) return undefined
    const { image_url: url, file_id: id } = only
    const from = url === undefined ? { file_id: id as Json } : { image_url: url }
    return { output: { type: 'computer_screenshot', ...from } }
  },
}

/** Text under a key. */
function worded(id: Row['id'], key: string): Row {
  return {
    id,
    read: (wire) =>
      typeof wire[key] === 'string' ? { content: [{ type: 'text', text: wire[key] }] } : undefined,
    write: (result, _hints, at, encoding) => {
      const text = wordsOf(result)
      if (text === undefined || !result.isError) return text === undefined ? undefined : { [key]: text }
      encoding.lose('error-as-text', at)
      return { [key]: JSON.stringify({ error: text }) }
    },
  }
}

/** Data under a key; words of an application are what its shell printed. */
function listed(key: string, fromWords?: (text: string, failed: boolean) => Json): Row {
  return {
    id: 'call_id',
    read: (wire) =>
      Array.isArray(wire[key]) ? { content: [{ type: 'json', value: wire[key] as Json }] } : undefined,
    write: (result) => {
      const [only, ...others] = result.content
      if (only?.type === 'json' && Array.isArray(only.value) && others.length === 0 && !result.isError)
        return { [key]: only.value }
      const text = fromWords === undefined ? undefined : wordsOf(result)
      return text === undefined ? undefined : { [key]: fromWords?.(text, result.isError === true) ?? [] }
    },
  }
}

const patched: Row = {
  id: 'call_id',
  read: ({ status, output }) => {
    if (status !== 'completed' && status !== 'failed') return undefined
    return {
      content: typeof output === 'string' ? [{ type: 'text', text: output }] : [],
      ...(status === 'failed' && { isError: true }),
    }
  },
  write: (result) => {
    const text = result.content.length === 0 ? null : wordsOf(result)
    if (text === undefined) return undefined
    return { status: result.isError ? 'failed' : 'completed', ...(text !== null && { output: text }) }
  },
}

/** The text of a result that is text alone. */
function wordsOf({ content }: ToolResultPart): string | undefined {
  return content.every((part) => part.type === 'text')
    ? content.map((part) => textOf(part)).join('\n')
    : undefined
}

const FUNCTION = 'function_call_output'

const rows: { readonly [type: string]: Row } = {
  [FUNCTION]: spoken,
  custom_tool_call_output: spoken,
  computer_call_output: screenshot,
  local_shell_call_output: worded('id', 'output'),
  shell_call_output: listed('output', (stdout, failed) => [
    { stdout, stderr: '', outcome: { type: 'exit', exit_code: failed ? 1 : 0 } },
  ]),
  apply_patch_call_output: patched,
  tool_search_output: listed('tools'),
  program_output: worded('call_id', 'result'),
}

/** Reads an item that answers a call; undefined when it is none that we can take apart. */
export function decodeResult(wire: Wire): ToolResultPart | undefined {
  const { type } = wire
  const row = typeof type === 'string' && Object.hasOwn(rows, type) ? rows[type] : undefined
  const callId = row && wire[row.id]
  const read = row?.read(wire)
  if (typeof callId !== 'string' || callId === '' || read === undefined) return undefined
  const { hints: forms, ...said } = read
  const result: ToolResultPart = { type: 'tool-result', callId, ...said }
  const hints = { wireType: type as string, ...forms, ...idHint(callId, idRule) }
  return keep(result, SLOT, SLOT, hints, wire, (part) => encodeResult(part, undefined, undefined, silent))
}

/** Whether a result came as an item of its own. */
export function isItem(result: ToolResultPart): boolean {
  return hintsFor(result, SLOT)['wireType'] !== undefined
}

/** Writes a result as an item: of the kind that it came in, else of that which answers its kind of call. */
export function encodeResult(
  result: ToolResultPart,
  callKind: string | undefined,
  at: Path | undefined,
  encoding: Encoding,
): JsonObject {
  if (result.name !== undefined) encoding.lose('result-name', below(at, 'name'))
  reportBare(result, at, encoding)
  const hints = hintsFor(result, SLOT)
  const came = hints['wireType'] ?? outputOf(callKind)
  const type = typeof came === 'string' && Object.hasOwn(rows, came) ? came : FUNCTION
  const row = rows[type] ?? spoken
  const id = writeId(result.callId, hints, idRule, below(at, 'callId'), encoding)
  const made = row.write(result, hints, at, encoding)
  if (made === undefined) encoding.lose('result-form', at)
  const item =
    made === undefined
      ? { type: FUNCTION, call_id: id, ...spoken.write(result, {}, at, encoding) }
      : { type, [row.id]: id, ...made }
  return applyResidue(item, result, SLOT)
}

/** The item that answers a call: they are named alike. */
function outputOf(callKind: string | undefined): string | undefined {
  if (callKind === undefined) return undefined
  return callKind === 'tool_search_call' ? 'tool_search_output' : `${callKind}_output`
}
