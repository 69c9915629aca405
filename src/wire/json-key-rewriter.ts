/** Renames the keys of a JSON object while its text arrives in pieces, split anywhere. */
export interface JsonKeyRewriter {
  /** Returns the next piece with renamed keys. An incomplete key is kept back until its end has arrived. */
  push(text: string): string
  /** Returns the text that was kept back, at the end of an incomplete object. */
  end(): string
}

/**
 * Creates a rewriter for the keys of the outermost object; those of nested objects stay unchanged. `rename` returns the new
 * key, or undefined to keep the key as it was written.
 *
 * @example
 * const rewriter = createJsonKeyRewriter((key) => (key === 'top' ? '$top' : undefined))
 * rewriter.push('{"to') // '{'
 * rewriter.push('p":1}') // '"$top":1}'
 */
export function createJsonKeyRewriter(rename: (key: string) => string | undefined): JsonKeyRewriter {
  let depth = 0
  /** True between the start of the object, or a comma in it, and its next key. */
  let isKeyExpected = false
  let isInString = false
  let isEscaped = false
  /** The text of the key that is being read, including its opening quote; undefined outside of such a key. */
  let key: string | undefined

  function readString(character: string): string {
    if (isEscaped) isEscaped = false
    else if (character === '\\') isEscaped = true
    else isInString = character !== '"'
    if (key === undefined) return character
    key += character
    if (isInString) return ''
    const complete = key
    key = undefined
    return renameKey(complete)
  }

  function renameKey(written: string): string {
    try {
      const renamed = rename(JSON.parse(written) as string)
      return renamed === undefined ? written : JSON.stringify(renamed)
    } catch {
      return written // Not valid JSON: the text is passed on.
    }
  }

  function readStructure(character: string): string {
    if (character === '"') {
      isInString = true
      if (depth === 1 && isKeyExpected) key = character
      isKeyExpected = false
      return key === undefined ? character : ''
    }
    if (character === '{' || character === '[') depth++
    if (character === '}' || character === ']') depth--
    if (depth === 1 && (character === '{' || character === ',')) isKeyExpected = true
    return character
  }

  return {
    push(text) {
      let written = ''
      for (const character of text) written += isInString ? readString(character) : readStructure(character)
      return written
    },
    end() {
      const rest = key ?? ''
      key = undefined
      return rest
    },
  }
}
