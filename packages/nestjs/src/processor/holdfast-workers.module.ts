import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { HoldfastWorkers } from './holdfast-workers.js';
import { ProcessorExplorer } from './processor-explorer.js';

/** One in the application, however many stores it has. */
@Global()
@Module({ imports: [DiscoveryModule], providers: [ProcessorExplorer, HoldfastWorkers], exports: [HoldfastWorkers] })
export class HoldfastWorkersModule {}
