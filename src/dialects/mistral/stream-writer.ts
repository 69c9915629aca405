import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import type { StreamWriter } from '../engine/frame-reader-writer.ts'
import { createContentBoundKeys, createStaleLogprobsRules } from '../engine/content-bound-keys.ts'
import { ChatChunkWriter } from '../shared/chat-chunk-writer.ts'
import { DIALECT_SLOT } from './constants.ts'
import { encodeFinish, encodeUsage } from './response-metadata.ts'
import { mergeContent, StreamPartWriter } from './stream-part-writer.ts'
import { StreamPlan } from './stream-plan.ts'

/** Creates the writer of a streamed completion. */
export function createStreamWriter(context: EncodeContext = noReport): StreamWriter {
  const parts = new StreamPartWriter()
  const plan = new StreamPlan(context, parts)
  const chunks = new ChatChunkWriter(parts, {
    encodeFinish,
    encodeUsageField: (usage) => ({ usage: encodeUsage(usage, context) }),
    mergeContent,
  })
  return {
    contentBoundKeys: createContentBoundKeys(createStaleLogprobsRules(['logprobs']), DIALECT_SLOT, context),
    encodeFrame: (_kind, events) => chunks.encodeChunk(events),
    recordWritten: (wire) => chunks.recordWritten(wire),
    plan: (event) => plan.plan(event),
    end: () => plan.end().map(([, events]) => chunks.encodeChunk(events)),
  }
}
