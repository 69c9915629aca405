import type { TranscriptFormat } from '../transcripts/transcript.ts'
import { defineTranscriptFormat } from '../transcripts/transcript-reader.ts'
import type { NAME } from './constants.ts'
import { transcriptReader } from './reader.ts'

export type { ReadTranscriptOptions, Transcript, TranscriptFormat } from '../transcripts/transcript.ts'

/**
 * The chat files of Gemini CLI: `~/.gemini/tmp/<project>/chats/session-<time>-<id>.json` or `.jsonl`.
 *
 * @example
 * const { sessions } = geminiCli.fromTranscript(await readFile('session.json', 'utf8'))
 */
export const geminiCli: TranscriptFormat<typeof NAME> =
  /* @__PURE__ */ defineTranscriptFormat(transcriptReader)
