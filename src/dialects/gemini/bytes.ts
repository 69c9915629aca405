const encoder = new TextEncoder()

/** How many bytes of UTF-8 stand before a position of a text. */
export function byteAt(text: string, index: number): number {
  return encoder.encode(text.slice(0, index)).length
}

/** The position of a text before which so many bytes of UTF-8 stand; undefined inside of a character, and past the end. */
export function indexAt(text: string, bytes: number): number | undefined {
  let count = 0
  let index = 0
  for (const character of text) {
    if (count >= bytes) break
    count += sizeOf(character.codePointAt(0) ?? 0)
    index += character.length
  }
  return count === bytes ? index : undefined
}

function sizeOf(code: number): number {
  if (code < 0x80) return 1
  if (code < 0x8_00) return 2
  return code < 0x1_00_00 ? 3 : 4
}
