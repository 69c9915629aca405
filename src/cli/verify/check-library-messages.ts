import { Messages } from '../../canonical/collections/messages.ts'
import type { Loss } from '../../canonical/model/loss.ts'
import type { Message } from '../../canonical/model/message.ts'
import { fromMessages } from '../../formats/from-messages.ts'
import { toMessages } from '../../formats/to-messages.ts'
import type { TranscriptFormatName } from '../../formats/transcript-formats.ts'
import { isEqualJson } from '../../wire/json.ts'
import { formatErrorMessage } from '../error-output.ts'
import {
  isWritableLibraryFormat,
  type LibraryFormatName,
  type WritableLibraryFormatName,
} from '../input/input-format-names.ts'
import {
  checkTranslations,
  createFailedTranslationCheck,
  findOwnFormatFaults,
  findSilentLoss,
  type TranslationCheckResult,
  type Violations,
} from './check-document.ts'

/** Translates messages of a library into every dialect and into their own format, and checks each result. */
export function checkLibraryMessages(
  messages: readonly Message[],
  name: LibraryFormatName,
): readonly TranslationCheckResult[] {
  const translated = checkTranscript(messages, name)
  return isWritableLibraryFormat(name) ? [...translated, checkOwnFormat(messages, name)] : translated
}

/** Translates messages of a session file, which cannot be written, into every dialect, and checks each result. */
export function checkTranscript(
  messages: readonly Message[],
  name: LibraryFormatName | TranscriptFormatName,
): readonly TranslationCheckResult[] {
  return checkTranslations({ kind: 'messages', messages: Messages.from(messages) }, name, undefined)
}

function checkOwnFormat(messages: readonly Message[], to: WritableLibraryFormatName): TranslationCheckResult {
  try {
    const { value, losses } = toMessages(messages, { to })
    return { to, losses, violations: findOwnFaults(messages, value, losses, to) }
  } catch (error) {
    return createFailedTranslationCheck(to, [], error)
  }
}

/** The first writing may differ from the input, since messages of an old version become those of the current one. */
function findOwnFaults(
  messages: readonly Message[],
  written: unknown,
  losses: readonly Loss[],
  name: WritableLibraryFormatName,
): Violations {
  try {
    const { value: back } = fromMessages(written, { from: name })
    const isStable = isEqualJson(toMessages(back, { to: name }).value, written)
    return [
      ...findOwnFormatFaults(undefined, losses),
      ...(isStable ? [] : [['stable', 'the JSON differs'] as const]),
      ...findSilentLoss(messages, back, losses),
    ]
  } catch (error) {
    return [['readable', formatErrorMessage(error)]]
  }
}
