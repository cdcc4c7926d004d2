import { type ServerResponse } from 'node:http';
import { Controller, Get, NotFoundException, Param, Res } from '@nestjs/common';
import { Customer } from '../customer/customer.js';
import { MailStore } from '../mail-server/mail-store.js';
import { mailFileName, receiptMessageId } from '../mail-server/message-id.js';
import { OrdersService } from '../orders/orders.service.js';
import { Receiver } from '../receiver/receiver.js';
import { SHOP_FILES } from './shop-files.js';
import { type ShopState } from './shop-state.js';

/** The page needs its own files and its own answers, and nothing from anywhere else. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
  "base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const MAILS_SHOWN = 12;

@Controller()
export class ShopPageController {
  constructor(
    private readonly orders: OrdersService,
    private readonly mails: MailStore,
    private readonly customer: Customer,
    private readonly receiver: Receiver,
  ) {}

  @Get()
  page(@Res() response: ServerResponse): void {
    sendFile(response, 'index.html');
  }

  /** Browsers ask for it beside pages that name no icon, such as a mail. */
  @Get('favicon.ico')
  icon(@Res() response: ServerResponse): void {
    sendFile(response, 'icon.svg');
  }

  @Get('shop/state')
  state(): ShopState {
    const { mails, ...totals } = this.mails.list();
    const kept = new Set(mails.map(({ file }) => file));
    return {
      pid: process.pid,
      customer: { running: this.customer.running },
      receiver: this.receiver.report(),
      orders: this.orders.recent().map((order) => {
        const receiptFile = mailFileName(receiptMessageId(order.orderId));
        return kept.has(receiptFile) ? { ...order, receiptFile } : order;
      }),
      mailbox: { ...totals, mails: mails.slice(0, MAILS_SHOWN) },
    };
  }

  @Get('shop/:file')
  file(@Param('file') file: string, @Res() response: ServerResponse): void {
    sendFile(response, file);
  }
}

function sendFile(response: ServerResponse, name: string): void {
  const file = SHOP_FILES.get(name);
  if (file === undefined) throw new NotFoundException('The shop has no such file.');
  response.writeHead(200, {
    'Content-Type': file.contentType,
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-cache',
  });
  response.end(file.bytes);
}
