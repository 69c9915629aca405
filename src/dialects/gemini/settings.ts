import type { ChatRequest, OutputFormat, ReasoningSettings } from '../../canonical/model/request.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below } from '../../wire/pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { Encoding } from '../encoding.ts'
import { decodeRows, encodeRows, is, type Row } from '../shared/rows.ts'
import { outputHint, writeSchema } from '../shared/schemas.ts'
import { efforts, SLOT } from './codes.ts'
import { isBeforeThree } from './models.ts'
import { fitFor, isStyle, lowered, raised, styleOf } from './schema.ts'
import { camel, type Wire } from './spelling.ts'
import type { GeminiHint } from './hints.ts'
import { hintsIn } from '../unit.ts'

const rows: readonly Row<
  | 'temperature'
  | 'topP'
  | 'topK'
  | 'maxOutputTokens'
  | 'stop'
  | 'candidateCount'
  | 'seed'
  | 'presencePenalty'
  | 'frequencyPenalty'
>[] = [
  ['temperature', 'temperature', is.number],
  ['topP', 'topP', is.number],
  ['topK', 'topK', is.number],
  ['maxOutputTokens', 'maxOutputTokens', is.integer],
  ['stopSequences', 'stop', is.strings],
  ['candidateCount', 'candidateCount', is.integer],
  ['seed', 'seed', is.integer],
  ['presencePenalty', 'presencePenalty', is.number],
  ['frequencyPenalty', 'frequencyPenalty', is.number],
]

/** Settings of ours that this format has no field for. */
export const missing = ['parallelToolCalls', 'user', 'metadata'] as const

const JSON_TYPE = 'application/json'

/** Budgets with a meaning of their own: not to think, and as much as the model wants. */
const OFF = 0
const DYNAMIC = -1

/** Reads the settings of a request, and the forms to remember. */
export function readSettings(wire: Json | undefined): {
  readonly settings: Partial<ChatRequest>
  readonly hints: Hints<GeminiHint>
} {
  if (!isObject(wire)) return { settings: {}, hints: {} }
  const config = camel(wire)
  const { responseLogprobs, logprobs, thinkingConfig } = config
  const measured =
    responseLogprobs === true
      ? { logprobs: Number.isSafeInteger(logprobs) ? { top: logprobs as number } : {} }
      : {}
  const output = readOutput(config)
  const reasoning = isObject(thinkingConfig) ? readThinking(camel(thinkingConfig)) : {}
  const both = reasoning.effort !== undefined && (reasoning.enabled ?? reasoning.budgetTokens) !== undefined
  return {
    settings: {
      ...decodeRows(config, rows),
      ...measured,
      ...output.settings,
      ...(Object.keys(reasoning).length > 0 && { reasoning }),
    },
    hints: hintsIn(SLOT, {
      ...output.hints,
      ...(reasoning.effort !== undefined && { hasThinkingLevel: true }),
      ...(both && { hasLevelAndBudget: true }),
    }),
  }
}

/** Writes the settings of a request. */
export function writeSettings(
  request: ChatRequest,
  hints: Hints<GeminiHint>,
  encoding: Encoding,
): JsonObject {
  const { logprobs, output, reasoning } = request
  const thinking = writeThinking(reasoning ?? {}, hints, encoding)
  return {
    ...encodeRows(request, rows),
    ...(logprobs !== undefined && {
      responseLogprobs: true,
      ...(logprobs.top !== undefined && { logprobs: logprobs.top }),
    }),
    ...(output !== undefined && writeOutput(output, hints, encoding)),
    ...(Object.keys(thinking).length > 0 && { thinkingConfig: thinking }),
  }
}

function readOutput({ responseMimeType: mime, responseSchema: own, responseJsonSchema: schema }: Wire): {
  readonly settings: Pick<ChatRequest, 'output'>
  readonly hints: Hints<GeminiHint>
} {
  if (mime === 'text/plain') return { settings: { output: { type: 'text' } }, hints: {} }
  if (mime !== JSON_TYPE) return { settings: {}, hints: {} }
  if (!isObject(schema) && !isObject(own)) return { settings: { output: { type: 'json' } }, hints: {} }
  const types = isObject(schema) || !isObject(own) ? undefined : styleOf(own)
  const output = { type: 'json', schema: isObject(schema) ? schema : lowered(own as Wire) } as const
  const hints = hintsIn(SLOT, {
    ...(types !== undefined && { schemaTypeStyle: types }),
    ...outputHint(output, fitFor(types)),
  })
  return { settings: { output }, hints }
}

