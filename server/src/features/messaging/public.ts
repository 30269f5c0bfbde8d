/** `tellAdmins` puts messages to administrators into the outbox; `sendMessages` sends what is due, by what `createSendMail` makes of the settings. */
export { createSendMail } from './mail.ts'
export { sendMessages } from './send-messages.ts'
export { tellAdmins } from './tell-admins.ts'
