import { describe, expect, it } from 'vitest'
import { readPasted } from './read-pasted.ts'

describe('a record pasted in', () => {
  it.each([
    ['', 'FILE_NOT_TABULAR'],
    ['id;name', 'FILE_EMPTY'],
    ['only one column\nx', 'FILE_NOT_TABULAR'],
    ['id,id\n1,2', 'FILE_DUPLICATE_HEADER'],
    ['id,name\n1,"open', 'FILE_QUOTE_OPEN'],
  ])('%j is refused', (text, code) => expect(() => readPasted(text)).toThrow(expect.objectContaining({ code })))

  it.each([
    ['id;name\n1;Ada', ['1', 'Ada']],
    ['id\tname\r\n1\tAda\r\n2\tBob', ['1', 'Ada']],
    ['id,name\n1,"Byron, Ada"\n', ['1', 'Byron, Ada']],
    ['id,name\n\n1', ['1', '']],
  ])('%j is read', (text, cells) => expect(readPasted(text)).toEqual({ header: ['id', 'name'], cells }))
})
