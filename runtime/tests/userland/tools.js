// typescript, prettier
'use strict';
const ts = require('typescript');
const prettier = require('prettier');

const source = `interface Point { x: number; y?: number }
enum Color { Red, Green = 5 }
export class Box<T extends Point> {
  constructor(private readonly value: T) {}
  get sum(): number { return this.value.x + (this.value.y ?? 0); }
}
export const make = async (n: number) => new Box({ x: n });
`;
console.log(ts.transpileModule(source, { compilerOptions: {
  target: ts.ScriptTarget.ES2017, module: ts.ModuleKind.CommonJS } }).outputText);

const host = ts.createCompilerHost({});
const read = host.getSourceFile;
host.getSourceFile = (name, ...rest) => (name === 'wrong.ts'
  ? ts.createSourceFile(name, 'const n: number = "text"; missing();', ts.ScriptTarget.ES2022)
  : read.call(host, name, ...rest));
const program = ts.createProgram(['wrong.ts'], { noLib: true, types: [] }, host);
for (const found of program.getSemanticDiagnostics())
  console.log(found.code, ts.flattenDiagnosticMessageText(found.messageText, '\n'));

(async () => {
  for (const [parser, text] of [['babel', 'const a={b:1,c:[1,2,3]};function f(x){return x?1:2}'],
    ['typescript', 'type A={a:string|undefined};let x:A'], ['css', 'a{color:red;b:c}'],
    ['markdown', '* a\n* b\n\n| a|b|\n|-|-|\n|1|2|'], ['json', '{"a":[1,2],"b":{}}'],
    ['yaml', 'a:   1\nb:\n    - 2'], ['html', '<div><p>x</p></div>']])
    console.log(await prettier.format(text, { parser }));
})();
