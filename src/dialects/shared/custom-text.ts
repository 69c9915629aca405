/** A custom tool's free text is told as the JSON of `{ input }`: these stand around it. */
const OPENING = '{"input":"'

/** What ends it. */
export const customEnding = '"}'

/** A piece of free text as a piece of that JSON. */
export function customPiece(text: string, begun: boolean): string {
  return (begun ? '' : OPENING) + JSON.stringify(text).slice(1, -1)
}

/** The free text in a piece of that JSON: the whole of it, its beginning, its middle or its end. */
export function customText(json: string): string {
  if (json === customEnding) return ''
  if (!json.startsWith(OPENING)) return unescaped(json)
  try {
    return (JSON.parse(json) as { readonly input: string }).input
  } catch {
    return unescaped(json.slice(OPENING.length)) // it goes on
  }
}

function unescaped(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string
  } catch {
    return text // a piece that was cut inside of an escape
  }
}
