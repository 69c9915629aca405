import { execFile } from 'node:child_process'
import { getEventListeners } from 'node:events'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { onAbort } from '../../src/wire/cancellation.ts'
import { builtFolder } from '../stores/built-package.ts'

test('many calls on one signal print no warning and leave no listener', { timeout: 120_000 }, async () => {
  const args = [join(import.meta.dirname, 'children/many-calls.js'), await builtFolder()]
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args)
  expect(stderr).toBe('')
  expect(stdout).toBe('0\n')
})

describe('onAbort', () => {
  test('calls each callback once, by one listener', () => {
    const controller = new AbortController()
    let calls = 0
    for (let count = 0; count < 20; count++) onAbort(controller.signal, () => calls++)
    expect(getEventListeners(controller.signal, 'abort').length).toBe(1)
    controller.abort()
    controller.abort()
    expect(calls).toBe(20)
  })

  test('a removed callback is not called, also if it is removed by another one', () => {
    const controller = new AbortController()
    const called: string[] = []
    const remove = onAbort(controller.signal, () => called.push('removed'))
    remove()
    remove()
    expect(getEventListeners(controller.signal, 'abort').length).toBe(0)
    onAbort(controller.signal, () => removeLast())
    const same = (): void => void called.push('same')
    onAbort(controller.signal, same)
    const removeLast = onAbort(controller.signal, same)
    controller.abort()
    expect(called).toEqual(['same'])
  })
})
