/** One state of a pattern: consumes a character, branches, asserts, or matches. */
export type PatternState =
  | { readonly kind: 'character'; readonly accepts: (codePoint: number) => boolean; next: number }
  | { readonly kind: 'branch'; targets: number[] }
  | { readonly kind: 'assert'; readonly assertion: Assertion; next: number }
  | {
      readonly kind: 'look'
      readonly body: readonly PatternState[]
      readonly isNegative: boolean
      next: number
    }
  | { readonly kind: 'match' }

/** An assertion about the position: start, end, word boundary, no word boundary. */
export type Assertion = '^' | '$' | '\\b' | '\\B'

/** More states than any pattern that was written by hand; `(a{99}){99}` repeats its body once for each count. */
const MAX_STATES = 5_000

/** Thrown for a pattern that needs backtracking, or too many states. */
export class UnsupportedPattern extends Error {
  override readonly name = 'UnsupportedPattern'
}

/** A piece of a program with one entry; `exits` set the state that follows it. */
interface Fragment {
  readonly start: number
  readonly exits: readonly ((target: number) => void)[]
}

/**
 * Compiles a regular expression of JavaScript to states that are simulated in parallel, so that matching takes linear time.
 * Backreferences and lookbehind are not supported. The pattern must be valid with the flag `u`.
 */
export function compilePattern(pattern: string): readonly PatternState[] {
  new RegExp(pattern, 'u')
  return new PatternCompiler(pattern).compile()
}

class PatternCompiler {
  readonly #source: string
  #position = 0
  #states: PatternState[] = []
  #stateCount = 0

  constructor(source: string) {
    this.#source = source
  }

  compile(): readonly PatternState[] {
    return this.#compileBody()
  }

  /** Compiles up to the end of the pattern, or of a lookahead, as a program of its own. The first state is its entry. */
  #compileBody(): readonly PatternState[] {
    const outer = this.#states
    this.#states = []
    const entry = this.#add({ kind: 'branch', targets: [] })
    const body = this.#alternatives()
    const match = this.#add({ kind: 'match' })
    ;(this.#states[entry] as { targets: number[] }).targets = [body.start]
    connect(body, match)
    const states = this.#states
    this.#states = outer
    return states
  }

  #alternatives(): Fragment {
    const options = [this.#sequence()]
    while (this.#take('|')) options.push(this.#sequence())
    const [only] = options
    if (options.length === 1 && only !== undefined) return only
    const start = this.#add({ kind: 'branch', targets: options.map((option) => option.start) })
    return { start, exits: options.flatMap((option) => option.exits) }
  }

  #sequence(): Fragment {
    let whole = this.#empty()
    while (this.#position < this.#source.length && !/[|)]/.test(this.#peek()))
      whole = join(whole, this.#quantified())
    return whole
  }

  #quantified(): Fragment {
    const start = this.#position
    const first = this.#atom()
    const bounds = this.#quantifier()
    if (bounds === undefined) return first
    const end = this.#position
    const [min, max] = bounds
    const repeat = (): Fragment => {
      this.#position = start
      const copy = this.#atom()
      this.#position = end
      return copy
    }
    let whole = this.#empty()
    let copy: Fragment | undefined = first
    const take = (): Fragment => {
      const taken = copy ?? repeat()
      copy = undefined
      return taken
    }
    for (let count = 0; count < min; count++) whole = join(whole, take())
    if (max === Infinity) return join(whole, this.#loop(take()))
    const skips: ((target: number) => void)[] = []
    for (let count = min; count < max; count++) {
      const optional = this.#optional(take())
      skips.push(optional.skip)
      whole = join(whole, optional.fragment)
    }
    return { start: whole.start, exits: [...whole.exits, ...skips] }
  }

  #loop(body: Fragment): Fragment {
    const targets = [body.start]
    const start = this.#add({ kind: 'branch', targets })
    connect(body, start)
    return { start, exits: [(target) => targets.push(target)] }
  }

  #optional(body: Fragment): { readonly fragment: Fragment; readonly skip: (target: number) => void } {
    const targets = [body.start]
    const start = this.#add({ kind: 'branch', targets })
    return { fragment: { start, exits: body.exits }, skip: (target) => targets.push(target) }
  }

