/**
 * What is to be done about a call: run it, refuse it with a reason that the model is told, or take this output in place of
 * running it.
 */
export type Decision =
  | 'approve'
  | { readonly deny: string }
  | { readonly output: unknown; readonly isError?: boolean }
