import { type ChatRequest, type DialectName, dialects } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { expectSame } from '../../law-assertions.ts'
import { type Pair, pairs, subjects } from '../dialect-table.ts'
import { histories } from './histories.ts'
import { answered, elementsOf, send, type Sent } from './send.ts'
import { ciphersIn, isReadableBy } from './ciphertexts.ts'

describe.each(subjects)('a long conversation of $name', ({ name, dialect }) => {
  test('is valid, and is encoded exactly and without a loss', () => {
    const request = dialect.decodeRequest(histories[name]).value
    const { body, losses } = send(request, name)
    expectSame(body, histories[name])
    expect(losses).toEqual([])
  })
})

interface HandOver {
  readonly there: ChatRequest
  readonly again: ChatRequest
  readonly out: Sent
  readonly back: Sent
  readonly outAgain: Sent
}

/** Returns the steps of a conversation that is sent to another dialect, answered there, returned, answered at home, and sent there again. */
function handOver({ from, to }: Pair): HandOver {
  const request = from.dialect.decodeRequest(histories[from.name]).value
  const there = answered(request, to.name)
  const again = answered(there, from.name)
  const out = send(request, to.name, 'model-of-today')
  const back = send(there, from.name)
  const outAgain = send(again, to.name, 'model-of-today')
  send(answered(again, to.name), from.name)
  return { there, again, out, back, outAgain }
}

describe.each(pairs)('handed over from $name and back', (pair) => {
  const { from, to } = pair
  const home = histories[from.name]
  let steps: HandOver | undefined
  /** Every step checks its body, so the tests share them. */
  const getSteps = (): HandOver => (steps ??= handOver(pair))

  test('is valid at every step', () => {
    expect(() => getSteps()).not.toThrow()
  })

  test('is unchanged when it returns', () => {
    const { body } = getSteps().back
    const { [from.row.list]: _then, ...settings } = body
    const { [from.row.list]: _before, ...own } = home
    expectSame(settings, own)
    const elements = elementsOf(from.name, home)
    expectSame(elementsOf(from.name, body).slice(0, elements.length), [...elements])
  })

  test('sends ciphertext only to its vendor, and sends it again on return', () => {
    const { there, again, out, back, outAgain } = getSteps()
    const sealed = ciphersIn(home)
    const readable = sealed.filter((each) => isReadableBy(to.name, each))
    expect(ciphersIn(out.body)).toEqual(readable)
    expect(ciphersIn(there)).toEqual(expect.arrayContaining([...sealed]))
    const returned = ciphersIn(there).filter((each) => isReadableBy(from.name, each))
    expect(ciphersIn(back.body)).toEqual(returned)
    const own = ciphersIn(again).filter((each) => isReadableBy(to.name, each))
    expect(ciphersIn(outAgain.body)).toEqual(own)
    const aside = ciphersIn(again).length - own.length
    if (aside > 0) expect(outAgain.losses.length).toBeGreaterThan(0)
  })
})

describe('[r67] all five in turn', () => {
  const names = Object.keys(dialects) as DialectName[]

  test.each(names)('starting with %s, two rounds', (first) => {
    const home = histories[first]
    const order = [...names.slice(names.indexOf(first)), ...names.slice(0, names.indexOf(first))]
    let request = dialects[first].decodeRequest(home).value
    for (const name of [...order, ...order]) {
      const { body } = send(request, name, name === first ? undefined : 'model-of-today')
      const readable = ciphersIn(request).filter((each) => isReadableBy(name, each))
      expect(ciphersIn(body)).toEqual(readable)
      request = answered(request, name)
    }
    const elements = elementsOf(first, home)
    expectSame(elementsOf(first, send(request, first).body).slice(0, elements.length), [...elements])
  })
})
