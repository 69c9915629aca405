import { existsSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { marked, type Token } from 'marked'
import { expect, test } from 'vitest'
import { toHeadingSlug } from '../../tools/docs-site/heading-slug.ts'
import { pages, root } from './pages.ts'

/** Returns all tokens of a page, those within others too. */
function listTokens(text: string): readonly Token[] {
  const tokens: Token[] = []
  void marked.walkTokens(marked.lexer(text), (token) => {
    tokens.push(token)
  })
  return tokens
}

/** Returns the text of a heading without its markup. */
function toPlainText(token: Token): string {
  if ('tokens' in token && token.tokens !== undefined) return token.tokens.map(toPlainText).join('')
  return 'text' in token ? String(token.text) : ''
}

/** Returns the anchors of a page; GitHub numbers those that it has already written. */
function listAnchors(text: string): ReadonlySet<string> {
  const anchors = new Set<string>()
  for (const token of listTokens(text)) {
    if (token.type !== 'heading') continue
    const slug = toHeadingSlug(toPlainText(token))
    let anchor = slug
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${slug}-${count}`
    anchors.add(anchor)
  }
  return anchors
}

const anchorsByPage = new Map(pages.map(({ path, text }) => [path, listAnchors(text)]))

/** Returns true if the file of a relative link exists, and its anchor if the file is a page. */
function isAlive(page: string, link: string): boolean {
  const [target = '', anchor] = link.split('#')
  const path = target === '' ? page : posix.join(dirname(page), target)
  if (!existsSync(join(root, path))) return false
  return anchor === undefined || (anchorsByPage.get(path)?.has(anchor) ?? false)
}

test.each(pages)('$path links only to files and headings that exist', ({ path, text }) => {
  const links = listTokens(text).flatMap((token) =>
    token.type === 'link' || token.type === 'image' ? [String(token['href'])] : [],
  )
  const relative = links.filter((link) => !/^[a-z]+:/.test(link))
  expect(relative.filter((link) => !isAlive(path, link))).toEqual([])
})

test('a link to a missing file or heading is found', () => {
  expect(isAlive('docs/guide/streaming.md', 'missing.md')).toBe(false)
  expect(isAlive('docs/guide/streaming.md', 'tools-and-agents.md#missing')).toBe(false)
  expect(isAlive('docs/guide/streaming.md', 'tools-and-agents.md#prompt-caching')).toBe(true)
})
