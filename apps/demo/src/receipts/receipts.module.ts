import { Module } from '@nestjs/common';
import { MailServerModule } from '../mail-server/mail-server.module.js';
import { Postman } from './postman.js';
import { ReceiptsProcessor } from './receipts.processor.js';

@Module({ imports: [MailServerModule], providers: [Postman, ReceiptsProcessor] })
export class ReceiptsModule {}
