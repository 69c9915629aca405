import type { ToolResultContent, ToolResultPart } from '../../canonical/model/part.ts'
import type { Json, JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { Encoding } from '../encoding.ts'
import { SLOT } from './codes.ts'
import { hintedExtra } from '../unit.ts'

type Wire = { readonly [key: string]: Json }

/** What an item of a kind says about what its call gave, and how it says nothing. */
interface Row {
  read(wire: Wire): Pick<ToolResultPart, 'content' | 'isError'> | undefined
  /** Undefined where the result cannot be said so. */
  write(result: ToolResultPart): JsonObject | undefined
  readonly blank: JsonObject
}

/** Data in the provider's own words. */
function data(key: string, blank: JsonObject): Row {
  return {
    read: (wire) => {
      const value = wire[key]
      if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return undefined
      return { content: [{ type: 'json', value }] }
    },
    write: ({ content: [only, ...others], isError }) =>
      only?.type === 'json' && others.length === 0 && !isError ? { [key]: only.value } : undefined,
    blank,
  }
}

const image: Row = {
  read: ({ result, output_format: format }) => {
    if (typeof result !== 'string' || result === '') return undefined
    const mediaType = `image/${typeof format === 'string' && format !== '' ? format : 'png'}`
    return { content: [{ type: 'image', source: { kind: 'base64', data: result, mediaType } }] }
  },
  write: ({ content: [only, ...others], isError }) => {
    if (only?.type !== 'image' || only.source.kind !== 'base64' || others.length > 0 || isError)
      return undefined
    const [, format = 'png'] = only.source.mediaType.split('/')
    return { result: only.source.data, output_format: format }
  },
  blank: { result: null },
}

const served: Row = {
  read: ({ output, error }) => {
    if (error !== undefined && error !== null) return { content: [said(error)], isError: true }
    return typeof output === 'string' ? { content: [said(output)] } : undefined
  },
  write: ({ content: [only, ...others], isError }) => {
    const value = only?.type === 'text' ? only.text : only?.type === 'json' ? only.value : undefined
    if (value === undefined || others.length > 0) return undefined
    if (isError) return { output: null, error: value }
    return typeof value === 'string' ? { output: value, error: null } : undefined
  },
  blank: { output: null, error: null },
}

function said(value: Json): ToolResultContent {
  return typeof value === 'string' ? { type: 'text', text: value } : { type: 'json', value }
}

const rows: { readonly [type: string]: Row } = {
  file_search_call: data('results', {}),
  code_interpreter_call: data('outputs', { outputs: null }),
  image_generation_call: image,
  mcp_list_tools: data('tools', { tools: [] }),
  mcp_call: served,
}

function rowOf(type: unknown): Row | undefined {
  return typeof type === 'string' && Object.hasOwn(rows, type) ? rows[type] : undefined
}

/** What a call gave, where its item says it. */
export function decodeOutcome(wire: Wire, callId: string): ToolResultPart | undefined {
  const read = rowOf(wire['type'])?.read(wire)
  if (read === undefined) return undefined
  return { type: 'tool-result', callId, ...read, extra: hintedExtra(SLOT, { resultInCallItem: true }) }
}

/** What a call gave, as fields of its item. */
export function encodeOutcome(
  type: string,
  result: ToolResultPart | undefined,
  at: Path | undefined,
  encoding: Encoding,
): JsonObject {
  const row = rowOf(type)
  if (row === undefined) return {}
  if (result === undefined) return row.blank
  if (result.name !== undefined) encoding.lose('result-name', below(at, 'name'))
  const made = row.write(result)
  if (made === undefined) encoding.lose('result-form', at)
  return made ?? row.blank
}