function writeOutput(output: OutputFormat, hints: Hints<GeminiHint>, encoding: Encoding): JsonObject {
  const at = below(undefined, 'output')
  for (const key of ['name', 'strict'] as const) {
    if (output[key] !== undefined) encoding.lose('output-name', below(at, key))
  }
  const { schema: asked } = output
  if (output.type === 'text') {
    if (asked !== undefined) encoding.lose('no-field', below(at, 'schema'))
    return { responseMimeType: 'text/plain' }
  }
  if (asked === undefined) return { responseMimeType: JSON_TYPE }
  const { schemaTypeStyle: types } = hints
  const place = { at, key: 'schema' } as const
  const { schema } = writeSchema({ schema: asked }, fitFor(types), hints, place, encoding)
  return isStyle(types)
    ? { responseMimeType: JSON_TYPE, responseSchema: raised(schema, types) }
    : { responseMimeType: JSON_TYPE, responseJsonSchema: schema }
}

function readThinking({
  thinkingBudget: budget,
  thinkingLevel,
  includeThoughts: include,
}: Wire): ReasoningSettings {
  const effort = efforts.fromWire(thinkingLevel)
  return {
    ...(budget === OFF && { enabled: false }),
    ...(budget === DYNAMIC && { enabled: true }),
    ...(typeof budget === 'number' && Number.isSafeInteger(budget) && budget > 0 && { budgetTokens: budget }),
    ...(effort !== undefined && { effort }),
    ...(typeof include === 'boolean' && { include }),
  }
}

/** How much to think: an effort or a budget, and no effort at all means not to. */
function writeThinking(
  reasoning: ReasoningSettings,
  hints: Hints<GeminiHint>,
  encoding: Encoding,
): JsonObject {
  const { enabled, effort, budgetTokens, include, summary } = reasoning
  const at = below(undefined, 'reasoning')
  // Budgets of none and below mean something else here.
  if (budgetTokens !== undefined && budgetTokens <= OFF) {
    encoding.lose('effort-approximated', below(at, 'budgetTokens'))
    const { budgetTokens: _none, ...rest } = reasoning
    return writeThinking({ enabled: false, ...rest }, hints, encoding)
  }
  const shown = include === undefined ? {} : { includeThoughts: include }
  if (summary !== undefined) encoding.lose('no-field', below(at, 'summary'))
  if (enabled === false || (effort === 'none' && enabled === undefined)) {
    const level =
      hints['hasLevelAndBudget'] === true && effort !== undefined ? efforts.toWire(effort) : undefined
    if (level !== undefined && budgetTokens === undefined)
      return { thinkingBudget: OFF, thinkingLevel: level, ...shown }
    if (effort !== undefined) encoding.lose('effort-approximated', below(at, 'effort'))
    if (budgetTokens !== undefined) encoding.lose('no-field', below(at, 'budgetTokens'))
    return { thinkingBudget: OFF, ...shown }
  }
  const isKnown = hints['hasThinkingLevel'] === true || !isBeforeThree(encoding.options.model)
  const level = effort === undefined || effort === 'none' || !isKnown ? undefined : efforts.toWire(effort)
  if (effort !== undefined && !isKnown) encoding.lose('no-field', below(at, 'effort'))
  else if (effort !== undefined && (level === undefined || efforts.fromWire(level) !== effort))
    encoding.lose('effort-approximated', below(at, 'effort'))
  const budgets = level === undefined || hints['hasLevelAndBudget'] === true
  if (budgetTokens !== undefined && !budgets) encoding.lose('no-field', below(at, 'budgetTokens'))
  const budget = budgets
    ? (budgetTokens ??
      (enabled && (level === undefined || hints['hasLevelAndBudget'] === true) ? DYNAMIC : undefined))
    : undefined
  if (enabled && budget !== DYNAMIC) encoding.lose('thinking-implied', below(at, 'enabled'))
  return {
    ...(level !== undefined && { thinkingLevel: level }),
    ...(budget !== undefined && { thinkingBudget: budget }),
    ...shown,
  }
}
