// pdfkit, xlsx, jimp, archiver with yauzl: files of other formats, written and read again
'use strict';
const crypto = require('node:crypto');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const zlib = require('node:zlib');
const { buffer, text } = require('node:stream/consumers');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'documents-'));
const digest = (bytes) => crypto.createHash('sha256').update(bytes).digest('hex').slice(0, 16);

// The streams of a PDF, opened, and what is around them.
function opened(bytes) {
  const file = bytes.toString('latin1');
  const parts = [...file.matchAll(/FlateDecode[^]*?stream\n([^]*?)\nendstream/g)];
  return { objects: file.match(/\d+ 0 obj/g).length, pages: /\/Count (\d+)/.exec(file)[1],
    end: file.slice(-6), texts: parts.map(([, part]) =>
      digest(zlib.inflateSync(Buffer.from(part, 'latin1')))) };
}

async function pdf(picture) {
  const PDFDocument = require('pdfkit');
  const made = new PDFDocument({ info: { CreationDate: new Date(0), Title: 'Títle' },
    size: 'A5', pdfVersion: '1.7' });
  made.fontSize(20).text('Text that is long enough to be broken into lines. '.repeat(8),
    { columns: 2, align: 'justify' });
  made.font('Times-Italic').fillColor('red')
    .text('Ünïcode', 50, 300, { link: '#', underline: true });
  made.moveTo(10, 10).bezierCurveTo(20, 90, 40, 10, 100, 100).dash(3, { space: 2 }).stroke();
  made.addPage().image(picture, 10, 10, { fit: [100, 100] });
  made.save().rotate(30).rect(1, 2, 3, 4).fill(made.linearGradient(0, 0, 9, 9)
    .stop(0, 'green').stop(1, 'blue')).restore();
  made.outline.addItem('chapter');
  made.end();
  console.log(opened(await buffer(made)), made.widthOfString('width').toFixed(3));
}

async function picture() {
  const { Jimp, ResizeStrategy, intToRGBA } = require('jimp');
  const image = new Jimp({ width: 60, height: 40, color: 0xff8800ff });
  image.scan(0, 0, 60, 40, (x, y, i) => { image.bitmap.data[i + 2] = x * y & 255; });
  image.composite(new Jimp({ width: 9, height: 9, color: 0x0000ff80 }), 5, 5);
  const png = await image.getBuffer('image/png');
  const again = await Jimp.read(png);
  console.log(again.width, again.height, digest(again.bitmap.data), intToRGBA(
    again.getPixelColor(6, 6)));
  again.resize({ w: 20, h: 30, mode: ResizeStrategy.BILINEAR }).rotate(90).greyscale().invert();
  console.log(again.width, again.height, digest(again.bitmap.data), again.hash().length);
  const jpeg = await Jimp.read(await image.getBuffer('image/jpeg', { quality: 80 }));
  console.log(jpeg.mime, jpeg.width, digest(jpeg.bitmap.data));
  for (const mime of ['image/bmp', 'image/gif', 'image/tiff'])
    console.log(mime, digest((await Jimp.read(await image.getBuffer(mime))).bitmap.data));
  await Jimp.read(Buffer.from('no picture')).catch((error) => console.log(error.message));
  return png;
}

function sheets() {
  const XLSX = require('xlsx');
  const book = XLSX.utils.book_new();
  const sheet = XLSX.utils.json_to_sheet([{ name: 'äpfel', n: 1.5, when: new Date(0) },
    { name: '<b>', n: -2, ok: true }], { cellDates: true });
  XLSX.utils.sheet_add_aoa(sheet, [['sum', { t: 'n', f: 'SUM(B2:B3)', v: -0.5 }]], { origin: -1 });
  XLSX.utils.book_append_sheet(book, sheet, 'first');
  for (const bookType of ['xlsx', 'ods', 'csv', 'xls', 'html']) {
    const bytes = XLSX.write(book, { type: 'buffer', bookType, compression: true });
    const { Sheets, SheetNames } = XLSX.read(bytes, { cellFormula: true });
    console.log(bookType, SheetNames, XLSX.utils.sheet_to_json(Sheets[SheetNames[0]],
      { header: 1 }), Sheets[SheetNames[0]].B4?.f);
  }
}

async function archive() {
  const { ZipArchive } = await import('archiver');
  const yauzl = require('yauzl');
  const file = path.join(folder, 'all.zip');
  const zip = new ZipArchive({ zlib: { level: 9 } });
  const written = new Promise((resolve) => fs.createWriteStream(file).on('close', resolve)
    .on('pipe', () => {}).once('error', resolve).on('ready', function() { zip.pipe(this); }));
  fs.writeFileSync(path.join(folder, 'ten.txt'), 'ten '.repeat(5000));
  zip.append('small', { name: 'a/small.txt', date: new Date(0), mode: 0o600 });
  zip.append(fs.createReadStream(path.join(folder, 'ten.txt')), { name: 'ten.txt' });
  zip.append(crypto.createHash('md5').update('x').digest(), { name: 'bytes', store: true });
  zip.file(path.join(folder, 'ten.txt'), { name: 'again/ünï.txt' });
  zip.on('entry', ({ name }) => console.log('entry', name));
  await zip.finalize();
  await written;
  const opener = await new Promise((resolve, reject) => yauzl.open(file, { lazyEntries: true },
    (error, found) => (error ? reject(error) : resolve(found))));
  opener.readEntry();
  opener.on('entry', (entry) => opener.openReadStream(entry, async (error, stream) => {
    const content = error ? String(error) : await text(stream);
    console.log(entry.fileName, entry.uncompressedSize, entry.compressedSize, digest(content),
      (entry.externalFileAttributes >>> 16).toString(8));
    opener.readEntry();
  }));
  await new Promise((resolve) => opener.on('end', resolve));
  fs.writeFileSync(file, fs.readFileSync(file).subarray(0, 300));
  await new Promise((resolve) => yauzl.open(file, (error) =>
    resolve(console.log(error.message))));
}

picture().then(pdf).then(sheets).then(archive)
  .finally(() => fs.rmSync(folder, { recursive: true }));
