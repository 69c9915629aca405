// What a consumer writes, type-checked against the packed package under strict settings. Never run.
import {
  assistant,
  type ChatRequest,
  InterlinguaError,
  type Message,
  Messages,
  text,
  textOf,
  user,
} from 'interlingua'

const log: Messages = Messages.of(user('hi'), assistant('hello')).user('again').assistant('still here')
export const size: number = log.size
export const texts: string[] = [...log].map((message: Message) => textOf(message))
export const turn: Message = user('hi')
export const part = text('hi')

export function sizeOf(request: ChatRequest): number {
  return [...request.messages].length
}

export function reason(error: unknown): string | undefined {
  return error instanceof InterlinguaError ? error.message : undefined
}
