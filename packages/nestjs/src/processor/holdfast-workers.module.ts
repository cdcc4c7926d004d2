import { Global, Module, Scope } from '@nestjs/common';
import { DiscoveryModule, REQUEST } from '@nestjs/core';
import { HoldfastHealth } from '../health/holdfast-health.js';
import { HOLDFAST_JOB } from '../holdfast.tokens.js';
import { HoldfastMetrics } from '../telemetry/holdfast-metrics.js';
import { Fleet } from './fleet.js';
import { HoldfastWorkers } from './holdfast-workers.js';
import { JobRequest } from './job-scope.js';
import { ProcessorCalls } from './processor-calls.js';
import { ProcessorExplorer } from './processor-explorer.js';

/** One in the application, however many stores it has. */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    ProcessorExplorer,
    ProcessorCalls,
    Fleet,
    HoldfastWorkers,
    HoldfastHealth,
    HoldfastMetrics,
    {
      provide: HOLDFAST_JOB,
      scope: Scope.REQUEST,
      inject: [REQUEST],
      useFactory: (request: unknown) => (request instanceof JobRequest ? request.job : undefined),
    },
  ],
  exports: [HoldfastWorkers, HoldfastHealth, HoldfastMetrics, HOLDFAST_JOB],
})
export class HoldfastWorkersModule {}
