import type { JsonObject } from '../../wire/json.ts'
import type { Dialect } from './dialect.ts'

/** The facts about an input that the dialect which recognizes it returns to `detect`. */
export interface RecognizedInput {
  readonly kind: 'request' | 'response' | 'stream'
  /** From 0 to 1, which many signs of a built-in dialect reach. Of equal certainty, the dialects of a registry come first. */
  readonly certainty: number
  /** The fields and values that indicate the format, as text. */
  readonly evidence: string
}

/** Recognizes a body or the payload of a stream; undefined for that of another format. */
export type InputRecognizer = (value: JsonObject) => RecognizedInput | undefined

/** The functions by which dialects recognize their inputs. */
const recognizers = new WeakMap<object, InputRecognizer>()

/** Sets the function by which a dialect recognizes its inputs. */
export function setInputRecognizer(dialect: Dialect, recognizer: InputRecognizer): void {
  recognizers.set(dialect, recognizer)
}

/** Returns what a dialect recognizes in an input; undefined if it does not, or if it has no function for it. */
export function recognizeInput(dialect: Dialect, value: JsonObject): RecognizedInput | undefined {
  return recognizers.get(dialect)?.(value)
}
