import type { TranscriptFormat } from '../transcripts/transcript.ts'
import { defineTranscriptFormat } from '../transcripts/transcript-reader.ts'
import type { NAME } from './constants.ts'
import { transcriptReader } from './reader.ts'

export type { ReadTranscriptOptions, Transcript, TranscriptFormat } from '../transcripts/transcript.ts'

/**
 * The session files of Continue: `~/.continue/sessions/<session>.json`.
 *
 * @example
 * const { sessions } = continueSessions.fromTranscript(await readFile('session.json', 'utf8'))
 */
export const continueSessions: TranscriptFormat<typeof NAME> =
  /* @__PURE__ */ defineTranscriptFormat(transcriptReader)
