/** Stands for the path of a whole value. */
const WHOLE_VALUE = 'the whole value'

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
  const keys = path
    .slice(1)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  const residue = keys.indexOf('extra')
  const named = residue === -1 ? keys : [...keys.slice(0, residue), ...wireKeys(keys.slice(residue + 2))]
  const text = named.reduce((name, key) => name + step(key, name === ''), '')
  return `\`${text === '' ? keys.join('.') : text}\``
}

/** Returns the wire keys of a path inside residue: a `$` and the group after it hold no key. */
export function wireKeys(keys: readonly string[]): readonly string[] {
  return keys.filter((key, index) => key !== '$' && keys[index - 1] !== '$')
}

function step(key: string, isFirst: boolean): string {
  if (/^\d+$/.test(key)) return `[${key}]`
  return isFirst ? key : `.${key}`
}
