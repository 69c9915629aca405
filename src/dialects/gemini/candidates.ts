import { generateId } from '../../canonical/build/ids-and-timestamps.ts'
import type { AssistantMessage, Origin } from '../../canonical/model/message.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import { digestContent } from '../../canonical/read/content-digest.ts'
import { digestJson } from '../../wire/digest.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { type RepeatableValues, templateRepeats, expandRepeats } from '../../wire/repeated-values.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { applyResidue, hintedExtra, getHints, withResidue } from '../engine/residue-slots.ts'
import { collectRenamedTools, restoreToolName } from '../shared/tool-names.ts'
import { createCallIdResolver } from './call-ids.ts'
import { CANDIDATE_SLOT, GROUNDING_SLOT, RESPONSE_SLOT, DIALECT_SLOT, toolNameRule } from './constants.ts'
import { encodeFinish, decodeFinishWithCalls } from './response-metadata.ts'
import {
  decodeCitations,
  type CitationSource,
  collectSources,
  listIndexedTexts,
  attachCitations,
  encodeCitations,
} from './citations.ts'
import { createFormHints, toList, decodeParts } from './messages.ts'
import { encodePart } from './parts.ts'
import { keyAliases, listBothCasings, toCamelCaseKeys } from './key-casing.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import type { GeminiHint } from './hints.ts'

/** What measures or vouches for the words of an answer. */
export const CONTENT_BOUND_KEYS: readonly string[] = listBothCasings(
  'logprobsResult',
  'avgLogprobs',
  'citationMetadata',
)

/** Reads one answer of a response. */
export function decodeCandidate(
  came: JsonObject,
  index: number,
  origin: Origin,
  options: DecodeOptions,
): AssistantMessage {
  const { content, finishReason, groundingMetadata } = toCamelCaseKeys(came)
  const { parts } = isObject(content) ? content : {}
  const callIds = createCallIdResolver(`${origin.responseId ?? generateId('resp', options)} ${index}`)
  const names = collectRenamedTools(options.request, toolNameRule)
  const said = decodeParts(toList(parts) ?? [], 'response', callIds) as readonly AssistantPart[]
  const read = said.map((part) => restoreToolName(part, names, DIALECT_SLOT))
  const { cited, hints: sizes } = decodeCitations(groundingMetadata, listIndexedTexts(read))
  const finish = decodeFinishWithCalls(finishReason, read.some(isApplicationCall))
  const forms = parts === undefined ? {} : createFormHints(parts)
  const message: AssistantMessage = {
    id: generateId('msg', options),
    role: 'assistant',
    content: attachCitations(read, cited),
    origin,
    ...(finish !== undefined && { finish }),
    ...(Object.keys(forms).length > 0 && { extra: hintedExtra(RESPONSE_SLOT, forms) }),
  }
  const grounded =
    cited.length > 0 ? attachGrounding(message, groundingMetadata as JsonObject, sizes) : message
  const made = writeCandidate(grounded, index, undefined, noReport)
  const keys =
    cited.length > 0 ? CONTENT_BOUND_KEYS : [...CONTENT_BOUND_KEYS, ...listBothCasings('groundingMetadata')]
  const bond = { keys, content: listTexts(grounded) }
  return freezeOwned(
    transformRepeats(
      withResidue(grounded, CANDIDATE_SLOT, made, came, undefined, keyAliases, bond),
      templateRepeats,
    ),
  )
}

/** The message with what is kept beside it changed where that repeats its texts and what they cite. */
function transformRepeats(
  message: AssistantMessage,
  change: (value: Json, echoes: RepeatableValues) => Json | undefined,
): AssistantMessage {
  if (message.extra === undefined) return message
  const texts = message.content.flatMap((part, index) => {
    if (part.type !== 'text') return []
    const cited = (part.citations ?? []).flatMap((citation, number) =>
      citation.type === 'opaque' ? [] : [[`citation ${index} ${number}`, citation.url] as const],
    )
    return [[`text ${index}`, part.text] as const, ...cited]
  })
  const echoes: RepeatableValues = Object.fromEntries(texts)
  const extra = Object.entries(message.extra).map(([slot, residue]) => {
    const ours = slot === CANDIDATE_SLOT || slot === GROUNDING_SLOT
    return [slot, ours ? ((change(residue, echoes) ?? {}) as JsonObject) : residue] as const
  })
  return { ...message, extra: Object.fromEntries(extra) }
}

