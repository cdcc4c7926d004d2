import { Module } from '@nestjs/common';
import { ReceiverModule } from '../receiver/receiver.module.js';
import { WebhooksProcessor } from './webhooks.processor.js';

@Module({ imports: [ReceiverModule], providers: [WebhooksProcessor] })
export class WebhooksModule {}
