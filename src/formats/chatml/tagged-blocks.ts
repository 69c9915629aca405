/** A block between an opening and a closing tag. */
export interface TaggedBlock<Tag extends string> {
  readonly tag: Tag
  /** The position of the opening tag, and the one after the closing tag. */
  readonly start: number
  readonly end: number
  readonly content: string
}

/** Finds the blocks of several tags in their order. A tag that is not closed is text. The work is linear. */
export function* findTaggedBlocks<Tag extends string>(
  text: string,
  tags: readonly Tag[],
): Generator<TaggedBlock<Tag>> {
  const starts = new Map(tags.map((tag) => [tag, text.indexOf(`<${tag}>`)]))
  for (let position = 0; ;) {
    let next: { readonly tag: Tag; readonly start: number } | undefined
    for (const [tag, found] of starts) {
      const start = found === -1 || found >= position ? found : text.indexOf(`<${tag}>`, position)
      starts.set(tag, start)
      if (start !== -1 && (next === undefined || start < next.start)) next = { tag, start }
    }
    if (next === undefined) return
    const { tag, start } = next
    const closing = `</${tag}>`
    const close = text.indexOf(closing, start)
    if (close === -1) {
      starts.set(tag, -1)
      continue
    }
    position = close + closing.length
    yield { tag, start, end: position, content: text.slice(start + tag.length + 2, close) }
  }
}

/** Returns the contents of a text that consists of blocks of a tag and blanks; undefined for any other text. */
export function readOnlyBlocks(text: string, tag: string): readonly string[] | undefined {
  let position = 0
  const contents: string[] = []
  for (const { start, end, content } of findTaggedBlocks(text, [tag])) {
    if (text.slice(position, start).trim() !== '') return undefined
    position = end
    contents.push(content)
  }
  return contents.length > 0 && text.slice(position).trim() === '' ? contents : undefined
}

/** Returns the content of a block without the line breaks after its opening and before its closing tag. */
export function trimLineBreaks(content: string): string {
  const from = content.startsWith('\n') ? 1 : 0
  return content.slice(from, content.endsWith('\n') && content.length > from ? -1 : undefined)
}
