import { describe, expect, it } from 'vitest'
import { rememberVerified } from './remembered-tokens.ts'
import { TokenError } from './token-verifier.ts'

const world = ({ lifetime = 3_600 } = {}) => {
  // stands still unless it is moved: a millisecond counts here
  let time = Date.parse('2026-03-01T08:00:00Z')
  const clock = {
    now: () => new Date(time),
    move: (milliseconds: number) => {
      time += milliseconds
    },
  }
  const looked: string[] = []
  const exp = time / 1000 + lifetime
  const look = async (token: string) => {
    looked.push(token)
    if (!token.startsWith('right')) throw new TokenError('invalid', 'not one of ours')
    if (clock.now().getTime() >= exp * 1000) throw new TokenError('expired', 'the token has expired')
    return { iss: 'https://issuer.example', sub: token, scopes: ['api'], roles: [], exp }
  }
  return { clock, looked, verify: rememberVerified(look, clock) }
}

describe('a token', () => {
  it('that was refused is looked at every time', async () => {
    const { verify, looked } = world()
    for (let time = 0; time < 3; time++) await expect(verify('wrong')).rejects.toThrow(TokenError)
    expect(looked).toEqual(['wrong', 'wrong', 'wrong'])
  })

  it('is refused as expired at its end, however lately it was found right', async () => {
    const { verify, clock, looked } = world({ lifetime: 30 })
    await verify('right')
    clock.move(29_000)
    await verify('right')
    expect(looked).toEqual(['right'])
    clock.move(1_000)
    await expect(verify('right')).rejects.toMatchObject({ reason: 'expired' })
  })

  it('is not believed for another that was found right', async () => {
    const { verify } = world()
    const [one, other] = [await verify('right one'), await verify('right other')]
    expect([one.sub, other.sub]).toEqual(['right one', 'right other'])
    expect((await verify('right one')).sub).toBe('right one')
    await expect(verify('right one'.slice(1))).rejects.toMatchObject({ reason: 'invalid' })
  })

  it('that was found right is believed for a minute and looked at again then', async () => {
    const { verify, clock, looked } = world()
    await verify('right')
    clock.move(59_999)
    await verify('right')
    expect(looked).toHaveLength(1)
    clock.move(1)
    await verify('right')
    expect(looked).toHaveLength(2)
  })

  it('is forgotten for newer ones once there are ten thousand', async () => {
    const { verify, looked } = world()
    for (let number = 0; number <= 10_000; number++) await verify(`right ${number}`)
    looked.length = 0
    await verify('right 1')
    await verify('right 10000')
    expect(looked).toEqual([])
    await verify('right 0')
    expect(looked).toEqual(['right 0'])
  })
})
