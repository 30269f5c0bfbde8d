/**
 * Reads server-sent events from an answer, handing over each one's data, until the stream ends.
 * Answers true: the server ended it. Throws when the connection breaks. Comments (keep-alive) and other fields are passed over.
 */
export const readEvents = async (response: Response, onData: (data: string) => void): Promise<boolean> => {
  if (!response.body) return true
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  let data: string[] = []
  const take = (line: string): void => {
    if (line === '') {
      if (data.length > 0) onData(data.join('\n'))
      data = []
    } else if (line.startsWith('data:')) data.push(line.slice(line.startsWith('data: ') ? 6 : 5))
  }
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return true
    const lines = (rest + value).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    for (const line of lines) take(line)
  }
}
