export type GeminiRequest = { contents: { role?: string; parts?: { text?: string }[] }[] }
export type GeminiResponse = { candidates?: { index?: number }[] }
