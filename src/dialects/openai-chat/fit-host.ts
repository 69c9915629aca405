import type { ChatRequest } from '../../canonical/model/request.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import type { ModelFacts } from '../engine/fit-to-model.ts'
import { findViolatedFacts, fitRequestToFacts } from '../engine/model-capabilities.ts'
import { DIALECT_SLOT } from './constants.ts'
import { type ChatFlavor, getFlavor, type ReasoningField } from './flavors.ts'
import type { OpenAIChatHint } from './hints.ts'

/** The request as a host takes it, whatever the model would; what the very host took before, it takes again. */
export function fitRequestToHost(
  request: ChatRequest,
  hints: Hints<OpenAIChatHint>,
  context: EncodeContext,
): ChatRequest {
  const flavor = getFlavor(context.options)
  const { acceptedByHost: host } = hints
  const same = isObject(host) && host['flavor'] === context.options.flavor
  const took = same && Array.isArray(host['facts']) ? (host['facts'] as readonly Json[]) : []
  const fitted = fitRequestToFacts(request, getHostFacts(flavor), context, took)
  return fitToolChoice(fitTemperature(fitted, flavor, context), flavor, context)
}

/** What to remember of a request that came from a host and goes against what is known of it. */
export function createHostHint(request: ChatRequest, { flavor }: DecodeOptions): Hints<OpenAIChatHint> {
  if (flavor === undefined) return {}
  const facts = findViolatedFacts(request, getHostFacts(getFlavor({ flavor })))
  return facts.length === 0 ? {} : { acceptedByHost: { flavor, facts } }
}

function getHostFacts({ refusedSettings, toolChoices }: ChatFlavor): ModelFacts {
  return {
    dialect: DIALECT_SLOT,
    ...(refusedSettings && { refusedSettings }),
    ...(toolChoices === 'auto' && { forcedTools: false }),
  }
}

function fitTemperature(
  request: ChatRequest,
  { maxTemperature = Infinity }: ChatFlavor,
  context: EncodeContext,
): ChatRequest {
  if (request.temperature === undefined || request.temperature <= maxTemperature) return request
  context.report('temperature-range', child(undefined, 'temperature'))
  return { ...request, temperature: maxTemperature }
}

/** Where a choice cannot be said, the tools say it: those that may not be called are not shown. */
function fitToolChoice(
  request: ChatRequest,
  { toolChoices }: ChatFlavor,
  context: EncodeContext,
): ChatRequest {
  const { toolChoice, tools = [], ...others } = request
  if (toolChoices === undefined || toolChoice === undefined || tools.length === 0) return request
  if (toolChoice === 'none' && toolChoices === 'auto') {
    context.report('tools-withheld', child(undefined, 'toolChoice'))
    return others
  }
  if (typeof toolChoice !== 'object' || !('allowed' in toolChoice)) return request
  context.report('tools-withheld', child(undefined, 'toolChoice'))
  const { allowed, mode } = toolChoice
  const shown = tools.filter((tool) => tool.type === 'opaque' || allowed.includes(tool.name))
  return { ...others, tools: shown, toolChoice: mode }
}

const allReasoningFields: readonly ReasoningField[] = ['reasoning_content', 'reasoning', 'reasoning_details']

/** The field of thoughts where each answer must have it, if only an empty one. */
export function getRequiredReasoningField({
  reasoningRequired,
  reasoningFields,
}: ChatFlavor): ReasoningField | undefined {
  return reasoningRequired ? reasoningFields?.[0] : undefined
}

/** A message without the fields that a host refuses: what other hosts said in them stays behind. */
export function omitRefusedFields(
  message: JsonObject,
  { reasoningFields, supportsName, supportsRefusals }: ChatFlavor,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject {
  if (reasoningFields === undefined && supportsName === undefined && supportsRefusals === undefined)
    return message
  const refused: readonly string[] = [
    ...(reasoningFields === undefined
      ? []
      : allReasoningFields.filter((field) => !reasoningFields.includes(field))),
    ...(supportsName === false ? ['name'] : []),
    ...(supportsRefusals === false ? ['refusal'] : []),
  ].filter((key) => Object.hasOwn(message, key))
  if (refused.length === 0) return message
  for (const key of refused) {
    const value = message[key]
    const says = value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)
    if (!says) continue
    if (key === 'name') context.report('speaker-name', child(path, key))
    else context.report('host-field', path)
  }
  return Object.fromEntries(Object.entries(message).filter(([key]) => !refused.includes(key)))
}

/** What the model is made to say where it must speak between results and the user. */
const FILLER_TEXT = 'OK.'

/** The messages of one of ours, after those before it, in the order that a host asks for. */
export function insertFillerTurns(
  before: JsonObject | undefined,
  messages: readonly JsonObject[],
  { turnOrder }: ChatFlavor,
  path: Path | undefined,
  context: EncodeContext,
): readonly JsonObject[] {
  if (turnOrder !== 'strict' || before?.['role'] !== 'tool' || messages[0]?.['role'] !== 'user')
    return messages
  context.report('turn-between', path)
  return [{ role: 'assistant', content: FILLER_TEXT }, ...messages]
}

/** The last message; an answer that the model is to go on with says so where a host asks for it. */
export function markPrefill(
  message: JsonObject,
  { turnOrder }: ChatFlavor,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject {
  if (turnOrder !== 'strict' || message['role'] !== 'assistant' || message['prefix'] === true) return message
  context.report('answer-continued', path)
  return { ...message, prefix: true }
}
