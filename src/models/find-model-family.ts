import { anthropicFamilies } from './anthropic-families.ts'
import { googleFamilies } from './google-families.ts'
import type { ModelFamily } from './model-family.ts'
import { openaiFamilies } from './openai-families.ts'
import { otherFamilies } from './other-families.ts'
import { withTypedErrors } from '../wire/typed-errors.ts'
import { lazy } from '../wire/memoize.ts'

/**
 * The table of model families: which settings, reasoning controls and content the models of each vendor accept.
 *
 * @example
 * modelFamilies.filter(({ vendor }) => vendor === 'google').map(({ names }) => names[0])
 */
export const modelFamilies: readonly ModelFamily[] = Object.freeze([
  ...anthropicFamilies,
  ...openaiFamilies,
  ...googleFamilies,
  ...otherFamilies,
])

/** What hosts put before a name: folders, the fine-tuning mark, and the regions and vendors of Bedrock. */
const hostPrefix = /^(?:.*\/|ft:)?(?:[a-z-]+\.)*(?=[a-z])/

/** What hosts put after a name: a date, a variant, a revision, a context size, or a mode. */
const hostSuffix = /(?:[@:[].*|-v\d+(?::.*)?|-thinking)$/

/** Some hosts put the version of Claude before the tier, as Anthropic did up to 3.7. */
const claudeVersionFirst = /^claude-(\d(?:-\d{1,2})?)-([a-z]+)/

/** A name as it is compared: in lower case, without the additions of hosts, with dashes in versions. */
function normalizeModelName(name: string): string {
  const ownName = name.toLowerCase().replace(hostPrefix, '').replace(hostSuffix, '').replace(hostSuffix, '')
  return ownName.replaceAll('.', '-').replace(claudeVersionFirst, 'claude-$2-$1')
}

interface NamePattern {
  readonly prefix: string
  readonly pattern: RegExp
  readonly family: ModelFamily
}

/**
 * Returns the pattern of a name in the table. A further digit or version number belongs to another model: `gpt-5` is not
 * `gpt-5.2`, but it is `gpt-5-2025-08-07`.
 */
function createNamePattern(name: string, family: ModelFamily): NamePattern {
  const isOpen = name.endsWith('*')
  const prefix = normalizeModelName(isOpen ? name.slice(0, -1) : name)
  return {
    prefix,
    family,
    pattern: new RegExp(`^${prefix}${isOpen ? '' : '(?!\\d|-(?:0|[1-9]\\d?)(?:-|$))'}`),
  }
}

/** Returns the patterns, longest first: the most specific name applies. */
const getNamePatterns = /* @__PURE__ */ lazy(() =>
  modelFamilies
    .flatMap((family) => family.names.map((name) => createNamePattern(name, family)))
    .toSorted((a, b) => b.prefix.length - a.prefix.length),
)

/** The families by name as it was asked for. The number of names is limited, since callers choose them. */
const found = new Map<string, ModelFamily | undefined>()
const MAX_REMEMBERED_NAMES = 1000

/**
 * Finds the facts about a model by its name, in any form that hosts use: with a date, a vendor, a region or a folder. A
 * later model of a known vendor gets the facts of the newest one; undefined for a model of an unknown vendor.
 *
 * @example
 * findModelFamily('us.anthropic.claude-haiku-4-5-20251001-v1:0')?.efforts // []
 */
export function findModelFamily(name: string): ModelFamily | undefined {
  return withTypedErrors(() => {
    if (found.has(name)) return found.get(name)
    const normalized = normalizeModelName(name)
    const family = getNamePatterns().find(({ pattern }) => pattern.test(normalized))?.family
    if (found.size >= MAX_REMEMBERED_NAMES) found.clear()
    found.set(name, family)
    return family
  }, [name])
}
