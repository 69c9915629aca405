import {
  assistant,
  type DialectName,
  dialects,
  type Loss,
  type Message,
  toolCall,
  toolResult,
  toolResults,
  user,
} from 'interlingua'
import { describe, expect, it } from 'vitest'

/** Many calls, whose ids and signatures some formats change. */
const messages: readonly Message[] = [
  user('Hi', { name: 'Ada' }),
  ...Array.from({ length: 40 }, (_, index) => {
    const call = toolCall({ id: `call ${index}`, name: 'search', arguments: { page: index } })
    return [assistant(['Let me look.', call]), toolResults(toolResult(call, 'none'))]
  }).flat(),
]

describe.each(Object.keys(dialects) as DialectName[])('the losses of a long conversation for %s', (name) => {
  const dialect = dialects[name]

  it.each(['encodeRequest', 'encodeRequestText'] as const)('of %s are those that `onLoss` gets', (method) => {
    const reported: Loss[] = []
    const request = { model: 'm', messages }
    const result = dialect[method](request, {
      onLoss: (loss) => {
        reported.push(loss)
        return 'allow'
      },
    })
    const { losses } = dialect[method](request)
    const plain = (list: readonly Loss[]): unknown => JSON.parse(JSON.stringify(list))
    expect(plain(losses)).toEqual(plain(result.losses))
    expect(plain(losses.filter(({ severity }) => severity === 'loss'))).toEqual(plain(reported))
    expect(Object.isFrozen(losses)).toBe(true)
  })

  it('are one list, however often they are read', () => {
    const result = dialect.encodeRequest({ model: 'm', messages })
    expect(result.losses).toBe(result.losses)
    expect(Object.isFrozen(result)).toBe(true)
  })
})

it('some formats report a loss for each call', () => {
  expect(dialects.mistral.encodeRequest({ model: 'm', messages }).losses.length).toBeGreaterThan(40)
})
