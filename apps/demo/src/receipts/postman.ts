import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createTransport } from 'nodemailer';
import { LOOPBACK } from '../http/free-port.js';
import { MailServer } from '../mail-server/mail-server.js';
import { receiptMessageId } from '../mail-server/message-id.js';
import { type Order } from '../orders/order.js';
import { renderReceipt } from './render-receipt.js';

/** Hands receipts to the mail server, over a few connections that stay open. */
@Injectable()
export class Postman implements OnApplicationShutdown {
  readonly #transport;

  constructor(mailServer: MailServer) {
    this.#transport = createTransport({
      pool: true,
      host: LOOPBACK,
      port: mailServer.port,
      secure: false,
      ignoreTLS: true,
      maxConnections: 5,
      // When a mail is tried again is the queue's decision, which counts the attempt and shows it.
      maxRequeues: 0,
      connectionTimeout: 2_000,
      greetingTimeout: 2_000,
      socketTimeout: 5_000,
    });
  }

  /** Resolves when the mail server has taken the responsibility for the mail. Sending an order's receipt twice is safe. */
  async sendReceipt(order: Order): Promise<{ readonly messageId: string; readonly answer: string }> {
    const receipt = renderReceipt(order);
    const messageId = receiptMessageId(order.orderId);
    const sent = await this.#transport.sendMail({
      messageId,
      from: { name: 'Holdfast Shop', address: 'receipts@shop.holdfast.example' },
      to: { name: order.customer.name, address: order.customer.email },
      date: new Date(order.placedAtMs),
      ...receipt,
    });
    return { messageId, answer: sent.response };
  }

  onApplicationShutdown(): void {
    this.#transport.close();
  }
}
