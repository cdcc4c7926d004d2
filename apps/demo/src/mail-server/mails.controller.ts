import { Controller, Get, Header, NotFoundException, Param } from '@nestjs/common';
import { MailStore } from './mail-store.js';

@Controller('mails')
export class MailsController {
  constructor(private readonly store: MailStore) {}

  /** How many mails are kept, and the latest of them. */
  @Get()
  list() {
    return this.store.list();
  }

  /** The mail as it arrived: text, whatever it claims to be. */
  @Get(':file')
  @Header('Content-Type', 'text/plain; charset=utf-8')
  @Header('X-Content-Type-Options', 'nosniff')
  async read(@Param('file') file: string): Promise<string> {
    const mail = await this.store.read(file);
    if (mail === undefined) throw new NotFoundException('There is no such mail.');
    return mail.toString('utf8');
  }
}
