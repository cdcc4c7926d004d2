import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';

const app = await NestFactory.create(AppModule);
app.enableShutdownHooks(); // SIGTERM lets calls under way come to an end
await app.listen(process.env.PORT ?? 3000, '127.0.0.1');
console.log(`listening on ${await app.getUrl()}`);
