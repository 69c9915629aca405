import type { ChatRequest } from '../../canonical/model/request.ts'
import type { Dialect } from '../../dialects/dialect.ts'
import { LossTally } from '../loss-tally.ts'
import { oneLine, type Paint, printable } from '../paint.ts'

/** How a request is shown. */
export interface WireView {
  /** The bodies in full. */
  readonly whole: boolean
  /** How many characters a line has room for. */
  readonly room: number
  readonly paint: Paint
}

const INDENT = '  '

/** A request as one wire format has it: where it goes, its body, and what it lost on the way. */
export function wireLines(
  dialect: Dialect<unknown, unknown>,
  request: ChatRequest,
  { whole, room, paint }: WireView,
): readonly string[] {
  const { value, losses } = dialect.encodeRequest(request)
  const tally = new LossTally()
  for (const loss of losses) tally.add(loss)
  const body = whole ? JSON.stringify(value, null, 2).split('\n').map(printable) : shortened(value, room)
  const { path } = dialect.endpoint(request)
  return [
    `${paint('cyan', dialect.name)}  POST ${path}  ${paint('dim', `${Buffer.byteLength(JSON.stringify(value))} bytes`)}`,
    ...body.map((line) => INDENT + line),
    ...tally.lines((severity) => paint(severity === 'loss' ? 'yellow' : 'dim', severity)),
  ]
}

/** A body with a line for each field, and one for each element of its lists, none longer than there is room. */
export function shortened(body: unknown, room: number): readonly string[] {
  const line = (text: string, depth: number): string =>
    INDENT.repeat(depth) + oneLine(text, room - INDENT.length * (depth + 1))
  return Object.entries(body as object).flatMap(([key, value]) => {
    if (!Array.isArray(value)) return line(`"${key}": ${JSON.stringify(value)}`, 0)
    return [`"${key}": [`, ...value.map((each) => line(JSON.stringify(each), 1)), ']']
  })
}
