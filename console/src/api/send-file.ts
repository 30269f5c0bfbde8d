import { offline } from './api-problem.ts'

interface FileRequest {
  method: string
  address: string
  token: string
  language: string
  file: File
  onProgress?: ((share: number) => void) | undefined
  signal?: AbortSignal | undefined
}

interface FileAnswer {
  status: number
  correlationId: string | null
  body: unknown
}

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Sends a file as the part `file` of a form. XMLHttpRequest, because fetch cannot tell how much has been sent. */
export const sendFile = ({ method, address, token, language, file, onProgress, signal }: FileRequest): Promise<FileAnswer> =>
  new Promise((answer, refuse) => {
    const request = new XMLHttpRequest()
    const form = new FormData()
    form.append('file', file, file.name)
    request.open(method, address)
    request.setRequestHeader('authorization', `Bearer ${token}`)
    request.setRequestHeader('accept-language', language)
    request.upload.onprogress = (event) => event.lengthComputable && onProgress?.(event.loaded / event.total)
    request.onload = () =>
      answer({ status: request.status, correlationId: request.getResponseHeader('x-correlation-id'), body: readJson(request.responseText) })
    request.onerror = () => refuse(offline())
    request.onabort = () => refuse(new DOMException('The upload was cancelled', 'AbortError'))
    signal?.addEventListener('abort', () => request.abort())
    request.send(form)
  })
