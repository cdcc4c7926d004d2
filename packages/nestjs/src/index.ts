export { HoldfastModule } from './holdfast.module.js';
