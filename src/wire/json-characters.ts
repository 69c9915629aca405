/**
 * Whether JSON counts a character as white space; Unicode has more of it.
 *
 * @example
 * isSpace('\t') // true
 */
export function isSpace(character: string): boolean {
  return character === ' ' || character === '\n' || character === '\r' || character === '\t'
}

/**
 * Whether a number or a word cannot go on with this character.
 *
 * @example
 * endsScalar('}') // true
 */
export function endsScalar(character: string): boolean {
  return character === ',' || character === '}' || character === ']' || isSpace(character)
}
