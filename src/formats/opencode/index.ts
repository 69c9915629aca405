import type { TranscriptFormat } from '../transcripts/transcript.ts'
import { defineTranscriptFormat } from '../transcripts/transcript-reader.ts'
import type { NAME } from './constants.ts'
import { transcriptReader } from './reader.ts'

export type { ReadTranscriptOptions, Transcript, TranscriptFormat } from '../transcripts/transcript.ts'

/**
 * The output of `opencode export`, or the files of its storage: `~/.local/share/opencode/storage/{session,message,part}/…`.
 *
 * @example
 * const { sessions } = opencode.fromTranscript(await readFile('export.json', 'utf8'))
 */
export const opencode: TranscriptFormat<typeof NAME> =
  /* @__PURE__ */ defineTranscriptFormat(transcriptReader)
