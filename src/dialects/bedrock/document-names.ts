import { child, type Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import type { BedrockHints } from './hints.ts'

// "alphanumeric characters, whitespace characters (no more than one in a row), hyphens, parentheses, square brackets", 1 to 200
// characters: docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_DocumentBlock.html. A repeated name is refused with
// "Messages can't contain duplicate document names".
const MAX_NAME_LENGTH = 200
const DEFAULT_NAME = 'document'
const validName = /^(?! )(?:[a-zA-Z0-9\-()[\]]| (?! ))+(?<! )$/
const invalidCharacters = /[^a-zA-Z0-9\-()[\]]+/g
const fileExtension = /\.[a-zA-Z0-9]{1,5}$/

/** Returns true for a name that the API accepts, if no other document has it. */
export function isValidDocumentName(name: string): boolean {
  return name.length <= MAX_NAME_LENGTH && validName.test(name)
}

/** Returns a name without its extension and with spaces instead of the characters that the API refuses. */
function fitDocumentName(name: string): string {
  if (isValidDocumentName(name)) return name
  const fitted = name.replace(fileExtension, '').replaceAll(invalidCharacters, ' ').trim()
  const short = fitted.slice(0, MAX_NAME_LENGTH).trim()
  return short === '' ? DEFAULT_NAME : short
}

/** Names the documents of one conversation: each name is valid and occurs once. */
export class DocumentNamer {
  readonly #used: Set<string>
  /** The number after which the search for a free name continues, by name. */
  readonly #counts: Map<string, number>

  constructor(used: Iterable<string> = [], counts: Iterable<readonly [string, number]> = []) {
    this.#used = new Set(used)
    this.#counts = new Map(counts)
  }

  /** Returns the name of a document: as received, or changed, which is reported. */
  name(
    given: string | undefined,
    hints: BedrockHints,
    path: Path | undefined,
    context: EncodeContext,
  ): string {
    if (hints['acceptedDocumentName'] === given && given !== undefined) {
      this.#used.add(given.toLowerCase())
      return given
    }
    const name = this.#findFree(fitDocumentName(given ?? ''))
    if (given === undefined) context.report('file-named', path)
    else if (name !== given) context.report('file-renamed', child(path, 'name'))
    this.#used.add(name.toLowerCase())
    return name
  }

  #findFree(name: string): string {
    const key = name.toLowerCase()
    if (!this.#used.has(key)) return name
    for (let count = (this.#counts.get(key) ?? 1) + 1; ; count++) {
      const suffix = ` (${count})`
      const numbered = `${name.slice(0, MAX_NAME_LENGTH - suffix.length).trim()}${suffix}`
      if (this.#used.has(numbered.toLowerCase())) continue
      this.#counts.set(key, count)
      return numbered
    }
  }

  /** Returns a copy in the same state. */
  fork(): DocumentNamer {
    return new DocumentNamer(this.#used, this.#counts)
  }
}
