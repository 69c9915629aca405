import type { ToolResultContent, ToolResultPart } from '../../canonical/model/part.ts'
import type { JsonObject } from '../../wire/json.ts'
import type { Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import type { HostedPairConverter } from '../engine/convert-hosted-answers.ts'
import { normalizeHostedPair } from '../shared/normalize-hosted-pair.ts'
import { DIALECT_SLOT } from './constants.ts'
import { createHintExtra } from '../engine/residue-slots.ts'

/** The codec of the result that an item type contains. */
interface ProviderResultRow {
  read(wire: JsonObject): Pick<ToolResultPart, 'content' | 'isError'> | undefined
  /** Encodes the only part of a result; returns undefined if the item type has no form for it. */
  write(part: ToolResultContent, isError: boolean): JsonObject | undefined
  readonly emptyFields: JsonObject
}

/** Creates the row of an item type whose result is data under a key. */
function createDataRow(key: string, emptyFields: JsonObject): ProviderResultRow {
  return {
    read: (wire) => {
      const value = wire[key]
      if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return undefined
      return { content: [{ type: 'json', value }] }
    },
    write: (part, isError) => (part.type === 'json' && !isError ? { [key]: part.value } : undefined),
    emptyFields,
  }
}

const imageRow: ProviderResultRow = {
  read: ({ result, output_format: format }) => {
    if (typeof result !== 'string' || result === '') return undefined
    const mediaType = `image/${typeof format === 'string' && format !== '' ? format : 'png'}`
    return { content: [{ type: 'image', source: { kind: 'base64', data: result, mediaType } }] }
  },
  write: (part, isError) => {
    if (part.type !== 'image' || part.source.kind !== 'base64' || isError) return undefined
    const [, format = 'png'] = part.source.mediaType.split('/')
    return { result: part.source.data, output_format: format }
  },
  emptyFields: { result: null },
}

const mcpRow: ProviderResultRow = {
  read: ({ output, error }) => {
    if (typeof error === 'string') return { content: [{ type: 'text', text: error }], isError: true }
    if (error !== undefined && error !== null)
      return { content: [{ type: 'json', value: error }], isError: true }
    return typeof output === 'string' ? { content: [{ type: 'text', text: output }] } : undefined
  },
  write: (part, isError) => {
    const value = part.type === 'text' ? part.text : part.type === 'json' ? part.value : undefined
    if (value === undefined) return undefined
    if (isError) return { output: null, error: value }
    return typeof value === 'string' ? { output: value, error: null } : undefined
  },
  emptyFields: { output: null, error: null },
}

const providerResultRows: ReadonlyMap<unknown, ProviderResultRow> = new Map([
  ['file_search_call', createDataRow('results', {})],
  ['code_interpreter_call', createDataRow('outputs', { outputs: null })],
  ['image_generation_call', imageRow],
  ['mcp_list_tools', createDataRow('tools', { tools: [] })],
  ['mcp_call', mcpRow],
])

/** Decodes the result of a call if its item contains one. */
export function decodeProviderResult(wire: JsonObject, callId: string): ToolResultPart | undefined {
  const decoded = providerResultRows.get(wire['type'])?.read(wire)
  const extra = createHintExtra(DIALECT_SLOT, { resultInCallItem: true })
  return decoded && { type: 'tool-result', callId, ...decoded, extra }
}

/** Encodes the result of a call as fields of its item. */
export function encodeProviderResult(
  type: string,
  result: ToolResultPart | undefined,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject {
  const row = providerResultRows.get(type)
  if (row === undefined) return {}
  if (result === undefined) return row.emptyFields
  if (result.name !== undefined) context.report('result-name', path)
  const [only, ...others] = result.content
  const made = only && others.length === 0 ? row.write(only, result.isError === true) : undefined
  if (made === undefined) context.report('result-form', path)
  return made ?? row.emptyFields
}

/** Converts code that another provider ran, or its web search, to the items of this dialect, for answers to clients. */
export const convertHostedPair: HostedPairConverter = (call, result) => {
  const use = normalizeHostedPair(call, result)
  if (use === undefined) return undefined
  const isCode = use.tool === 'code_execution'
  const hints = { wireType: isCode ? 'code_interpreter_call' : 'web_search_call' }
  const { [DIALECT_SLOT]: residue = {} } = createHintExtra(DIALECT_SLOT, hints)
  const logs = isCode ? [{ type: 'logs', logs: `${use.output}${use.error}` }] : []
  return [
    {
      type: 'tool-call',
      id: call.id,
      name: isCode ? 'code_interpreter' : 'web_search',
      arguments: isCode
        ? { code: use.code }
        : { type: 'search', query: use.query, sources: use.sources.map(({ url }) => ({ type: 'url', url })) },
      executedBy: 'provider',
      // Clients expect the container in which the code ran.
      extra: { [DIALECT_SLOT]: isCode ? { container_id: '', ...residue } : residue },
    },
    {
      type: 'tool-result',
      callId: call.id,
      // The sources of a search are a field of its call.
      content: isCode ? [{ type: 'json', value: logs }] : [],
      extra: createHintExtra(DIALECT_SLOT, { resultInCallItem: true }),
    },
  ]
}
