import { getKey, type Path } from '../../wire/json-pointer.ts'

/** The name of the empty path. */
const WHOLE_VALUE = 'the whole value'

/** The maximum length of a name; the end of a longer one is kept, because it identifies the field. */
const MAX_LENGTH = 120

const NINE = 0x39

const PRINTABLE_ASCII = /^[ -~]*$/

/** A field name that is shown as it is. Most keys are of this form, so that a name is built without further checks. */
const PLAIN_KEY = /^[a-z]\w*$/i

/**
 * Returns the readable name of a field, in backticks. Residue is named by its wire keys: the slot and the groups inside of
 * it are left out. The name is built from the path, not from its text: a translation may report thousands of losses.
 *
 * @example
 * fieldName(toPath('/messages/3/content/0')) // '`messages[3].content[0]`'
 * fieldName(toPath('/extra/openai-chat/logit_bias')) // '`logit_bias`'
 */
export function formatFieldName(path: Path | undefined): string {
  if (path === undefined) return WHOLE_VALUE
  let name = ''
  let separator = ''
  for (let step: Path | undefined = path; step !== undefined; step = step.parent) {
    const key = getKey(step)
    const isPosition = typeof key === 'number'
    if (!isPosition && (key === 'extra' || !PLAIN_KEY.test(key))) return formatUnusualName(path)
    name = (isPosition ? `[${key}]` : key) + separator + name
    separator = isPosition ? '' : '.'
  }
  return name.length > MAX_LENGTH ? formatUnusualName(path) : `\`${name}\``
}

/** Returns the name of a field with residue, unusual keys or a long path. */
function formatUnusualName(path: Path): string {
  const keys = keysOf(path)
  const residue = keys.indexOf('extra')
  const named = residue === -1 ? keys : [...keys.slice(0, residue), ...toWireKeys(keys.slice(residue + 2))]
  let name = ''
  for (const key of named) name += isPosition(key) ? `[${key}]` : name === '' ? key : `.${key}`
  return `\`${shown(name === '' ? keys.join('.') : name)}\``
}

/** Most keys are field names: their first character shows that they are no positions. */
function isPosition(key: string): boolean {
  return key.charCodeAt(0) <= NINE && /^\d+$/.test(key)
}

/** Returns the name of the format that the residue at a path comes from. */
export function getResidueSourceName(path: Path | undefined): string {
  const keys = keysOf(path)
  const slot = keys[keys.indexOf('extra') + 1]
  const isNamed = keys.includes('extra') && slot !== undefined && slot !== 'unknown'
  return isNamed ? shown(slot.split('/')[0] ?? '') : 'another format'
}

function keysOf(path: Path | undefined): readonly string[] {
  const keys: string[] = []
  for (let step = path; step !== undefined; step = step.parent) keys.push(String(getKey(step)))
  return keys.reverse()
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
export function toWireKeys(keys: readonly string[]): readonly string[] {
  return keys.filter((key, index) => key !== '$' && keys[index - 1] !== '$')
}
