import type { Message } from '../../canonical/model/message.ts'
import type { Part } from '../../canonical/model/part.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import { digestTextShort } from '../../wire/digest.ts'
import { isObject, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import { type EncodeContext, noReport } from './encode-context.ts'
import { type AppliedFacts, getModelFacts, type ModelFactUse } from './model-facts.ts'
import { modelFitters } from './model-fitters.ts'
import { hasMediaRefusedByModel } from './refused-media.ts'
import type { EngineHint } from './residue-hints.ts'

/** A fact that the encoders of messages and bodies apply, and a check of the requests that break it. */
interface EncoderFact {
  readonly key: keyof AppliedFacts
  readonly isBroken: (request: ChatRequest, facts: AppliedFacts, body: JsonObject) => boolean
}

/** The facts that no fitter applies, by the name under which a received request that breaks them is marked. */
const encoderFacts: { readonly [name: string]: EncoderFact } = {
  systemMessages: {
    key: 'supportsMidConversationSystem',
    isBroken: ({ messages }, { supportsMidConversationSystem, dialect }) =>
      supportsMidConversationSystem === false &&
      [...messages].some(({ role, extra }) => role === 'system' && extra?.[dialect] !== undefined),
  },
  systemText: {
    key: 'refusedFeatures',
    isBroken: ({ messages }, { refusedFeatures }) =>
      refusedFeatures?.includes('system-text') === true &&
      [...messages].some(({ role }) => role === 'system' || role === 'developer'),
  },
  cacheMarkers: {
    key: 'supportsCacheMarkers',
    isBroken: ({ messages }, { supportsCacheMarkers }) =>
      supportsCacheMarkers === false && [...messages].some(hasCacheMarker),
  },
  refusedMedia: {
    key: 'refusedMedia',
    isBroken: ({ messages }, facts) =>
      facts.refusedMedia !== undefined &&
      [...messages].some((message) => hasMediaRefusedByModel(message, facts)),
  },
  callSignatures: {
    key: 'requiresCallSignatures',
    isBroken: ({ messages }, { requiresCallSignatures }) =>
      requiresCallSignatures === true && [...messages].some(hasUnsignedCall),
  },
  fields: {
    key: 'refusedFields',
    isBroken: (_request, { refusedFields = [] }, body) =>
      refusedFields.some((key) => Object.hasOwn(body, key)),
  },
}

/** Returns true if the first call of a message has no signature. The placeholder of a vendor is not decoded as one. */
function hasUnsignedCall({ content }: Message): boolean {
  const call = (content as readonly Part[]).find(isApplicationCall)
  return call !== undefined && call.signature === undefined
}

function hasCacheMarker({ content }: Message): boolean {
  return (content as readonly Part[]).some(
    (part) =>
      part.cache !== undefined ||
      (part.type === 'tool-result' && part.content.some(({ cache }) => cache !== undefined)),
  )
}

/**
 * Returns the facts of the model of a request, except for those that the request broke when it was decoded, as long as
 * the model is the same: the provider accepted the request.
 */
export function resolveModelFacts(
  rules: ModelFactUse,
  request: ChatRequest,
  hints: Hints<EngineHint>,
  { options }: Pick<EncodeContext, 'options'>,
): { readonly facts: AppliedFacts; readonly acceptedFacts: readonly unknown[] } {
  const model = options.model ?? request.model
  const facts: AppliedFacts = getModelFacts(rules, model, options.capabilities)
  const acceptedFacts = readAcceptedFacts(hints, model)
  if (acceptedFacts.length === 0) return { facts, acceptedFacts }
  const accepted = acceptedFacts.map((name) => encoderFacts[String(name)]?.key)
  const kept = Object.entries(facts).filter(([key]) => !accepted.some((each) => each === key))
  return { facts: Object.fromEntries(kept) as unknown as AppliedFacts, acceptedFacts }
}

const namedFitters = /* @__PURE__ */ Object.entries(modelFitters)

/** Adjusts a request to the facts of a model, except for `acceptedFacts`. */
export function fitRequestToFacts(
  request: ChatRequest,
  facts: AppliedFacts,
  context: EncodeContext,
  acceptedFacts: readonly unknown[] = [],
): ChatRequest {
  return namedFitters.reduce(
    (fitted, [name, fit]) => (acceptedFacts.includes(name) ? fitted : fit(fitted, facts, context)),
    request,
  )
}

/** Returns the hint for a received request that breaks the known facts of its model. */
export function createAcceptedByModelHint(
  request: ChatRequest,
  rules: ModelFactUse,
  body: JsonObject,
): Hints<EngineHint> {
  const facts = getModelFacts(rules, request.model)
  const broken = Object.entries(encoderFacts).filter(([, { isBroken }]) => isBroken(request, facts, body))
  const names = [...listBrokenFacts(request, facts), ...broken.map(([name]) => name)]
  return names.length === 0
    ? {}
    : { acceptedByModel: { model: digestModelName(request.model), facts: names } }
}

/** Returns the names of the facts to which a request would be adjusted. */
function listBrokenFacts(request: ChatRequest, facts: AppliedFacts): readonly string[] {
  return namedFitters.filter(([, fit]) => fit(request, facts, noReport) !== request).map(([name]) => name)
}

/** Removes the fields of a body that came from the residue of a request to another model and that this model refuses. */
export function omitFieldsRefusedByModel(
  body: JsonObject,
  encoded: JsonObject,
  { refusedFields = [], dialect }: AppliedFacts,
  context: EncodeContext,
): JsonObject {
  const refused = refusedFields.filter((key) => Object.hasOwn(body, key) && !Object.hasOwn(encoded, key))
  if (refused.length === 0) return body
  const kept = Object.fromEntries(Object.entries(body).filter(([key]) => !refused.includes(key)))
  for (const field of refused) {
    // A field can be another spelling of one that the encoder writes.
    const key = Object.keys(encoded).find(
      (each) => !Object.hasOwn(body, each) && encoded[each] === body[field],
    )
    const value = key === undefined ? undefined : encoded[key]
    if (key !== undefined && value !== undefined) kept[key] = value
    else context.report('model-setting', child(child(child(undefined, 'extra'), dialect), field))
  }
  return kept
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
  return digestTextShort(model ?? '')
}
