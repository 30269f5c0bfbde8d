import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'

/** A process of a bench that answers each line of JSON on its stdin with one on its stdout, after a first one that says where it listens. */
export interface Child<Hello> {
  readonly hello: Hello
  ask<T>(question: unknown): Promise<T>
  close(): Promise<void>
}

/** Starts a script of this folder. */
export const startChild = async <Hello>(script: string, args: readonly string[]): Promise<Child<Hello>> => {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, script), ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const read = async <T>(): Promise<T> => {
    const { value, done } = await lines.next()
    if (done) throw new Error(`${script} has stopped`)
    return JSON.parse(value) as T
  }
  const hello = await read<Hello>()
  return {
    hello,
    ask: (question) => {
      child.stdin.write(`${JSON.stringify(question)}\n`)
      return read()
    },
    close: async () => {
      const exited = once(child, 'exit')
      child.stdin.end()
      await exited
    },
  }
}

/** The other end: says hello, then answers until stdin ends. */
export const answer = async (hello: unknown, reply: (question: never) => unknown): Promise<void> => {
  const say = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`)
  say(hello)
  for await (const line of createInterface({ input: process.stdin })) say((await reply(JSON.parse(line) as never)) ?? null)
}

/** CPU that this process has used so far, in microseconds. */
export const cpuMicroseconds = (): number => {
  const { user, system } = process.cpuUsage()
  return user + system
}
