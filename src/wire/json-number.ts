/** How far a JSON number has come. */
export type NumberStage =
  | 'start'
  | 'sign'
  | 'zero'
  | 'whole'
  | 'point'
  | 'fraction'
  | 'e'
  | 'e-sign'
  | 'power'

type Kind = '0' | '1-9' | '.' | '-' | '+' | 'e'

/** What may follow at each stage, and where it leads. */
const steps: { readonly [stage in NumberStage]: { readonly [kind in Kind]?: NumberStage } } = {
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

function kindOf(character: string): Kind | undefined {
  if (character >= '1' && character <= '9') return '1-9'
  if (character === 'E') return 'e'
  return character !== '' && '0.-+e'.includes(character) ? (character as Kind) : undefined
}

/**
 * The next stage of a number, or undefined when none goes on so: the grammar is followed by the character, so that
 * garbage is told at once.
 *
 * @example
 * nextStage('start', '0') // 'zero'
 * nextStage('zero', '1') // undefined: no number starts with 01
 */
export function nextStage(stage: NumberStage, character: string): NumberStage | undefined {
  const kind = kindOf(character)
  return kind === undefined ? undefined : steps[stage][kind]
}

/**
 * Whether a number may end here.
 *
 * @example
 * mayEnd('point') // false: 1. is none
 */
export function mayEnd(stage: NumberStage): boolean {
  return stage === 'zero' || stage === 'whole' || stage === 'fraction' || stage === 'power'
}
