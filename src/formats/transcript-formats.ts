import { transcriptReader as claudeCode } from './claude-code/reader.ts'
import { transcriptReader as cline } from './cline/reader.ts'
import { transcriptReader as codex } from './codex/reader.ts'
import { transcriptReader as continueSessions } from './continue/reader.ts'
import { transcriptReader as geminiCli } from './gemini-cli/reader.ts'
import { transcriptReader as opencode } from './opencode/reader.ts'
import { transcriptReader as pi } from './pi/reader.ts'
import type { TranscriptReader } from './transcripts/transcript-reader.ts'

/** The name of a program whose session files can be read. */
export type TranscriptFormatName =
  | 'claude-code'
  | 'cline'
  | 'codex'
  | 'continue'
  | 'gemini-cli'
  | 'opencode'
  | 'pi'

/** The readers of all programs by name. */
export const transcriptReaders: { readonly [name in TranscriptFormatName]: TranscriptReader<name> } = {
  'claude-code': claudeCode,
  codex,
  'gemini-cli': geminiCli,
  opencode,
  pi,
  continue: continueSessions,
  cline,
}