  #atom(): Fragment {
    if (this.#take('(')) return this.#group()
    const assertion = /^(?:[\^$]|\\[bB])/.exec(this.#source.slice(this.#position, this.#position + 2))?.[0]
    if (assertion !== undefined) {
      this.#position += assertion.length
      const state = { kind: 'assert' as const, assertion: assertion as Assertion, next: 0 }
      return { start: this.#add(state), exits: [(target) => (state.next = target)] }
    }
    const state = { kind: 'character' as const, accepts: createCharacterTest(this.#characterText()), next: 0 }
    return { start: this.#add(state), exits: [(target) => (state.next = target)] }
  }

  #group(): Fragment {
    const look = /^\?(?:[=!]|<[=!])/.exec(this.#source.slice(this.#position, this.#position + 3))?.[0]
    if (look?.includes('<')) throw new UnsupportedPattern('lookbehind')
    if (look !== undefined) {
      this.#position += look.length
      const state = { kind: 'look' as const, body: this.#compileBody(), isNegative: look === '?!', next: 0 }
      this.#position++
      return { start: this.#add(state), exits: [(target) => (state.next = target)] }
    }
    if (this.#take('?')) this.#skipGroupHead()
    const body = this.#alternatives()
    this.#position++
    return body
  }

  /** Skips the `:` or the name of a group. Flags inside of a group are not supported. */
  #skipGroupHead(): void {
    const head = /^(?::|<[^>]*>)/.exec(this.#source.slice(this.#position))?.[0]
    if (head === undefined) throw new UnsupportedPattern('flags')
    this.#position += head.length
  }

  /** Returns the text of one character or class. */
  #characterText(): string {
    const rest = this.#source.slice(this.#position, this.#position + MAX_CHARACTER_TEXT)
    const text = CHARACTER.exec(rest)?.[0]
    if (text === undefined || /^\\(?:[1-9]|k)/.test(text)) throw new UnsupportedPattern('backreference')
    this.#position += text.length
    return text
  }

  #quantifier(): readonly [min: number, max: number] | undefined {
    const found = QUANTIFIER.exec(this.#source.slice(this.#position, this.#position + 40))
    if (found === null) return undefined
    this.#position += found[0].length
    const [, sign = '', min = '', comma = '', max = ''] = found
    if (sign !== '') return sign === '*' ? [0, Infinity] : sign === '+' ? [1, Infinity] : [0, 1]
    return [Number(min), comma === '' ? Number(min) : max === '' ? Infinity : Number(max)]
  }

  #empty(): Fragment {
    const targets: number[] = []
    return { start: this.#add({ kind: 'branch', targets }), exits: [(target) => targets.push(target)] }
  }

  #add(state: PatternState): number {
    if (++this.#stateCount > MAX_STATES) throw new UnsupportedPattern('too many states')
    return this.#states.push(state) - 1
  }

  #peek(): string {
    return this.#source.charAt(this.#position)
  }

  #take(character: string): boolean {
    if (this.#peek() !== character) return false
    this.#position++
    return true
  }
}

/** A class, an escape, or one character. */
const CHARACTER =
  /^(?:\[(?:\\.|[^\]\\])*\]|\\(?:u\{[\da-f]+\}|u[\da-f]{4}(?:\\u[\da-f]{4})?|x[\da-f]{2}|c[a-z]|p\{[^}]*\}|.)|.)/isu

const MAX_CHARACTER_TEXT = 10_000
const QUANTIFIER = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/

function connect(fragment: Fragment, target: number): void {
  for (const exit of fragment.exits) exit(target)
}

function join(first: Fragment, second: Fragment): Fragment {
  connect(first, second.start)
  return { start: first.start, exits: second.exits }
}

/** Returns a test for one character: the platform decides what a class or an escape contains. */
function createCharacterTest(text: string): (codePoint: number) => boolean {
  const expression = new RegExp(`^(?:${text})$`, 'u')
  const known = new Map<number, boolean>()
  return (codePoint) => {
    let isAccepted = known.get(codePoint)
    if (isAccepted === undefined) {
      isAccepted = expression.test(String.fromCodePoint(codePoint))
      if (known.size < 1_000) known.set(codePoint, isAccepted)
    }
    return isAccepted
  }
}
