import { Module } from '@nestjs/common';
import { type DemoConfig } from '../demo-config.js';
import { DEMO_CONFIG } from '../demo-config.module.js';
import { SeededRandom } from '../seeded-random.js';
import { ReceiverController } from './receiver.controller.js';
import { Receiver } from './receiver.js';

@Module({
  controllers: [ReceiverController],
  providers: [
    {
      provide: Receiver,
      inject: [DEMO_CONFIG],
      useFactory: (config: DemoConfig) => Receiver.start(new SeededRandom(config.seed)),
    },
  ],
  exports: [Receiver],
})
export class ReceiverModule {}
