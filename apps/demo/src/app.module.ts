import { HoldfastModule } from '@holdfast/nestjs';
import { Module } from '@nestjs/common';

@Module({ imports: [HoldfastModule] })
export class AppModule {}
