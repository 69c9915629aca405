import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import type { StreamWriter } from '../engine/frame-reader-writer.ts'
import { createContentBoundKeys, createStaleLogprobsRules } from '../engine/content-bound-keys.ts'
import { RESPONSE_SLOT } from './constants.ts'
import { StreamEventWriter } from './stream-event-writer.ts'
import { StreamPlan } from './stream-plan.ts'

/** Creates the writer of a streamed response. */
export function createStreamWriter(context: EncodeContext = noReport): StreamWriter {
  const frames = new StreamEventWriter()
  const plan = new StreamPlan(context, frames)
  return {
    encodeFrame: (kind, events) => frames.encodeFrame(kind, events),
    recordWritten: (wire) => frames.recordWritten(wire),
    plan: (event) => plan.plan(event),
    end: () =>
      plan.end().map(([kind, events]) => {
        const wire = frames.encodeFrame(kind, events)
        frames.recordWritten(wire)
        return wire
      }),
    contentBoundKeys: createContentBoundKeys(createStaleLogprobsRules(['logprobs']), RESPONSE_SLOT, context),
  }
}
