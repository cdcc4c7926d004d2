import { Module, type OnApplicationBootstrap } from '@nestjs/common';
import { type DemoConfig } from '../demo-config.js';
import { DEMO_CONFIG } from '../demo-config.module.js';
import { MailServer } from './mail-server.js';
import { MailStore } from './mail-store.js';
import { MailsController } from './mails.controller.js';

@Module({
  controllers: [MailsController],
  providers: [
    {
      provide: MailStore,
      inject: [DEMO_CONFIG],
      useFactory: (config: DemoConfig) => MailStore.open(config.mailDirectory),
    },
    // A factory, so that the server listens before anything that sends is so much as constructed.
    { provide: MailServer, inject: [MailStore], useFactory: (store: MailStore) => MailServer.start(store) },
  ],
  exports: [MailServer, MailStore],
})
export class MailServerModule implements OnApplicationBootstrap {
  constructor(private readonly store: MailStore) {}

  /** Not earlier: a second process on the same directory has failed at the lock of the queue by now. */
  async onApplicationBootstrap(): Promise<void> {
    await this.store.removeLeftovers();
  }
}
