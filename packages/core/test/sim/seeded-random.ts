export { chooseSeed, SeededRandom } from '@holdfast/testing';
