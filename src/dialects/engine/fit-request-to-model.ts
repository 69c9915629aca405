import type { Capabilities } from '../../canonical/model/capabilities.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import { digestText } from '../../wire/digest.ts'
import { isObject } from '../../wire/json.ts'
import type { Hints } from '../../wire/residue.ts'
import type { EncodeContext } from './encode-context.ts'
import type { EngineHint } from './residue-hints.ts'
import { type CatalogEntry, modelFitters } from './model-fit-rules.ts'

/** Capabilities by model name; the first row whose pattern matches the name applies. */
export type ModelFamilies = readonly (readonly [name: RegExp, facts: Capabilities])[]

/**
 * Adjusts a request to the capabilities of its model. Facts that the request violated when it was decoded are
 * ignored, as long as the model is the same: the provider accepted the request.
 */
export function fitRequestToModel(
  request: ChatRequest,
  dialect: string,
  families: ModelFamilies,
  hints: Hints<EngineHint>,
  context: EncodeContext,
): ChatRequest {
  const model = context.options.model ?? request.model
  const facts = { ...findCapabilities(families, model), ...context.options.capabilities, dialect }
  return fitRequestToFacts(request, facts, context, readAcceptedFacts(hints, model))
}

/** Adjusts a request to the facts of a model, except for `acceptedFacts`. */
export function fitRequestToFacts(
  request: ChatRequest,
  facts: CatalogEntry,
  context: EncodeContext,
  acceptedFacts: readonly unknown[] = [],
): ChatRequest {
  return modelFitters.reduce(
    (fitted, { fact, isViolated, adjust }) =>
      acceptedFacts.includes(fact) || !isViolated(fitted, facts) ? fitted : adjust(fitted, facts, context),
    request,
  )
}

/** Returns the hint for a received request that violates the known facts of its model. */
export function createAcceptedByModelHint(
  request: ChatRequest,
  dialect: string,
  families: ModelFamilies,
): Hints<EngineHint> {
  const violated = findViolatedFacts(request, { ...findCapabilities(families, request.model), dialect })
  return violated.length === 0
    ? {}
    : { acceptedByModel: { model: digestModelName(request.model), facts: violated } }
}

/** Returns the facts that a request violates. */
function findViolatedFacts(request: ChatRequest, facts: CatalogEntry): readonly string[] {
  return modelFitters.filter(({ isViolated }) => isViolated(request, facts)).map(({ fact }) => fact)
}

function findCapabilities(families: ModelFamilies, model: string | undefined): Capabilities {
  return families.find(([name]) => name.test(model ?? ''))?.[1] ?? {}
}

function readAcceptedFacts(
  { acceptedByModel: accepted }: Hints<EngineHint>,
  model: string | undefined,
): readonly unknown[] {
  const facts =
    isObject(accepted) && accepted['model'] === digestModelName(model) ? accepted['facts'] : undefined
  return Array.isArray(facts) ? facts : []
}

function digestModelName(model: string | undefined): string {
  return digestText(model ?? '').slice(0, 16)
}
