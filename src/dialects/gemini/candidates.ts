import { generateId } from '../../canonical/build/ids-and-timestamps.ts'
import type { AssistantMessage, Origin } from '../../canonical/model/message.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import { digestContent } from '../../canonical/read/content-digest.ts'
import { digestJson } from '../../wire/digest.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import {
  type RepeatableValues,
  replaceRepeatsByPlaceholders,
  fillPlaceholders,
} from '../../wire/canonical-value-placeholders.ts'
import { isEmptyObject, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { applyResidue, createHintExtra, getHints, withResidue } from '../engine/residue-slots.ts'
import { bindContent, listGeneratedTexts } from '../engine/content-bound-keys.ts'
import { createAssistantMessage, getStoppedMessage } from '../shared/response-metadata.ts'
import { collectOriginalToolNames, restoreToolName } from '../shared/tool-names.ts'
import { createCallIdResolver } from './call-ids.ts'
import { CANDIDATE_SLOT, GROUNDING_SLOT, RESPONSE_SLOT, DIALECT_SLOT, toolNameRule } from './constants.ts'
import { encodeFinish, decodeFinishWithCalls } from './response-metadata.ts'
import {
  decodeCitations,
  collectCitations,
  listTextsWithPartIndex,
  attachCitations,
  encodeCitations,
} from './citations.ts'
import { restorePartsForm } from './message-fragments.ts'
import { createPartsFormHints, toPartList, decodeParts } from './messages.ts'
import { encodePart } from './parts.ts'
import { keyAliases, listBothCasings, toCamelCaseKeys } from './key-casing.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import type { GeminiHints } from './hints.ts'

/** Fields of a candidate that are valid only for its exact text. */
export const CONTENT_BOUND_KEYS: readonly string[] = listBothCasings(
  'logprobsResult',
  'avgLogprobs',
  'citationMetadata',
)

/** Those of a candidate without citations: what its grounding refers to is not known. */
const UNCITED_BOUND_KEYS: readonly string[] = [...CONTENT_BOUND_KEYS, ...listBothCasings('groundingMetadata')]

export function decodeCandidate(
  wire: JsonObject,
  index: number,
  origin: Origin,
  options: DecodeOptions,
): AssistantMessage {
  const { content: wireContent, finishReason, groundingMetadata } = toCamelCaseKeys(wire)
  const { parts } = isObject(wireContent) ? wireContent : {}
  const callIds = createCallIdResolver(
    options,
    `${origin.responseId ?? generateId('resp', options)} ${index}`,
  )
  const names = collectOriginalToolNames(options.request, toolNameRule)
  const decodedParts = decodeParts(toPartList(parts) ?? [], 'response', callIds) as readonly AssistantPart[]
  const renamedParts = decodedParts.map((part) => restoreToolName(part, names, DIALECT_SLOT))
  const { cited, hints: sizes } = decodeCitations(groundingMetadata, listTextsWithPartIndex(renamedParts))
  const finish = decodeFinishWithCalls(finishReason, renamedParts.some(isApplicationCall))
  const formHints = parts === undefined ? {} : createPartsFormHints(parts)
  const content = attachCitations(renamedParts, cited)
  const extra = isEmptyObject(formHints) ? undefined : createHintExtra(RESPONSE_SLOT, formHints)
  const decoded = createAssistantMessage(content, origin, finish, options, extra)
  const message =
    cited.length > 0 ? attachGrounding(decoded, groundingMetadata as JsonObject, sizes) : decoded
  const exact =
    options.exact === false ? message : attachCandidateResidue(message, index, wire, cited.length > 0)
  return freezeOwned(transformRepeats(exact, replaceRepeatsByPlaceholders))
}

function attachCandidateResidue(
  message: AssistantMessage,
  index: number,
  wire: JsonObject,
  isCited: boolean,
): AssistantMessage {
  const made = writeCandidate(message, index, undefined, noReport)
  const keys = isCited ? CONTENT_BOUND_KEYS : UNCITED_BOUND_KEYS
  const binding = { keys, content: listGeneratedTexts(message) }
  return withResidue(message, CANDIDATE_SLOT, made, wire, undefined, keyAliases, binding)
}

/** Applies a change to the residue where it repeats the texts of the message or the URLs of its citations. */
function transformRepeats(
  message: AssistantMessage,
  change: (value: Json, repeatable: RepeatableValues) => Json | undefined,
): AssistantMessage {
  if (message.extra === undefined) return message
  const texts = message.content.flatMap((part, index) => {
    if (part.type !== 'text') return []
    const citedUrls = (part.citations ?? []).flatMap((citation, number) =>
      citation.type === 'opaque' ? [] : [[`citation ${index} ${number}`, citation.url] as const],
    )
    return [[`text ${index}`, part.text] as const, ...citedUrls]
  })
  const repeatable: RepeatableValues = Object.fromEntries(texts)
  const extra = Object.entries(message.extra).map(([slot, residue]) => {
    const isOwnSlot = slot === CANDIDATE_SLOT || slot === GROUNDING_SLOT
    return [slot, isOwnSlot ? ((change(residue, repeatable) ?? {}) as JsonObject) : residue] as const
  })
  return { ...message, extra: Object.fromEntries(extra) }
}

/** Attaches the grounding fields that citations cannot represent; they are valid for this content only. */
function attachGrounding(message: AssistantMessage, wire: JsonObject, sizes: GeminiHints): AssistantMessage {
  const hints = { ...sizes, contentDigest: digestMessageContent(message) }
  const wireParts = writeParts(message, undefined, noReport)
  const sources = collectCitations(message.content, wireParts, undefined, noReport)
  return withResidue(message, GROUNDING_SLOT, encodeCitations(sources, hints), wire, hints, keyAliases)
}

function digestMessageContent({ content }: AssistantMessage): string {
  return digestJson(content.map(digestContent)).slice(0, 16)
}

/** Encodes the grounding metadata of a candidate; returns undefined if it has no citations. */
function encodeGrounding(
  message: AssistantMessage,
  wireParts: readonly WirePart[],
  path: Path | undefined,
  context: EncodeContext,
): JsonObject | undefined {
  const sources = collectCitations(message.content, wireParts, path, context)
  const hints = getHints(message, GROUNDING_SLOT)
  if (hints['contentDigest'] !== undefined) {
    if (hints['contentDigest'] === digestMessageContent(message))
      return applyResidue(encodeCitations(sources, hints), message, GROUNDING_SLOT)
    context.report('stale-grounding', child(child(path, 'extra'), GROUNDING_SLOT))
  }
  return sources.length === 0 ? undefined : encodeCitations(sources, {})
}

export function encodeCandidate(
  given: AssistantMessage,
  index: number,
  path: Path,
  context: EncodeContext,
): JsonObject {
  const message = transformRepeats(given, fillPlaceholders)
  const bound = bindContent(listGeneratedTexts(message), CANDIDATE_SLOT, path, context)
  return applyResidue(writeCandidate(message, index, path, context), message, CANDIDATE_SLOT, bound)
}

function writeCandidate(
  message: AssistantMessage,
  index: number,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject {
  if (message.name !== undefined) context.report('message-name', child(path, 'name'))
  const wireParts = writeParts(message, path, context)
  const parts = wireParts.map(({ wire }) => wire)
  const form = getHints(message, RESPONSE_SLOT)['contentForm']
  const grounding = encodeGrounding(message, wireParts, path, context)
  const stopped = getStoppedMessage(message, DIALECT_SLOT)
  return {
    content: { role: 'model', parts: restorePartsForm(parts, form) ?? parts },
    ...(stopped !== undefined && { finishReason: encodeFinish(stopped, child(path, 'finish'), context) }),
    index,
    ...(grounding !== undefined && { groundingMetadata: grounding }),
  }
}

/** An encoded part of a candidate with its canonical index. */
interface WirePart {
  readonly index: number
  readonly wire: JsonObject
}

/** Encodes the parts of a candidate that have something to send. */
function writeParts(
  message: AssistantMessage,
  path: Path | undefined,
  context: EncodeContext,
): readonly WirePart[] {
  let isFirstCall = true
  return message.content.flatMap((part, index) => {
    const partPath = child(child(path, 'content'), index)
    const wire = encodePart(part, { path: partPath, context, location: 'response', isFirstCall })
    if (isApplicationCall(part)) isFirstCall = false
    return wire === undefined ? [] : [{ index, wire }]
  })
}
