import { type ReadonlySignal, signal } from '@preact/signals'
import { tryDecodeSegment } from '../../wire/urls.ts'

/** The part of the address after `#/`: the id of a view, and what it shows. */
export interface PageLocation {
  readonly view: string
  /** The id of a conversation. */
  readonly item?: string
  /** The id of a message of the conversation. */
  readonly message?: string
}

const currentPlace = signal<PageLocation>({ view: '' })
const pendingLensText = signal<string | undefined>(undefined)

/** The place that the page shows. */
export const pageLocation: ReadonlySignal<PageLocation> = currentPlace

/** The text that the lens opens next; a view that has read it calls {@link takeLensText}. */
export const lensText: ReadonlySignal<string | undefined> = pendingLensText

/** Reads a place from the hash of an address, which may be malformed. */
export function parsePageLocation(hash: string): PageLocation {
  const [view = '', item, message] = hash.replace(/^#\/?/, '').split('/').map(tryDecodeSegment)
  return { view, ...(item && { item }), ...(message && { message }) }
}

/** Returns the hash of a place, for links. Ids may contain slashes. */
export function formatPageLocation({ view, item, message }: PageLocation): string {
  const segments = [view, item, message].filter((segment) => segment !== undefined)
  return `#/${segments.map(encodeURIComponent).join('/')}`
}

/** Opens a view. The browser's Back button returns to the one before. */
export function openPageLocation(next: PageLocation): void {
  location.hash = formatPageLocation(next)
}

/** Opens the lens with a text: a wire body, a stream, or canonical messages. */
export function openInLens(text: string): void {
  pendingLensText.value = text
  openPageLocation({ view: 'lens' })
}

/** Returns the text that the lens opens next, once. */
export function takeLensText(): string | undefined {
  const text = pendingLensText.peek()
  pendingLensText.value = undefined
  return text
}

/** Follows the address of the page. Returns a function that ends this. */
export function followAddress(): () => void {
  const update = (): void => {
    currentPlace.value = parsePageLocation(location.hash)
  }
  update()
  addEventListener('hashchange', update)
  return () => removeEventListener('hashchange', update)
}
