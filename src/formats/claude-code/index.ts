import type { TranscriptFormat } from '../transcripts/transcript.ts'
import { defineTranscriptFormat } from '../transcripts/transcript-reader.ts'
import type { NAME } from './constants.ts'
import { transcriptReader } from './reader.ts'

export type { ReadTranscriptOptions, Transcript, TranscriptFormat } from '../transcripts/transcript.ts'

/**
 * The session files of Claude Code: `~/.claude/projects/<folder>/<session>.jsonl`, and those of its sub-agents.
 *
 * @example
 * const { sessions } = claudeCode.fromTranscript(await readFile('session.jsonl', 'utf8'))
 */
export const claudeCode: TranscriptFormat<typeof NAME> =
  /* @__PURE__ */ defineTranscriptFormat(transcriptReader)
