import type { Path } from '../../wire/json-pointer.ts'
import type { FormatReporter } from './format-loss-reporter.ts'

/**
 * Escapes texts for a format that marks its structure with markers inside of the text, such as `<|im_end|>`. A text that contains
 * a marker must never become structure: it would forge a message, a call or a result.
 */
export interface MarkerEscapes {
  /** Returns the text with a backslash in each marker: `<|im_end|>` becomes `<\|im_end|>`. */
  escape(text: string): string
  /** Reverses {@link MarkerEscapes.escape}. */
  unescape(text: string): string
  /** Returns JSON text in which each marker starts with the escape sequence of its first character. */
  escapeJson(json: string): string
}

/** Escapes texts, and remembers which ones contained markers until it is known whether the result is written. */
export class EscapeRecorder {
  readonly #paths: Path[] = []

  escape(text: string, markers: MarkerEscapes, path: Path): string {
    const escaped = markers.escape(text)
    if (escaped !== text) this.#paths.push(path)
    return escaped
  }

  /** Reports the texts that were escaped. */
  reportTo(report: FormatReporter): void {
    for (const path of this.#paths) report.add('markers-escaped', path)
  }
}

/** Creates the escapes of a list of markers, which all start with `<`. */
export function createMarkerEscapes(markers: readonly string[]): MarkerEscapes {
  const rest = markers.map((marker) => marker.slice(1).replaceAll(/[|/\\]/g, String.raw`\$&`)).join('|')
  const any = new RegExp(String.raw`<(\\*(?:${rest}))`, 'g')
  const escaped = new RegExp(String.raw`<\\(\\*(?:${rest}))`, 'g')
  return {
    escape: (text) => text.replace(any, String.raw`<\$1`),
    unescape: (text) => text.replace(escaped, '<$1'),
    escapeJson: (json) => json.replace(any, String.raw`\u003c$1`),
  }
}
