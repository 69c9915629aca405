import type { ChatRequest } from '../../canonical/model/request.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import { isObject, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import type { StreamWriter } from '../engine/frame-reader-writer.ts'
import { createStaleLogprobsRules, createContentBoundKeys } from '../engine/content-bound-keys.ts'
import { getHints } from '../engine/residue-slots.ts'
import { ChatChunkWriter } from '../shared/chat-chunk-writer.ts'
import { DIALECT_SLOT } from './constants.ts'
import { encodeFinish, encodeUsage } from './response-metadata.ts'
import { StreamPlan } from './stream-plan.ts'
import { StreamPartWriter } from './stream-part-writer.ts'

/** Creates the writer of a streamed completion. */
export function createStreamWriter(context: EncodeContext = noReport): StreamWriter {
  const parts = new StreamPartWriter()
  const plan = new StreamPlan(context, parts)
  const chunks = new ChatChunkWriter(parts, { encodeFinish, encodeUsageField })
  return {
    contentBoundKeys: createContentBoundKeys(createStaleLogprobsRules(['logprobs']), DIALECT_SLOT, context),
    encodeFrame: (_kind, events) => chunks.encodeChunk(events),
    recordWritten: (wire) => chunks.recordWritten(wire),
    plan: (event) => plan.plan(event),
    end: () => {
      const last = plan.end().map(([, events]) => chunks.encodeChunk(events))
      const { usage } = plan
      if (usage === undefined) return last
      // The last usage has a chunk of its own, without choices: a client that did not ask for it may fail.
      if (isUsageRequested(context.options.request))
        return [...last, { ...chunks.encodeChunk([]), usage: encodeUsage(usage) }]
      context.report('usage-not-requested', child(undefined, 'usage'))
      return last
    },
  }
}

/** Returns whether a request asked for usage in its stream; true if the request is not known. */
function isUsageRequested(request: ChatRequest | undefined): boolean {
  const options = request?.extra?.[DIALECT_SLOT]?.['stream_options']
  return request === undefined || (isObject(options) && options['include_usage'] === true)
}

/** Encodes usage in the field from which it was read. */
function encodeUsageField(usage: Usage): JsonObject {
  const fields = { usage: encodeUsage(usage) }
  return getHints(usage, DIALECT_SLOT)['usageField'] === 'x_groq' ? { x_groq: fields } : fields
}
