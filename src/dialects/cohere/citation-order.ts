import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import type { CohereHints } from './hints.ts'
import { isThinkingBlock } from './reasoning.ts'
import { isCohereTextBlock } from './text-blocks.ts'

/** The index of a block, or the tool plan. */
type CitationTarget = number | 'plan'

interface AssignedCitations {
  readonly citations: ReadonlyMap<CitationTarget, readonly JsonObject[]>
  /** The received position of each citation in the order of the encoder; undefined if it was received in this order. */
  readonly order: readonly number[] | undefined
}

const noCitations: AssignedCitations = { citations: new Map(), order: undefined }

/** Assigns citations to the block or the tool plan that they refer to; none if one of them refers to nothing. */
export function assignCitations(
  wire: Json | undefined,
  blocks: readonly Json[],
  hasPlan: boolean,
): AssignedCitations {
  if (!isList(wire)) return noCitations
  const citations = new Map<CitationTarget, JsonObject[]>()
  const ranks: number[] = []
  const firstText = blocks.findIndex(isCohereTextBlock)
  for (const citation of wire) {
    if (!isObject(citation)) return noCitations
    const { type, content_index: index } = citation
    const target = type === 'PLAN' && hasPlan ? 'plan' : typeof index === 'number' ? index : firstText
    const block = typeof target === 'number' ? blocks[target] : undefined
    const isFound =
      target === 'plan' ||
      (block !== undefined &&
        (type === 'THINKING_CONTENT' ? isThinkingBlock(block) : isCohereTextBlock(block)))
    if (!isFound) return noCitations
    ranks.push(target === 'plan' ? blocks.length : target)
    const list = citations.get(target)
    if (list === undefined) citations.set(target, [citation])
    else list.push(citation)
  }
  return { citations, order: findUnusualOrder(ranks) }
}

/** Returns the positions of ranks in ascending order; undefined if they are ascending. */
function findUnusualOrder(ranks: readonly number[]): readonly number[] | undefined {
  const isAscending = ranks.every((rank, index) => index === 0 || (ranks[index - 1] ?? 0) <= rank)
  return isAscending
    ? undefined
    : [...ranks.keys()].sort((first, second) => (ranks[first] ?? 0) - (ranks[second] ?? 0))
}

/** Returns the citations of a message in the order in which they were received, unless some were added or removed since. */
export function restoreCitationOrder(
  citations: readonly Json[],
  { citationOrder: order }: CohereHints,
): readonly Json[] {
  if (!isList(order) || order.length !== citations.length) return citations
  return citations
    .map((citation, index) => ({ citation, position: Number(order[index]) }))
    .sort((first, second) => first.position - second.position)
    .map(({ citation }) => citation)
}
