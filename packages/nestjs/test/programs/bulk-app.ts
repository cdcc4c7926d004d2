import 'reflect-metadata';
import { HoldfastAdminModule, HoldfastModule, logStore } from '@holdfast/nestjs';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

@Module({
  imports: [
    HoldfastModule.forRoot({ store: logStore({ directory: process.env.QUEUE_DIRECTORY ?? '' }) }),
    HoldfastAdminModule.forRoot({ path: '/ops', authorize: () => ({ role: 'admin', actor: 'olga' }) }),
  ],
})
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: ['error', 'warn'] });
app.enableShutdownHooks(['SIGTERM']);
await app.listen(0, '127.0.0.1');
console.log(`up at ${await app.getUrl()}`);
