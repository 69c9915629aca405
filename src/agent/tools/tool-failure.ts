import type { ToolResultContent } from '../../canonical/model/part.ts'
import { textOf } from '../../canonical/read/message-content.ts'

/** Thrown by a tool that fails with more to say than words. */
export class ToolFailure extends Error {
  readonly #content: readonly ToolResultContent[]

  constructor(content: readonly ToolResultContent[]) {
    super(textOf(content, '\n'))
    this.#content = content
  }

  /** What was thrown has to say, if it is one of these. Unlike `instanceof`, this runs no code of what was thrown. */
  static contentOf(thrown: unknown): readonly ToolResultContent[] {
    return typeof thrown === 'object' && thrown !== null && #content in thrown ? thrown.#content : []
  }
}
