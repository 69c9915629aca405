import type { ChatRequest } from '../../canonical/model/request.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { DecodeOptions } from '../dialect.ts'
import type { Encoding } from '../encoding.ts'
import type { Facts } from '../model-fits.ts'
import { brokenFacts, fitFacts } from '../models.ts'
import { SLOT } from './codes.ts'
import { type ChatFlavor, flavorOf, type ThoughtField } from './flavors.ts'
import type { OpenAIChatHint } from './hints.ts'

/** The request as a host takes it, whatever the model would; what the very host took before, it takes again. */
export function fitHost(request: ChatRequest, hints: Hints<OpenAIChatHint>, encoding: Encoding): ChatRequest {
  const flavor = flavorOf(encoding.options)
  const { acceptedByHost: host } = hints
  const same = isObject(host) && host['flavor'] === encoding.options.flavor
  const took = same && Array.isArray(host['facts']) ? (host['facts'] as readonly Json[]) : []
  const fitted = fitFacts(request, factsOf(flavor), encoding, took)
  return fitChoice(fitHeat(fitted, flavor, encoding), flavor, encoding)
}

/** What to remember of a request that came from a host and goes against what is known of it. */
export function hostHint(request: ChatRequest, { flavor }: DecodeOptions): Hints<OpenAIChatHint> {
  if (flavor === undefined) return {}
  const facts = brokenFacts(request, factsOf(flavorOf({ flavor })))
  return facts.length === 0 ? {} : { acceptedByHost: { flavor, facts } }
}

function factsOf({ refuses, choices }: ChatFlavor): Facts {
  return { dialect: SLOT, ...(refuses && { refuses }), ...(choices === 'auto' && { forcedTools: false }) }
}

function fitHeat(request: ChatRequest, { hottest = Infinity }: ChatFlavor, encoding: Encoding): ChatRequest {
  if (request.temperature === undefined || request.temperature <= hottest) return request
  encoding.lose('temperature-range', below(undefined, 'temperature'))
  return { ...request, temperature: hottest }
}

/** Where a choice cannot be said, the tools say it: those that may not be called are not shown. */
function fitChoice(request: ChatRequest, { choices }: ChatFlavor, encoding: Encoding): ChatRequest {
  const { toolChoice, tools = [], ...others } = request
  if (choices === undefined || toolChoice === undefined || tools.length === 0) return request
  if (toolChoice === 'none' && choices === 'auto') {
    encoding.lose('tools-withheld', below(undefined, 'toolChoice'))
    return others
  }
  if (typeof toolChoice !== 'object' || !('allowed' in toolChoice)) return request
  encoding.lose('tools-withheld', below(undefined, 'toolChoice'))
  const { allowed, mode } = toolChoice
  const shown = tools.filter((tool) => tool.type === 'opaque' || allowed.includes(tool.name))
  return { ...others, tools: shown, toolChoice: mode }
}

const thoughtFields: readonly ThoughtField[] = ['reasoning_content', 'reasoning', 'reasoning_details']

/** The field of thoughts where each answer must have it, if only an empty one. */
export function thoughtOfAll({ everyThought, thoughts }: ChatFlavor): ThoughtField | undefined {
  return everyThought ? thoughts?.[0] : undefined
}

/** A message without the fields that a host refuses: what other hosts said in them stays behind. */
export function withoutRefused(
  message: JsonObject,
  { thoughts, speakers, refusals }: ChatFlavor,
  at: Path | undefined,
  encoding: Encoding,
): JsonObject {
  if (thoughts === undefined && speakers === undefined && refusals === undefined) return message
  const refused: readonly string[] = [
    ...(thoughts === undefined ? [] : thoughtFields.filter((field) => !thoughts.includes(field))),
    ...(speakers === false ? ['name'] : []),
    ...(refusals === false ? ['refusal'] : []),
  ].filter((key) => Object.hasOwn(message, key))
  if (refused.length === 0) return message
  for (const key of refused) {
    const value = message[key]
    const says = value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)
    if (!says) continue
    if (key === 'name') encoding.lose('speaker-name', below(at, key))
    else encoding.lose('host-field', at)
  }
  return Object.fromEntries(Object.entries(message).filter(([key]) => !refused.includes(key)))
}

/** What the model is made to say where it must speak between results and the user. */
const BETWEEN = 'OK.'

/** The messages of one of ours, after those before it, in the order that a host asks for. */
export function inTurn(
  before: JsonObject | undefined,
  messages: readonly JsonObject[],
  { turns }: ChatFlavor,
  at: Path | undefined,
  encoding: Encoding,
): readonly JsonObject[] {
  if (turns !== 'strict' || before?.['role'] !== 'tool' || messages[0]?.['role'] !== 'user') return messages
  encoding.lose('turn-between', at)
  return [{ role: 'assistant', content: BETWEEN }, ...messages]
}

/** The last message; an answer that the model is to go on with says so where a host asks for it. */
export function atEnd(
  message: JsonObject,
  { turns }: ChatFlavor,
  at: Path | undefined,
  encoding: Encoding,
): JsonObject {
  if (turns !== 'strict' || message['role'] !== 'assistant' || message['prefix'] === true) return message
  encoding.lose('answer-continued', at)
  return { ...message, prefix: true }
}
