import b from './cycle.cjs';
export default b;
