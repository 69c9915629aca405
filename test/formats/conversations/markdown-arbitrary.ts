import fc from 'fast-check'
import type { JsonObject } from 'interlingua'
import { markdown } from 'interlingua/formats/markdown'
import { anyMessages, anyText } from '../../arbitraries.ts'
import { objectOf } from '../messages/ui-message-arbitrary.ts'

/** Texts that look like the structure of a transcript. */
export const trickyText: fc.Arbitrary<string> = fc.constantFrom(
  '## User',
  '\\## Assistant',
  '```json\n{}\n```',
  '````exact\nx\n````',
  '### Tool call\n\n```json\n{}\n```',
  '<!-- {"id":"x"} -->',
  ' x\n',
  'a\r\nb',
  '`````',
  'look:\n```json\n{',
  '```exact',
  '\n## User\n',
)

const written = fc.oneof(
  anyMessages.map((messages) => markdown.toMessages(messages).value[0]?.markdown ?? ''),
  fc
    .array(fc.oneof(trickyText, anyText), { minLength: 1, maxLength: 3 })
    .map((texts) =>
      texts.map((text) => ({ id: text, role: 'user' as const, content: [{ type: 'text' as const, text }] })),
    )
    .map(
      (messages) =>
        markdown.toMessages(messages.map((each, index) => ({ ...each, id: `m${index}` }))).value[0]
          ?.markdown ?? '',
    ),
  fc.constantFrom('# Weather\n\n## User\n\nHi\n\n## Assistant\n\nHello', '## User\nHi\n### Text\nthere\n'),
)

/** Transcripts, written by the format and by people. */
export const anyTranscript: fc.Arbitrary<JsonObject> = objectOf({ markdown: written }, { split: anyText })
