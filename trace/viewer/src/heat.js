// Colours for how long something took, so that what blocks a loop shows at any zoom.
import { BLOCK } from './kinds.js';

export const HEAT = [
  { from: 0, name: 'calm', text: 'under 1 ms' },
  { from: 1e6, name: 'warm', text: 'from 1 ms' },
  { from: BLOCK, name: 'hot', text: 'from 10 ms' },
  { from: 50e6, name: 'burning', text: 'from 50 ms' },
];

export function heatOf(colours, ns) {
  return colours.heat[HEAT.findLastIndex((step) => ns >= step.from)];
}

// Stripes that can be laid over a colour: time in which something waited for a processor.
export function stripes(context, colour) {
  const tile = document.createElement('canvas');
  tile.width = tile.height = 6;
  const pen = tile.getContext('2d');
  pen.strokeStyle = colour;
  pen.lineWidth = 1.2;
  for (const shift of [-6, 0, 6]) {
    pen.beginPath();
    pen.moveTo(shift - 1, 7);
    pen.lineTo(shift + 7, -1);
    pen.stroke();
  }
  return context.createPattern(tile, 'repeat');
}
