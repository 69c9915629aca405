import type { Loss } from '../../canonical/model/loss.ts'
import { isNamedByLoss } from './conformance-check.ts'
import { type JsonLeaf, type KeyPath, listLeaves, mapLeaves, toJsonPointer } from './json-leaves.ts'

/** Canonical keys that are not sent, and residue. */
const UNTRACED_KEYS: ReadonlySet<string | number> = new Set(
  'extra metadata createdAt parentId origin contentDigest rawArguments finish usage'.split(' '),
)

/** Canonical keys of enumerations, and of ids that pair a call with its result. */
const UNCHANGED_KEYS: ReadonlySet<string | number> = new Set(
  (
    'type role kind unit dialect provider vendor executedBy mediaType detail mode id callId ttl reason raw effort summary ' +
    'verbosity syntax serviceTier'
  ).split(' '),
)

/** Keys of values that dialects interpret: schemas and data. */
const INTERPRETED_KEYS: ReadonlySet<string | number> = new Set(['input', 'options', 'schema', 'value'])

const TRACE = /tr\d{4}zq$/

/** Makes each free text of a canonical value unique, so that it can be found again after a translation. */
export function traceTexts<T>(value: T): T {
  let count = 0
  return mapLeaves(value, (leaf, path) => {
    const key = path.at(-1) ?? ''
    const isKept =
      typeof leaf !== 'string' ||
      leaf.trim() === '' ||
      UNCHANGED_KEYS.has(key) ||
      path[0] === 'toolChoice' ||
      path[0] === 'model' ||
      path.some((each) => UNTRACED_KEYS.has(each) || INTERPRETED_KEYS.has(each)) ||
      // Calls, results and tools refer to each other by the name of the tool.
      (key === 'name' && leaf === 'weather')
    if (isKept) return leaf
    const mark = `tr${String((count += 1)).padStart(4, '0')}zq`
    return key === 'url' ? `https://example.org/${mark}` : mark
  }) as T
}

/** Returns the first text that is neither in the decoded value under its key, nor named by a loss. */
export function findLostText(
  given: unknown,
  decoded: unknown,
  losses: readonly Loss[],
): JsonLeaf | undefined {
  const found = new Set(
    listLeaves(decoded, (key) => !UNTRACED_KEYS.has(key)).flatMap(({ path, value }) =>
      TRACE.test(String(value)) ? [`${getLastName(path)} ${String(value)}`] : [],
    ),
  )
  return listLeaves(given, (key) => !UNTRACED_KEYS.has(key)).find(
    ({ path, value }) =>
      TRACE.test(String(value)) &&
      !found.has(`${getLastName(path)} ${String(value)}`) &&
      !isNamedByLoss(losses, toJsonPointer(path)),
  )
}

const getLastName = (path: KeyPath): string | number => path.findLast((key) => typeof key === 'string') ?? ''
