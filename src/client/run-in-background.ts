import type {
  BackgroundRuns,
  CallOptions,
  ModelInput,
  Reply,
  ReplyStream,
} from '../canonical/model/model-interface.ts'
import { createReplyStream } from './reply-stream.ts'

/** Runs a call in the background and waits for its reply. Aborting the call cancels the run, whose id no caller has. */
export async function runInBackground(
  runs: BackgroundRuns,
  input: ModelInput,
  call: CallOptions = {},
): Promise<Reply> {
  const { id, losses, reply: immediateReply } = await runs.start(input, call)
  if (immediateReply !== undefined) return immediateReply
  try {
    const reply = await runs.wait(id, { ...call, request: input })
    return { ...reply, losses: [...losses, ...reply.losses] }
  } catch (error) {
    if (call.signal?.aborted === true) cancelWithoutWaiting(runs, id)
    throw error
  }
}

/** Streams a call that runs in the background. Aborting the call, or leaving the stream, cancels the run. */
export function streamInBackground(
  runs: BackgroundRuns,
  input: ModelInput,
  callerOptions: CallOptions = {},
): ReplyStream {
  return createReplyStream(async function* (signal) {
    const stream = runs.stream(input, { ...callerOptions, signal })
    let id: string | undefined
    let isFinished = false
    try {
      for await (const event of stream) {
        if (event.type === 'start') ({ id } = event)
        isFinished ||= event.type === 'finish'
        yield event
      }
      return await stream.reply
    } finally {
      if (!isFinished && id !== undefined && signal.aborted) cancelWithoutWaiting(runs, id)
    }
  }, callerOptions.signal)
}

/** Cancels a run. If that fails, the run ends by itself. */
function cancelWithoutWaiting(runs: BackgroundRuns, id: string): void {
  runs.cancel(id).catch(() => {})
}
