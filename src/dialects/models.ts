import type { ChatRequest, Effort } from '../canonical/model/request.ts'
import { digestText } from '../wire/digest.ts'
import { isObject } from '../wire/json.ts'
import type { Hints } from '../wire/residue.ts'
import type { Encoding } from './encoding.ts'
import type { EngineHint } from './hints.ts'
import { type Facts, fits } from './model-fits.ts'

/** Settings that some models, or their hosts, refuse. */
export type Setting =
  | 'temperature'
  | 'topP'
  | 'topK'
  | 'stop'
  | 'seed'
  | 'presencePenalty'
  | 'frequencyPenalty'
  | 'logprobs'
  | 'candidateCount'
  | 'parallelToolCalls'
  | 'metadata'
  | 'user'

/**
 * Facts about a model that decide what it may be sent. What is not said is allowed.
 *
 * @example
 * dialects.anthropic.encodeRequest(request, { capabilities: { prefill: false } })
 */
export interface Capabilities {
  /** Settings that it refuses. */
  readonly refuses?: readonly Setting[]
  /** Settings that it refuses while it thinks. */
  readonly refusesThinking?: readonly Setting[]
  /** When it thinks: unless it is told not to (the default), where an effort is asked for, or where it is switched on. */
  readonly thinks?: 'unless-off' | 'by-effort' | 'when-on'
  /** Whether it goes on with an answer that ends the conversation; some do only while they do not think. */
  readonly prefill?: boolean | 'without-thinking'
  /** Whether it can be made to call a tool; some can only while they do not think within a budget. */
  readonly forcedTools?: boolean | 'without-budget'
  /** How it can be asked to think: as it sees fit, within a budget, or not at all. */
  readonly thinking?: readonly ('adaptive' | 'budget' | 'off')[]
  /** The least budget for thinking; a budget is part of what may be said at most. */
  readonly leastBudget?: number
  /** The maker whose thoughts must begin the answer that waits for results, where the model thinks within a budget. */
  readonly thoughtsOf?: string
  /** The efforts that it knows, from the least to the most. */
  readonly efforts?: readonly Effort[]
}

/** Facts by the names of models; the first row that fits a name counts. */
export type ModelFamilies = readonly (readonly [name: RegExp, facts: Capabilities])[]

/** The request as its model takes it. What came although the model is said to refuse it stays as long as the model does. */
export function fitRequest(
  request: ChatRequest,
  dialect: string,
  families: ModelFamilies,
  hints: Hints<EngineHint>,
  encoding: Encoding,
): ChatRequest {
  const model = encoding.options.model ?? request.model
  const facts = { ...factsOf(families, model), ...encoding.options.capabilities, dialect }
  return fitFacts(request, facts, encoding, tookFacts(hints, model))
}

/** The request as facts allow it, save for those that came broken. */
export function fitFacts(
  request: ChatRequest,
  facts: Facts,
  encoding: Encoding,
  took: readonly unknown[] = [],
): ChatRequest {
  return fits.reduce(
    (fitted, { fact, breaks, mend }) =>
      took.includes(fact) || !breaks(fitted, facts) ? fitted : mend(fitted, facts, encoding),
    request,
  )
}

/** What to remember of a request that came and goes against what is known of its model. */
export function modelHint(request: ChatRequest, dialect: string, families: ModelFamilies): Hints<EngineHint> {
  const broken = brokenFacts(request, { ...factsOf(families, request.model), dialect })
  return broken.length === 0 ? {} : { acceptedByModel: { model: guardOf(request.model), facts: broken } }
}

/** The facts that a request goes against. */
export function brokenFacts(request: ChatRequest, facts: Facts): readonly string[] {
  return fits.filter(({ breaks }) => breaks(request, facts)).map(({ fact }) => fact)
}

function factsOf(families: ModelFamilies, model: string | undefined): Capabilities {
  return families.find(([name]) => name.test(model ?? ''))?.[1] ?? {}
}

function tookFacts(
  { acceptedByModel: took }: Hints<EngineHint>,
  model: string | undefined,
): readonly unknown[] {
  const held = isObject(took) && took['model'] === guardOf(model) ? took['facts'] : undefined
  return Array.isArray(held) ? held : []
}

function guardOf(model: string | undefined): string {
  return digestText(model ?? '').slice(0, 16)
}
