import type fc from 'fast-check'
import type { JsonObject } from 'interlingua'
import { type ConversationFormat, openaiFineTuning } from 'interlingua/formats/openai-fine-tuning'
import { geminiTuning } from 'interlingua/formats/gemini-tuning'
import { chatMl } from 'interlingua/formats/chatml'
import { harmony } from 'interlingua/formats/harmony'
import { huggingFace } from 'interlingua/formats/huggingface'
import { markdown } from 'interlingua/formats/markdown'
import { shareGpt } from 'interlingua/formats/sharegpt'
import { anyChatMlRecord } from './chatml-arbitrary.ts'
import { anyFineTuningRecord } from './fine-tuning-arbitrary.ts'
import { anyGeminiTuningRecord } from './gemini-tuning-arbitrary.ts'
import { anyHarmonyRecord } from './harmony-arbitrary.ts'
import { anyHuggingFaceRow } from './huggingface-arbitrary.ts'
import { anyTranscript } from './markdown-arbitrary.ts'
import { anyShareGptRecord } from './sharegpt-arbitrary.ts'

/** A format of files of conversations with generated records of its own. */
export interface ConversationRow {
  readonly name: string
  readonly format: ConversationFormat
  readonly record: fc.Arbitrary<JsonObject>
}

/** Every format that can be written. */
export const conversationRows: readonly ConversationRow[] = [
  {
    name: 'openai-fine-tuning',
    format: openaiFineTuning as unknown as ConversationFormat,
    record: anyFineTuningRecord,
  },
  {
    name: 'gemini-tuning',
    format: geminiTuning as unknown as ConversationFormat,
    record: anyGeminiTuningRecord,
  },
  {
    name: 'huggingface',
    format: huggingFace as unknown as ConversationFormat,
    record: anyHuggingFaceRow,
  },
  { name: 'chatml', format: chatMl, record: anyChatMlRecord },
  { name: 'harmony', format: harmony, record: anyHarmonyRecord },
  { name: 'markdown', format: markdown, record: anyTranscript },
  { name: 'sharegpt', format: shareGpt as unknown as ConversationFormat, record: anyShareGptRecord },
]
