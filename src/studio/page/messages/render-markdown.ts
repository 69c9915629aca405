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
export function renderMarkdown(text: string): string {
  const html = markdown.parse(text, { async: false })
  // A trusted value in browsers that check what becomes HTML; its type does not exist in others.
  return DOMPurify.sanitize(html, { ...ALLOWED, RETURN_TRUSTED_TYPE: true }) as unknown as string
}
