import { parsePointer } from '../../wire/json-pointer.ts'

/** The name of the empty path. */
const WHOLE_VALUE = 'the whole value'

/** The maximum length of a name; the end of a longer one is kept, because it identifies the field. */
const MAX_LENGTH = 120

const POSITION = /^\d+$/

/** Field names start with a higher code, so most of them are not searched. */
const NINE = 0x39

const PRINTABLE_ASCII = /^[ -~]*$/

/**
 * Returns the readable name of the field at a JSON pointer, in backticks. Residue is named by its wire keys: the slot and the
 * groups inside of it are left out.
 *
 * @example
 * fieldName('/messages/3/content/0') // '`messages[3].content[0]`'
 * fieldName('/extra/openai-chat/logit_bias') // '`logit_bias`'
 */
export function fieldName(path: string): string {
  if (path === '') return WHOLE_VALUE
  // A translation may report thousands of losses: a path without residue is not split into a list of keys.
  if (!path.includes('~') && !path.includes('/extra')) return `\`${shown(joinPlainPath(path))}\``
  const keys = parsePointer(path)
  const residue = keys.indexOf('extra')
  const named = residue === -1 ? keys : [...keys.slice(0, residue), ...wireKeys(keys.slice(residue + 2))]
  return `\`${shown(named.length === 0 ? keys.join('.') : named.reduce(joinKey, ''))}\``
}

function joinPlainPath(path: string): string {
  let name = ''
  for (let start = 1; start <= path.length;) {
    const slash = path.indexOf('/', start)
    const end = slash === -1 ? path.length : slash
    name = joinKey(name, path.slice(start, end))
    start = end + 1
  }
  return name
}

function joinKey(name: string, key: string): string {
  if (key.charCodeAt(0) <= NINE && POSITION.test(key)) return `${name}[${key}]`
  return name === '' ? key : `${name}.${key}`
}

/** Returns the name of the format that the residue at a JSON pointer comes from. */
export function sourceName(path: string): string {
  const keys = parsePointer(path)
  const slot = keys[keys.indexOf('extra') + 1]
  const isNamed = keys.includes('extra') && slot !== undefined && slot !== 'unknown'
  return isNamed ? shown(slot.split('/')[0] ?? '') : 'another format'
}

/**
 * Limits the length and removes control characters: keys of a conversation are untrusted, and the name is
 * shown in terminals and logs.
 */
function shown(name: string): string {
  const clean = PRINTABLE_ASCII.test(name) ? name : name.replaceAll(/\p{C}/gu, '\uFFFD')
  return clean.length <= MAX_LENGTH ? clean : `…${clean.slice(-MAX_LENGTH)}`
}

/** Returns the wire keys of a path inside residue, without `$` and the group after it. */
export function wireKeys(keys: readonly string[]): readonly string[] {
  return keys.filter((key, index) => key !== '$' && keys[index - 1] !== '$')
}
