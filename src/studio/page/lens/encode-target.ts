import type { Loss, Translation } from '../../../canonical/model/loss.ts'
import { toJson } from '../../../canonical/stored/stored-form.ts'
import { dialects } from '../../../dialects/dialects.ts'
import type { Dialect, DialectName } from '../../../dialects/engine/dialect.ts'
import { addModelNameLoss } from '../../../dialects/engine/untranslated-model.ts'
import type { LensContent, LensDocument } from './lens-document.ts'
import { createPlaceFinder, findDifferences } from './compare-values.ts'
import { type JsonLeaf, listLeaves } from './json-leaves.ts'
import { formatJsonLines, type JsonLine } from './json-lines.ts'
import { lensTargets } from './targets.ts'

/** A body in one format, with its losses and differences. */
export interface EncodedTarget {
  readonly body: unknown
  readonly model?: string
  readonly losses: readonly Loss[]
  readonly lines: readonly JsonLine[]
  /** The line of each loss, in the order of the losses. */
  readonly lossLines: readonly number[]
}

/** Returns the canonical value of a content, as plain JSON. */
export function toCanonicalJson(content: LensContent): unknown {
  const stored: { readonly [kind: string]: unknown } = toJson(
    content.kind === 'request' ? content.request : content.response,
  )
  return stored[content.kind]
}

/** Values that the encoder compares each body with, computed once for all targets. */
export interface ComparedValues {
  readonly input: readonly JsonLeaf[]
  readonly canonical: readonly JsonLeaf[]
}

/** Returns the values to compare bodies with: those of the input, or of the canonical form if the input is no body. */
export function createComparedValues(document: LensDocument, canonicalValue: unknown): ComparedValues {
  const canonical = listLeaves(canonicalValue)
  return { canonical, input: document.body === undefined ? canonical : listLeaves(document.body) }
}

/** Encodes a content for a target, and marks the differences to the input and the losses at their places. */
export function encodeTarget(
  document: LensDocument,
  name: DialectName,
  { input, canonical }: ComparedValues,
  chosenModel?: string,
): EncodedTarget {
  const source = document.detections[0]?.name
  const model = chosenModel ?? (source === name ? undefined : lensTargets[name].models[0])
  const { value: body, losses } = encodeContent(document.content, name, source ?? '', model)
  const findPlace = createPlaceFinder(canonical, body)
  const places = losses.map(({ path }) => findPlace(path))
  const lines = formatJsonLines(body, {
    differences: findDifferences(input, body),
    losses: groupIndexes(places),
  })
  const lineByPointer = indexLines(lines)
  const isRequest = document.content.kind === 'request'
  const shownModel = isRequest ? (model ?? document.content.request.model) : undefined
  return {
    body,
    ...(shownModel !== undefined && { model: shownModel }),
    losses,
    lines,
    lossLines: places.map((place) => lineByPointer.get(place) ?? 0),
  }
}

function encodeContent(
  content: LensContent,
  name: DialectName,
  source: string,
  model: string | undefined,
): Translation<unknown> {
  const dialect: Dialect = dialects[name]
  if (content.kind === 'response') return dialect.encodeResponse(content.response)
  const options = model === undefined ? {} : { model }
  const { value, losses } = dialect.encodeRequest(content.request, options)
  return { value, losses: addModelNameLoss(losses, content.request, { ...options, from: source, to: name }) }
}

/** Returns the positions of each place in a list. */
export function groupIndexes(places: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const groups = new Map<string, number[]>()
  for (const [index, place] of places.entries()) {
    const group = groups.get(place)
    if (group === undefined) groups.set(place, [index])
    else group.push(index)
  }
  return groups
}

/** Returns the position of the line of each pointer. */
export function indexLines(lines: readonly JsonLine[]): ReadonlyMap<string, number> {
  const positions = new Map<string, number>()
  for (const [index, { pointer }] of lines.entries()) if (pointer !== undefined) positions.set(pointer, index)
  return positions
}

/** Returns the nearest existing place of a canonical path: a synthesized value does not exist in the canonical form. */
export function findNearestPlace(path: string, positions: ReadonlyMap<string, number>): string {
  let place = path
  while (place !== '' && !positions.has(place)) place = place.slice(0, place.lastIndexOf('/'))
  return place
}
