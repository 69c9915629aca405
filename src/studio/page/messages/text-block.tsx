import type { VNode } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { toVisibleText } from '../format-values.ts'
import DOMPurify from 'dompurify'
import { Marked, type Tokens } from 'marked'

/** The elements and attributes of rendered Markdown: no images, styles, forms or scripts. */
const ALLOWED = {
  ALLOWED_TAGS:
    'a blockquote br code del em h1 h2 h3 h4 h5 h6 hr li ol p pre s span strong table tbody td th thead tr ul'.split(
      ' ',
    ),
  ALLOWED_ATTR: ['href', 'start', 'align', 'title'],
  ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const markdown = new Marked({
  gfm: true,
  renderer: {
    // HTML in an answer is shown as text.
    html: ({ text }: Tokens.HTML | Tokens.Tag) => escapeHtml(text),
    // An image would tell its server that the answer was read, and what its address contains.
    image: ({ href, text }: Tokens.Image) =>
      `<a href="${escapeHtml(href)}">image: ${escapeHtml(text || 'without description')}</a>`,
  },
})

DOMPurify.addHook('afterSanitizeAttributes', (node) => {
  if (node.tagName !== 'A') return
  const href = node.getAttribute('href')
  if (href === null) return
  node.setAttribute('target', '_blank')
  node.setAttribute('rel', 'noopener noreferrer nofollow')
  node.setAttribute('title', href)
  node.setAttribute('class', 'external')
})

/** Renders Markdown of a model as HTML that loads and runs nothing. */
function renderMarkdown(text: string): string {
  const html = markdown.parse(text, { async: false })
  // A trusted value in browsers that check what becomes HTML; its type does not exist in others.
  return DOMPurify.sanitize(html, { ...ALLOWED, RETURN_TRUSTED_TYPE: true }) as unknown as string
}

/** Longer texts are shown as plain text, piece by piece: rendering megabytes would freeze the page. */
const MAX_MARKDOWN_LENGTH = 60_000
const PIECE_LENGTH = 20_000

interface TextBlockProps {
  readonly text: string
  /** True to render Markdown; a text that still grows is shown as it is. */
  readonly isMarkdown?: boolean
}

/** Shows a text of a model or a user. */
export function TextBlock({ text, isMarkdown = false }: TextBlockProps): VNode {
  if (text.length > MAX_MARKDOWN_LENGTH) return <LongText text={text} />
  return isMarkdown ? <Markdown text={text} /> : <div class="plain-text">{toVisibleText(text)}</div>
}

function Markdown({ text }: { readonly text: string }): VNode {
  const html = useMemo(() => renderMarkdown(toVisibleText(text)), [text])
  return <div class="markdown" dangerouslySetInnerHTML={{ __html: html }} />
}

function LongText({ text }: { readonly text: string }): VNode {
  const [length, setLength] = useState(PIECE_LENGTH)
  const rest = text.length - length
  return (
    <div>
      <div class="plain-text">{toVisibleText(text.slice(0, length))}</div>
      {rest > 0 && (
        <button type="button" onClick={() => setLength(length + PIECE_LENGTH)}>
          Show more ({rest.toLocaleString('en')} characters are hidden)
        </button>
      )}
    </div>
  )
}
