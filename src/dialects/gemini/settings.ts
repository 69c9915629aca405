import type { ChatRequest, OutputFormat, ReasoningSettings } from '../../canonical/model/request.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below } from '../../wire/pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { Encoding } from '../encoding.ts'
import {
  decodeRows,
  direct,
  encodeRows,
  handled,
  is,
  reportUnsupported,
  type SettingTables,
  unsupported,
} from '../shared/rows.ts'
import { outputHint, writeSchema } from '../shared/schemas.ts'
import { efforts, SLOT } from './codes.ts'
import { isBeforeThree } from './models.ts'
import { fitFor, isStyle, lowered, raised, styleOf } from './schema.ts'
import { camel, type Wire } from './spelling.ts'
import type { GeminiHint } from './hints.ts'
import { hintsIn } from '../unit.ts'

const CONFIG = { parent: 'generationConfig' } as const

/** What the format does with each setting. */
export const settings: SettingTables = {
  request: {
    temperature: direct('temperature', is.number, CONFIG),
    topP: direct('topP', is.number, CONFIG),
    topK: direct('topK', is.number, CONFIG),
    maxOutputTokens: direct('maxOutputTokens', is.integer, CONFIG),
    stop: direct('stopSequences', is.strings, CONFIG),
    candidateCount: direct('candidateCount', is.integer, CONFIG),
    seed: direct('seed', is.integer, CONFIG),
    presencePenalty: direct('presencePenalty', is.number, CONFIG),
    frequencyPenalty: direct('frequencyPenalty', is.number, CONFIG),
    model: handled([], 'in the path of the URL'),
    stream: handled([], 'in the path of the URL'),
    messages: handled(['contents', 'systemInstruction']),
    tools: handled(['tools']),
    toolChoice: handled(['toolConfig.functionCallingConfig']),
    output: handled(['generationConfig.responseMimeType', 'generationConfig.responseJsonSchema']),
    reasoning: handled(['generationConfig.thinkingConfig']),
    logprobs: handled(['generationConfig.responseLogprobs']),
    parallelToolCalls: unsupported(),
    user: unsupported(),
    metadata: unsupported(),
    extra: handled([], 'fields that came from this format are sent back'),
  },
  reasoning: {
    enabled: handled(['generationConfig.thinkingConfig.thinkingBudget'], '`false` is 0, `true` is -1'),
    effort: handled(['generationConfig.thinkingConfig.thinkingLevel'], 'from Gemini 3 on'),
    budgetTokens: handled(['generationConfig.thinkingConfig.thinkingBudget'], 'not together with an effort'),
    include: handled(['generationConfig.thinkingConfig.includeThoughts']),
    summary: unsupported(),
  },
  output: {
    type: handled(['generationConfig.responseMimeType']),
    schema: handled(['generationConfig.responseJsonSchema'], '`responseSchema` if it came there'),
    name: unsupported('output-name'),
    strict: unsupported('output-name'),
  },
  logprobs: { top: handled(['generationConfig.logprobs']) },
  toolChoice: {
    auto: handled(['toolConfig.functionCallingConfig.mode'], '`AUTO`'),
    none: handled(['toolConfig.functionCallingConfig.mode'], '`NONE`'),
    required: handled(['toolConfig.functionCallingConfig.mode'], '`ANY`'),
    name: handled(['toolConfig.functionCallingConfig.allowedFunctionNames']),
    allowed: handled(['toolConfig.functionCallingConfig.allowedFunctionNames']),
    mode: handled(['toolConfig.functionCallingConfig.mode'], '`VALIDATED` or `ANY`'),
  },
}

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
      ...decodeRows(config, settings.request),
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
    ...encodeRows(request, settings.request),
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
  reportUnsupported(output, settings.output, at, encoding)
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
  const { enabled, effort, budgetTokens, include } = reasoning
  const at = below(undefined, 'reasoning')
  // Budgets of none and below mean something else here.
  if (budgetTokens !== undefined && budgetTokens <= OFF) {
    encoding.lose('effort-approximated', below(at, 'budgetTokens'))
    const { budgetTokens: _none, ...rest } = reasoning
    return writeThinking({ enabled: false, ...rest }, hints, encoding)
  }
  const shown = include === undefined ? {} : { includeThoughts: include }
  reportUnsupported(reasoning, settings.reasoning, at, encoding)
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
