/** The name of the format. */
export const NAME = 'claude-export'
