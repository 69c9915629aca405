import type { Loss, Translation } from '../../../canonical/model/loss.ts'
import { toJson } from '../../../canonical/stored/stored-form.ts'
import { dialects } from '../../../dialects/dialects.ts'
import type { Dialect, DialectName } from '../../../dialects/engine/dialect.ts'
import { addModelNameLoss } from '../../../dialects/engine/add-model-name-loss.ts'
import type { LensContent, LensDocument } from './lens-document.ts'
import {
  createDifferenceFinder,
  createWirePathFinder,
  type DifferenceFinder,
  groupByContent,
  type LeafGroups,
} from './compare-values.ts'
import { listLeaves } from './json-leaves.ts'
import { JsonLines } from './json-lines.ts'
import { lensTargets } from './lens-targets.ts'

/** A body in one format, with its losses and differences. */
export interface EncodedTarget {
  readonly body: unknown
  readonly model?: string
  readonly losses: readonly Loss[]
  readonly lines: JsonLines
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

/** The values with which the bodies of all targets are compared. */
export interface ComparedValues {
  readonly findDifference: DifferenceFinder
  readonly canonical: LeafGroups
}

/** Returns what to compare bodies with: the values of the input, or of the canonical form if the input is no body. */
export function createComparedValues(document: LensDocument, canonicalValue: unknown): ComparedValues {
  const canonical = listLeaves(canonicalValue)
  const input = document.body === undefined ? canonical : listLeaves(document.body)
  return { canonical: groupByContent(canonical), findDifference: createDifferenceFinder(input) }
}

/** Encodes a content for a target, and marks the differences to the input and the losses at their places. */
export function encodeTarget(
  document: LensDocument,
  name: DialectName,
  { findDifference, canonical }: ComparedValues,
  chosenModel?: string,
): EncodedTarget {
  const source = document.detections[0]?.name
  const model = chosenModel ?? (source === name ? undefined : lensTargets[name].models[0])
  const { value: body, losses } = encodeContent(document.content, name, source ?? '', model)
  const paths = losses.map(({ path }) => path)
  const places = paths.map(createWirePathFinder(canonical, body, paths))
  const lines = new JsonLines(body, { findDifference, losses: groupIndexes(places) })
  const isRequest = document.content.kind === 'request'
  const shownModel = isRequest ? (model ?? document.content.request.model) : undefined
  return {
    body,
    ...(shownModel !== undefined && { model: shownModel }),
    losses,
    lines,
    lossLines: places.map((place) => lines.findLine(place).line),
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
  const encoded: Translation<unknown> = dialect.encodeRequest(content.request, options)
  return addModelNameLoss(encoded, content.request, { ...options, from: source, to: name })
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
