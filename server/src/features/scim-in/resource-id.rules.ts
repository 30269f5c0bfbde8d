const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether a text can be an id of a resource; what cannot be one belongs to nothing. */
export const isResourceId = (text: string): boolean => UUID.test(text)
