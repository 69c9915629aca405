import { isObject, type Json } from '../../wire/json.ts'

/** The kinds of values in a prompt that can fill an argument. */
export type PromptValueKind = 'number' | 'formula' | 'date' | 'email' | 'uri' | 'quoted' | 'name'

/** The number of characters that are scanned, which bounds the time for long texts. */
const MAX_SCANNED_CHARACTERS = 4_000

const WORD_PATTERNS: { readonly [kind in PromptValueKind]: RegExp } = {
  number: /(?<![\w.-])-?\d+(?:\.\d+)?(?!\w|-\d|\.\d)/g,
  formula: /[(\d][\d\s.()]{0,60}[+*/^-][\d\s.()+*/^-]{0,60}[)\d]/g,
  date: /\b\d{4}-\d{2}-\d{2}\b/g,
  email: /[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{1,64}\w/g,
  uri: /https?:\/\/[^\s"'<>]{1,2000}/g,
  quoted:
    /"[^"]{1,500}"|“[^”]{1,500}”|„[^“”]{1,500}[“”]|«[^»]{1,500}»|`[^`]{1,500}`|(?<!\w)'[^']{1,500}'(?!\w)/g,
  /** Capitalized words inside a sentence: names of cities and people. */
  name: /(?<=[\p{L}\p{N},;:] )\p{Lu}[\p{L}'’-]*(?: \p{Lu}[\p{L}'’-]*)*/gu,
}

/** The values in a prompt, each of which is used once, and the values of earlier tool results, by name. */
export class PromptValues {
  readonly text: string
  readonly #found = new Map<PromptValueKind, string[]>()
  readonly #resultValues = new Map<string, Json>()

  constructor(text: string, results: readonly Json[] = []) {
    this.text = text
    const begin = text.slice(0, MAX_SCANNED_CHARACTERS)
    for (const [kind, pattern] of Object.entries(WORD_PATTERNS) as [PromptValueKind, RegExp][]) {
      const found = begin.match(pattern) ?? []
      this.#found.set(kind, kind === 'quoted' ? found.map((quote) => quote.slice(1, -1)) : [...found])
    }
    for (const result of results) this.#collectResultValues(result)
  }

  /** Removes and returns the next value of a kind. */
  take(kind: PromptValueKind): string | undefined {
    return this.#found.get(kind)?.shift()
  }

  /** Returns true if the text contains a value, ignoring case. */
  mentions(value: string): boolean {
    return value !== '' && this.text.toLowerCase().includes(value.toLowerCase())
  }

  /** Returns the value that a tool result has under a name. */
  resultValue(name: string): Json | undefined {
    return this.#resultValues.get(name)
  }

  #collectResultValues(value: Json): void {
    if (Array.isArray(value)) for (const item of value as readonly Json[]) this.#collectResultValues(item)
    if (!isObject(value)) return
    for (const [name, item] of Object.entries(value)) {
      if (!this.#resultValues.has(name)) this.#resultValues.set(name, item)
      this.#collectResultValues(item)
    }
  }
}