/** What log probabilities vouch for: every word that the model said. */
function listTexts({ content }: AssistantMessage): Json {
  return content.map((part) => ('text' in part ? part.text : part.type))
}

/** The message with what its sources say beyond its citations; that holds for these texts and citations only. */
function attachGrounding(
  message: AssistantMessage,
  wire: JsonObject,
  sizes: Hints<GeminiHint>,
): AssistantMessage {
  const hints = { ...sizes, contentDigest: digestMessageContent(message) }
  const made = encodeCitations(collectCandidateSources(message, undefined, noReport), hints)
  return withResidue(message, GROUNDING_SLOT, made, wire, hints, keyAliases)
}

function digestMessageContent({ content }: AssistantMessage): string {
  return digestJson(content.map(digestContent)).slice(0, 16)
}

/** Writes the sources of an answer; undefined where it has none. */
function encodeGrounding(
  message: AssistantMessage,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject | undefined {
  const sources = collectCandidateSources(message, path, context)
  const hints = getHints(message, GROUNDING_SLOT)
  const holds = hints['contentDigest'] === digestMessageContent(message)
  if (holds) return applyResidue(encodeCitations(sources, hints), message, GROUNDING_SLOT)
  if (hints['contentDigest'] !== undefined)
    context.report('stale-grounding', child(child(path, 'extra'), GROUNDING_SLOT))
  return sources.length === 0 ? undefined : encodeCitations(sources, {})
}

/** What an answer cites, by the positions that its texts have on the wire. */
function collectCandidateSources(
  message: AssistantMessage,
  path: Path | undefined,
  context: EncodeContext,
): readonly CitationSource[] {
  // Only the positions are asked for: what is left out depends on the options, and is reported by who writes it.
  const written = writeParts(message, undefined, { ...noReport, options: context.options })
  const positionOf = (index: number): number =>
    Math.max(
      0,
      written.findIndex((part) => part.index === index),
    )
  return collectSources(message.content, positionOf, child(path, 'content'), context)
}

/** Writes one answer of a response. */
export function encodeCandidate(
  given: AssistantMessage,
  index: number,
  path: Path,
  context: EncodeContext,
): JsonObject {
  const message = transformRepeats(given, expandRepeats)
  const stale = (key: string): void => {
    const slot = child(child(path, 'extra'), CANDIDATE_SLOT)
    context.report('stale-logprobs', child(child(child(slot, '$'), 'bound'), key))
  }
  return applyResidue(writeCandidate(message, index, path, context), message, CANDIDATE_SLOT, {
    content: listTexts(message),
    onMismatch: stale,
  })
}

function writeCandidate(
  message: AssistantMessage,
  index: number,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject {
  const { finish, origin } = message
  if (message.name !== undefined) context.report('message-name', child(path, 'name'))
  const parts = writeParts(message, path, context).map(({ wire }) => wire)
  const grounding = encodeGrounding(message, path, context)
  const own = origin?.dialect === DIALECT_SLOT
  const calls = message.content.some(isApplicationCall)
  return {
    content: { role: 'model', parts: restoreForm(message, parts) },
    ...(finish !== undefined && {
      finishReason: encodeFinish(
        { finish, isOwnFormat: own, hasToolCalls: calls },
        child(path, 'finish'),
        context,
      ),
    }),
    index,
    ...(grounding !== undefined && { groundingMetadata: grounding }),
  }
}

/** The parts of an answer that leave something to send, and which of ours they are. */
function writeParts(
  message: AssistantMessage,
  path: Path | undefined,
  context: EncodeContext,
): readonly { readonly index: number; readonly wire: JsonObject }[] {
  let leads = true
  return message.content.flatMap((part, index) => {
    const partPath = child(child(path, 'content'), index)
    const wire = encodePart(part, { path: partPath, context, location: 'response', isFirstCall: leads })
    if (isApplicationCall(part)) leads = false
    return wire === undefined ? [] : [{ index, wire }]
  })
}

/** Parts as they came: in a list, or one of them as an object. */
function restoreForm(message: AssistantMessage, parts: readonly JsonObject[]): Json {
  const [only, ...others] = parts
  const asObject = getHints(message, RESPONSE_SLOT)['contentForm'] === 'object' && others.length === 0
  return asObject && only !== undefined ? only : parts
}
