console.log('leaf');
export let count = 0;
export function add() {
  return ++count;
}
export default 'leaf default';
