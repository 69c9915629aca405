import type { VNode } from 'preact'

/** Shows a message or request next to what each dialect sends. */
export function LensView(): VNode {
  return <h1>Lens</h1>
}
