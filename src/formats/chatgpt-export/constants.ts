/** The name of the format. */
export const NAME = 'chatgpt-export'
