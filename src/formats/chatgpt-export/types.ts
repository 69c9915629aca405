/** The name of the format. */
export const NAME = 'chatgpt-export'

/** A call that an earlier message made: the recipient is the tool. */
export interface OpenCall {
  readonly id: string
  readonly name: string
}
