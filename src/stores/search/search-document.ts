import type { Message } from '../../canonical/model/message.ts'
import { isInternalSection } from '../internal-sections.ts'
import { digestText } from '../../wire/digest.ts'
import { messageFromRow } from '../rows/row-hash.ts'
import type { TokenConditions } from '../rows/row-queries.ts'
import type { MessageRow } from '../rows/row-definitions.ts'
import type { ParsedSearchQuery, SearchTerm } from './parse-search-query.ts'
import { getSearchableText } from './searchable-text.ts'
import { listIndexTerms, splitWords } from './split-words.ts'

/** What an index stores of a message. */
export interface SearchDocument {
  readonly key: string
  readonly tenant: string
  readonly timeMs: number
  /**
   * Texts of letters and digits without spaces, each once. Each starts with its kind and the tenant, so that a look-up
   * reads nothing of other tenants.
   */
  readonly tokens: readonly string[]
}

/** Creates the tokens of a tenant. */
export class SearchTokens {
  readonly tenant: string
  readonly #tag: string

  constructor(tenant: string) {
    this.tenant = tenant
    this.#tag = digestText(tenant).slice(0, 12)
  }

  word(word: string): string {
    return `w${this.#tag}${word}`
  }

  role(role: string): string {
    return `r${this.#tag}${role}`
  }

  tool(name: string): string {
    return `t${this.#tag}${digestText(name).slice(0, 16)}`
  }

  /** Several sessions may have the same token: what is found is compared with the key. */
  session(key: string): string {
    return `s${this.#tag}${key.replaceAll(/[^a-z0-9]/g, '')}`
  }
}

/**
 * Returns what an index stores of a row; undefined for internal notes, and for a row whose text cannot be read because it
 * is encrypted or damaged.
 */
export function toSearchDocument(row: MessageRow, names: SearchTokens): SearchDocument | undefined {
  if (isInternalSection(row.section)) return undefined
  const message = tryReadMessage(row)
  if (message === undefined) return undefined
  const { texts, tools } = getSearchableText(message)
  const tokens = new Set([names.role(message.role), names.session(row.session)])
  for (const tool of tools) tokens.add(names.tool(tool))
  for (const text of texts) for (const term of listIndexTerms(splitWords(text))) tokens.add(names.word(term))
  return { key: row.key, tenant: names.tenant, timeMs: getMessageTime(row, message), tokens: [...tokens] }
}

function tryReadMessage(row: MessageRow): Message | undefined {
  try {
    return messageFromRow(row)
  } catch {
    return undefined
  }
}

/** Generated keys start with their time of creation in hexadecimal milliseconds. */
const KEY_TIME_PATTERN = /^m_([0-9a-f]{12})/

/** Returns the time of a message in milliseconds since 1970; that of its first write if the message has none. */
function getMessageTime({ key }: MessageRow, { createdAt }: Message): number {
  const stated = createdAt === undefined ? Number.NaN : Date.parse(createdAt)
  if (!Number.isNaN(stated)) return Math.max(0, stated)
  return Number.parseInt(KEY_TIME_PATTERN.exec(key)?.[1] ?? '0', 16)
}

/** Returns the tokens that messages must and must not have to match a query. Phrases need to be checked afterwards. */
export function toTokenConditions(
  query: ParsedSearchQuery,
  names: SearchTokens,
  filters: { readonly role?: string; readonly tool?: string; readonly owners?: readonly string[] },
): TokenConditions {
  const required = new Set<string>()
  const prefixes = new Set<string>()
  if (filters.role !== undefined) required.add(names.role(filters.role))
  if (filters.tool !== undefined) required.add(names.tool(filters.tool))
  for (const term of query.required) addTermTokens(term, names, required, prefixes)
  const excluded = query.excluded.flatMap((term) => listExactTokens(term, names))
  const anyOf = (filters.owners ?? []).map((key) => names.session(key))
  return { required: [...required], prefixes: [...prefixes], excluded, anyOf }
}

function addTermTokens(
  { words, isPrefix }: SearchTerm,
  names: SearchTokens,
  required: Set<string>,
  prefixes: Set<string>,
): void {
  for (const [index, word] of words.entries()) {
    const next = words[index + 1]
    const token = names.word(word.text)
    const isLast = next === undefined
    if (!word.isCharacter) (isLast && isPrefix ? prefixes : required).add(token)
    else if (next?.isCharacter === true && next.isAdjacent) required.add(token + next.text)
    // The end of a run of characters is covered by the pair before it.
    else if (!(index > 0 && word.isAdjacent && words[index - 1]?.isCharacter === true)) prefixes.add(token)
  }
}

/** Returns the token of a term that is one complete word; a message with it contains the term. */
function listExactTokens({ words, isPrefix }: SearchTerm, names: SearchTokens): readonly string[] {
  const [word] = words
  const isExact = word !== undefined && words.length === 1 && !isPrefix && !word.isCharacter
  return isExact ? [names.word(word.text)] : []
}
