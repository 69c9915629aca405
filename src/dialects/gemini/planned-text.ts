import type { SourceCitation } from '../../canonical/model/citation.ts'
import { isObject, type Json } from '../../wire/json.ts'
import { type Source, stretchOf } from './citations.ts'

/** A text on the wire: pieces that follow each other are one. */
interface Run {
  readonly index: number
  readonly thought: boolean
  text: string
}

/** Where on the wire the text of a part begins. */
export class Stretch {
  readonly #run: Run
  readonly #before: number

  constructor(run: Run, before: number) {
    this.#run = run
    this.#before = before
  }

  /** A citation of the part, as one of the text that the wire has. */
  cited(citation: SourceCitation, said: string): Pick<Source, 'index' | 'text' | 'citation'> {
    const { index, text } = this.#run
    const [start, end] = stretchOf(citation, said) ?? [0, said.length]
    return { index, text, citation: { ...citation, start: this.#before + start, end: this.#before + end } }
  }
}

/** The texts of an answer as a reader puts them together: how many parts there are, and which of them grows. */
export class AnswerText {
  #parts = 0
  #open: Run | undefined

  /** Takes note of a wire part; tells where it stands, and whether it goes on with the text before it. */
  add(wire: Json): { readonly stretch: Stretch; readonly joined: boolean } {
    const { text, thought, ...rest } = isObject(wire) ? wire : { text: null }
    if (typeof text !== 'string' || Object.keys(rest).length > 0) {
      this.#open = undefined
      const whole = { index: this.#parts++, thought: false, text: typeof text === 'string' ? text : '' }
      return { stretch: new Stretch(whole, 0), joined: false }
    }
    const isThought = thought === true
    const open = this.#open
    const joined = open !== undefined && open.thought === isThought
    const run = joined ? open : { index: this.#parts++, thought: isThought, text: '' }
    const stretch = new Stretch(run, run.text.length)
    run.text += text
    this.#open = run
    return { stretch, joined }
  }
}
