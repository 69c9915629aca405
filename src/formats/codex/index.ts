import type { TranscriptFormat } from '../transcripts/transcript.ts'
import { defineTranscriptFormat } from '../transcripts/transcript-reader.ts'
import type { NAME } from './constants.ts'
import { transcriptReader } from './reader.ts'

export type { ReadTranscriptOptions, Transcript, TranscriptFormat } from '../transcripts/transcript.ts'

/**
 * The session files of Codex: `~/.codex/sessions/<year>/<month>/<day>/rollout-<time>-<session>.jsonl`.
 *
 * @example
 * const { sessions } = codex.fromTranscript(await readFile('rollout.jsonl', 'utf8'))
 */
export const codex: TranscriptFormat<typeof NAME> = /* @__PURE__ */ defineTranscriptFormat(transcriptReader)
