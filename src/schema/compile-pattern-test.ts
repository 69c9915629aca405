import { compilePattern, type Assertion, type PatternState, UnsupportedPattern } from './pattern-program.ts'

/** Counts work; throws when there was too much. */
export type CountSteps = (steps: number) => void

/** Tests a text; a pattern may match anywhere in it unless it has anchors. */
export type PatternTest = (text: string, countSteps: CountSteps) => boolean

/**
 * Compiles the `pattern` of a JSON Schema to a test whose time is linear in the length of the text. Returns undefined for a
 * pattern that needs backtracking (backreference, lookbehind) or thousands of states; throws if it is invalid.
 *
 * @example
 * compilePatternTest('^(\\w+\\s?)*$')?.('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!', () => {}) // false, at once
 */
export function compilePatternTest(pattern: string): PatternTest | undefined {
  try {
    const program = compilePattern(pattern)
    return (text, countSteps) => findMatch(program, text, 0, true, countSteps)
  } catch (error) {
    if (error instanceof UnsupportedPattern) return undefined
    throw error
  }
}

/** Simulates all states in parallel: each is visited at most once for each character. */
function findMatch(
  program: readonly PatternState[],
  text: string,
  from: number,
  isUnanchored: boolean,
  countSteps: CountSteps,
): boolean {
  const visitedAt = new Int32Array(program.length).fill(-1)
  let current: number[] = [0]
  for (let position = from; ;) {
    const codePoint = text.codePointAt(position)
    if (isUnanchored && position > from) current.push(0)
    const next: number[] = []
    // The list grows while it is visited.
    for (let index = 0; index < current.length; index++) {
      const at = current[index] as number
      if (visitedAt[at] === position) continue
      visitedAt[at] = position
      const state = program[at] as PatternState
      if (state.kind === 'match') return true
      if (state.kind === 'branch') for (const target of state.targets) current.push(target)
      else if (state.kind === 'character') {
        if (codePoint !== undefined && state.accepts(codePoint)) next.push(state.next)
      } else if (holds(state, text, position, countSteps)) current.push(state.next)
    }
    // A state costs less than the evaluation of a schema.
    countSteps((current.length + 1) / 8)
    if (codePoint === undefined || (next.length === 0 && !isUnanchored)) return false
    current = next
    position += codePoint > 0xffff ? 2 : 1
  }
}

function holds(
  state: Extract<PatternState, { readonly kind: 'assert' | 'look' }>,
  text: string,
  position: number,
  countSteps: CountSteps,
): boolean {
  if (state.kind === 'look')
    return findMatch(state.body, text, position, false, countSteps) !== state.isNegative
  return ASSERTIONS[state.assertion](text, position)
}

const ASSERTIONS: { readonly [name in Assertion]: (text: string, position: number) => boolean } = {
  '^': (_text, position) => position === 0,
  $: (text, position) => position === text.length,
  '\\b': isWordBoundary,
  '\\B': (text, position) => !isWordBoundary(text, position),
}

function isWordBoundary(text: string, position: number): boolean {
  return /\w/.test(text.charAt(position - 1)) !== /\w/.test(text.charAt(position))
}
