import { describe, expect, it } from 'vitest'
import { jsonataEngine } from './expression.ts'
import type { ExpressionStep } from './expression-engine.ts'

const COLUMNS = ['First name', 'Number', 'Empty', 'constructor']
const CELLS = ['Ada Byron', '12', '', 'own']
const step = (text: string, columns = COLUMNS): ExpressionStep => ({ kind: 'expression', text, columns })
const run = (text: string, value = 'value') => jsonataEngine.compile(step(text))(value, CELLS)

describe('what an expression is refused before it is ever carried out', () => {
  it.each([
    ['$eval("1")', '$eval is not known here.'],
    ['$lookup($uppercase, "constructor")', '$lookup is not known here.'],
    ['$now()', '$now is not known here.'],
    ['$random()', '$random is not known here.'],
    ['Nothing', '“Nothing” is not a column that the expression is given.'],
    ['__proto__', '“__proto__” is not a column that the expression is given.'],
    ['$.constructor', 'A text has no part constructor.'],
    ['$uppercase.constructor', 'A text has no part constructor.'],
    ['Number.__proto__', 'A text has no part __proto__.'],
    ['Number.match[$eval("1")]', '$eval is not known here.'],
    ['($f := $uppercase; $f.implementation)', 'A text has no part implementation.'],
    ['($uppercase := 1; $uppercase)', '$uppercase is a function and cannot be given another value.'],
    ['[1..1e9]', 'A range is not offered here.'],
    ['{"__proto__": 1}', '“{” is not offered here.'],
    ['**', '“**” is not offered here.'],
    ['*', '“*” is not offered here.'],
    ['| $ | {} |', '“transform” is not offered here.'],
    ['Number^(Empty)', '“sort” is not offered here.'],
    ['Number@$x.Empty', 'A text has no part Empty.'],
    ['Number{Number: 1}', 'This part of JSONata is not offered.'],
    ['$map([1], function($x)<n:n>{$x})', 'This part of JSONata is not offered.'],
    [
      '$contains(Number, /(?=a)b/)',
      'The regular expression cannot be used: error parsing regexp: invalid or unsupported Perl syntax: `(?=`',
    ],
    ['$contains(Number, /(a)\\1/)', 'The regular expression cannot be used: error parsing regexp: invalid escape sequence: `\\1`'],
    ['$contains(Number, /(a{100}){9}/)', 'The regular expression is too large.'],
    ['Number[', 'Expected "]" before end of expression'],
    ['"open', 'String literal must be terminated by a matching quote'],
  ])('%s', (text, detail) => {
    expect(jsonataEngine.check(step(text))).toMatchObject({ position: expect.any(Number), detail, because: { code: expect.any(String) } })
    expect(run(text)).toMatchObject({ wrong: 'expression', detail, because: { code: expect.any(String) } })
  })

  it('is told with where it stands', () => {
    expect(jsonataEngine.check(step('Number & $eval("1")'))?.position).toBe(14)
    expect(jsonataEngine.check(step('Number & ""'))).toBeUndefined()
  })
})

describe('an expression that would not end', () => {
  it.each([
    ['($f := function($x){ $f($x) }; $f(1))', 'It takes too many steps.'],
    ['($f := function($x){ 1 + $f($x) }; $f(1))', 'It is nested too deeply, or calls itself without end.'],
    ['($d := function($s, $n){ $n = 0 ? $s : $d($s & $s, $n - 1) }; $d("xxxxxxxxxx", 40))', 'A value in it grows too long.'],
    ['$pad("x", 1e9)', 'A value in it grows too long.'],
    ['$replace($pad("", 2000, "a"), "a", $pad("", 2000, "b"))', 'A value in it grows too long.'],
    [`${'['.repeat(900)}${']'.repeat(900)}`, 'It is nested too deeply, or calls itself without end.'],
  ])('is stopped: %s', (text, detail) => expect(run(text)).toMatchObject({ wrong: 'expressionLimit', detail }))

  it('is none with a pattern that backtracks', () => {
    expect(run('$contains($pad("", 1500, "a") & "!", /^(a+)+$/)')).toBe('false')
    expect(run('$contains($pad("", 1500, "a") & "!", /^(a|aa)+$/)')).toBe('false')
  })

  it('does not spoil the next record', () => {
    const length = jsonataEngine.compile(step('$ = "bad" ? $pad("x", 1e9) : $'))
    expect([length('bad', CELLS), length('good', CELLS)]).toEqual([expect.objectContaining({ wrong: 'expressionLimit' }), 'good'])
  })
})

describe('an expression that cannot be carried out for a record', () => {
  it.each([
    ['$error("no contract")', 'no contract'],
    ['$number("x")', 'Unable to cast value to a number: "x"'],
    ['"a" + 1', 'The left side of the "+" operator must evaluate to a number'],
    ['["a", "b"]', 'It gives a list or a function, not a single value.'],
    ['$uppercase', 'It gives a list or a function, not a single value.'],
    ['$string(["a", "b"])', '$string takes a single value.'],
    ['$split("aaa", /x*/)', 'Regular expression matches zero length string'],
    ['($eval := 1; $eval("1"))', 'Attempted to invoke a non-function'],
  ])('says so: %s', (text, detail) => expect(run(text)).toMatchObject({ wrong: 'expression', detail }))

  it('says it by a code and what fills its words, unless the sentence is its own', () => {
    expect(run('"a" + 1')).toMatchObject({ because: { code: 'T2001', params: { token: '+', given: 'a' } } })
    expect(run('$number("x")')).toMatchObject({ because: { code: 'D3030', params: { given: 'x' } } })
    expect(run('$error("no contract")')).toEqual({ wrong: 'expression', detail: 'no contract' })
  })
})

describe('an expression', () => {
  it.each([
    ['$uppercase($)', 'VALUE'],
    ['$trim()', 'value'],
    ['`First name`', 'Ada Byron'],
    ['Number & "-" & Empty', '12-'],
    ['Empty ? Empty : "none"', 'none'],
    ['$number(Number) + 1', '13'],
    ['0.1 + 0.2', '0.3'],
    ['$match(`First name`, /(\\w+) (\\w+)/).groups[1]', 'Byron'],
    ['$replace(`First name`, /[aeiou]/i, "*")', '*d* Byr*n'],
    ['$split(`First name`, /\\s+/)[-1]', 'Byron'],
    ['$join($map($split(`First name`, " "), function($w){ $substring($w, 0, 1) }))', 'AB'],
    ['($x := Number; $x & $x)', '1212'],
    ['`First name` ~> $uppercase ~> $trim', 'ADA BYRON'],
    ['$pad(Number, -5, "0")', '00012'],
    ['Number in ["12", "13"]', 'true'],
    ['$contains(Number, /^\\d+$/) ? "digits" : "text"', 'digits'],
    ['$filter(["a", "b"], function($x){ $x = "b" })', 'b'],
    ['$reduce([1, 2, 3], function($a, $b){ $a + $b })', '6'],
    ['Number = "13" ? "no"', ''],
    ['constructor', 'own'],
    ['($__evaluate_entry := function($x){ 1 }; Number)', '12'],
  ])('makes of a record: %s', (text, made) => {
    expect(jsonataEngine.check(step(text))).toBeUndefined()
    expect(run(text)).toBe(made)
  })

  it('names the columns that it needs', () => {
    expect(jsonataEngine.columnsIn('`First name` & Number & Gone & Number', COLUMNS)).toEqual(['First name', 'Number'])
    expect(jsonataEngine.columnsIn('Number & (', COLUMNS)).toEqual([])
  })
})
