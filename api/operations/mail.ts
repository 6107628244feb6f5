import type { Transporter } from 'nodemailer'
import type { Failed } from '../flow/failed.js'

export interface Mail {
  /** Whether mails can be sent at all (`SMTP_URL`). */
  readonly enabled: boolean
  /** Sends in the background: neither the answer's time nor its status tells whether an address exists. */
  send(message: { to: string; subject: string; text: string }): void
}

export function createMail({ smtpUrl, failed }: { smtpUrl: string | null; failed: Failed }): Mail {
  if (smtpUrl === null) return { enabled: false, send: () => undefined }
  let transport: Promise<Transporter> | null = null
  return {
    enabled: true,
    send: (message) => {
      // Loaded with the first mail, which is rare.
      transport ??= import('nodemailer').then(({ createTransport }) => createTransport(smtpUrl))
      transport
        .then((mailer) => mailer.sendMail({ from: 'edgewright@localhost.localdomain', ...message }))
        .catch((error: unknown) => failed('mail', error, { subject: message.subject }))
    },
  }
}
