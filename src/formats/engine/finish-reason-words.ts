import type { Finish, FinishReason } from '../../canonical/model/message.ts'
import type { Json } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { FormatReporter } from './format-loss-reporter.ts'

/** Converts the reason why a model stopped from and to the words of a format. */
export interface FinishReasonWords {
  /** Returns the finish of a word; undefined for a word that the format does not define. */
  read(word: Json | undefined): Finish | undefined
  /** Returns the word of a finish: the nearest one is reported, and so is a stop sequence. */
  write(finish: Finish, path: Path | undefined, report: FormatReporter): string
}

/**
 * Builds a converter from the words of a format. The first word of a reason is written; `nearest` has the words of the
 * reasons that the format lacks.
 */
export function defineFinishReasonWords(
  words: readonly (readonly [word: string, reason: FinishReason])[],
  nearest: { readonly [reason in FinishReason]?: string },
): FinishReasonWords {
  return {
    read: (word) => {
      const reason = words.find(([each]) => each === word)?.[1]
      return reason === undefined ? undefined : { reason }
    },
    write: ({ reason, stopSequence }, path, report) => {
      if (stopSequence !== undefined) report.add('message-field', child(path, 'stopSequence'))
      const exact = words.find(([, each]) => each === reason)?.[0]
      if (exact !== undefined) return exact
      report.add('finish-approximated', child(path, 'reason'))
      return nearest[reason] ?? words[0]?.[0] ?? reason
    },
  }
}
