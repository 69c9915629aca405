import { defineMessageFormat, type MessageFormat } from '../engine/message-format.ts'
import type { TranscriptFormat } from '../transcripts/transcript.ts'
import { defineTranscriptFormat } from '../transcripts/transcript-reader.ts'
import { codec } from './codec.ts'
import type { NAME } from './constants.ts'
import { transcriptReader } from './reader.ts'
import type { PiMessageJson } from './types.ts'

export type { MessageFormat, ReadMessagesOptions, WriteMessagesOptions } from '../engine/message-format.ts'
export type { ReadTranscriptOptions, Transcript, TranscriptFormat } from '../transcripts/transcript.ts'
export type { PiBlockJson, PiMessageJson } from './types.ts'

/**
 * The messages of pi (`@earendil-works/pi-ai`, before `@mariozechner/pi-ai`) and its session files, of which the current
 * branch is read. It writes a list of messages.
 *
 * @example
 * const { value: messages } = pi.fromMessages(await readFile('session.jsonl', 'utf8'))
 */
export const pi: MessageFormat<typeof NAME, PiMessageJson> = /* @__PURE__ */ defineMessageFormat(codec)

/**
 * The session files of pi with all branches: `~/.pi/agent/sessions/<folder>/<session>.jsonl`.
 *
 * @example
 * const { sessions } = piSessions.fromTranscript(await readFile('session.jsonl', 'utf8'))
 */
export const piSessions: TranscriptFormat<typeof NAME> =
  /* @__PURE__ */ defineTranscriptFormat(transcriptReader)
