/** How far a JSON number has come. */
type Stage = 'start' | 'sign' | 'zero' | 'whole' | 'point' | 'fraction' | 'e' | 'e-sign' | 'power'

type Kind = '0' | '1-9' | '.' | '-' | '+' | 'e'

/** What may follow at each stage, and where it leads. */
const steps: { readonly [stage in Stage]: { readonly [kind in Kind]?: Stage } } = {
  start: { '-': 'sign', '0': 'zero', '1-9': 'whole' },
  sign: { '0': 'zero', '1-9': 'whole' },
  zero: { '.': 'point', e: 'e' },
  whole: { '0': 'whole', '1-9': 'whole', '.': 'point', e: 'e' },
  point: { '0': 'fraction', '1-9': 'fraction' },
  fraction: { '0': 'fraction', '1-9': 'fraction', e: 'e' },
  e: { '-': 'e-sign', '+': 'e-sign', '0': 'power', '1-9': 'power' },
  'e-sign': { '0': 'power', '1-9': 'power' },
  power: { '0': 'power', '1-9': 'power' },
}

const complete: readonly Stage[] = ['zero', 'whole', 'fraction', 'power']

function kindOf(character: string): Kind | undefined {
  if (character >= '1' && character <= '9') return '1-9'
  if (character === 'E') return 'e'
  return '0.-+e'.includes(character) ? (character as Kind) : undefined
}

/** A number that is read by the character; only its text is kept by the caller. */
export interface NumberReader {
  /** Whether this text would be a number if it ended here. */
  readonly complete: boolean
  /** Takes one character, or leaves it (false) because no number goes on so. */
  accept(character: string): boolean
}

/**
 * Follows the grammar of JSON's numbers by the character, so that garbage is told at once.
 *
 * @example
 * const reader = createNumberReader()
 * reader.accept('0') // true
 * reader.accept('1') // false: no number starts with 01
 */
export function createNumberReader(): NumberReader {
  let stage: Stage = 'start'
  return {
    get complete() {
      return complete.includes(stage)
    },
    accept(character) {
      const kind = kindOf(character)
      const next = kind === undefined ? undefined : steps[stage][kind]
      if (next !== undefined) stage = next
      return next !== undefined
    },
  }
}
