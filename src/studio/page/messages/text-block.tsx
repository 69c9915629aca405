import type { VNode } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { renderMarkdown } from './render-markdown.ts'
import { toVisibleText } from './to-visible-text.ts'

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
