import type { TranscriptFormat } from '../transcripts/transcript.ts'
import { defineTranscriptFormat } from '../transcripts/transcript-reader.ts'
import type { NAME } from './constants.ts'
import { transcriptReader } from './reader.ts'

export type { ReadTranscriptOptions, Transcript, TranscriptFormat } from '../transcripts/transcript.ts'

/**
 * The tasks of Cline and Roo Code: `tasks/<id>/api_conversation_history.json`, with the other files of the folder if they are
 * passed too.
 *
 * @example
 * const { sessions } = cline.fromTranscript([{ path: 'api_conversation_history.json', text }])
 */
export const cline: TranscriptFormat<typeof NAME> = /* @__PURE__ */ defineTranscriptFormat(transcriptReader)
