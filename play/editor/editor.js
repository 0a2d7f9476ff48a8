// The page's editor: CodeMirror, with the line that runs and the line that made what is shown lit.
import { EditorState, StateEffect, StateField, Compartment } from '@codemirror/state';
import { EditorView, Decoration, keymap, lineNumbers, drawSelection, highlightActiveLine }
  from '@codemirror/view';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { syntaxHighlighting, HighlightStyle, StreamLanguage, bracketMatching, indentUnit }
  from '@codemirror/language';
import { javascript } from '@codemirror/legacy-modes/mode/javascript';
import { c } from '@codemirror/legacy-modes/mode/clike';
import { tags } from '@lezer/highlight';

const setLit = StateEffect.define();

// The colours are the page's, so that they follow its scheme.
const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: 'var(--code-word)' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: 'var(--code-text)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--code-number)' },
  { tag: tags.comment, color: 'var(--code-comment)', fontStyle: 'italic' },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)],
    color: 'var(--code-function)' },
]);

const lit = StateField.define({
  create: () => Decoration.none,
  update(decorations, change) {
    for (const effect of change.effects) {
      if (!effect.is(setLit)) continue;
      const rows = [];
      for (const [line, name] of effect.value) {
        if (line < 1 || line > change.state.doc.lines) continue;
        rows.push(Decoration.line({ class: name }).range(change.state.doc.line(line).from));
      }
      return Decoration.set(rows, true);
    }
    return decorations.map(change.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

const languages = { js: StreamLanguage.define(javascript), c: StreamLanguage.define(c) };

globalThis.phasorEditor = function phasorEditor(parent, { text, language, label, onChange }) {
  const words = new Compartment();
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(), history(), drawSelection(), highlightActiveLine(),
        bracketMatching(), indentUnit.of('  '), syntaxHighlighting(colours),
        keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
        EditorView.contentAttributes.of({ 'aria-label': label }),
        EditorView.lineWrapping,
        words.of(languages[language]), lit,
        EditorView.updateListener.of((update) => update.docChanged && onChange?.()),
      ],
    }),
  });
  view.scrollDOM.tabIndex = 0; // so that keys can scroll it
  return {
    text: () => view.state.doc.toString(),
    setText: (next) => view.dispatch(
      { changes: { from: 0, to: view.state.doc.length, insert: next } }),
    setLanguage: (name) => view.dispatch({ effects: words.reconfigure(languages[name]) }),
    // Rows of [line, class].
    light(rows) {
      view.dispatch({ effects: setLit.of(rows) });
      const first = rows.find(([line]) => line >= 1 && line <= view.state.doc.lines);
      if (first === undefined) return;
      const block = view.lineBlockAt(view.state.doc.line(first[0]).from);
      const { scrollTop, clientHeight } = view.scrollDOM;
      if (block.top < scrollTop || block.bottom > scrollTop + clientHeight) {
        view.scrollDOM.scrollTop = block.top - clientHeight / 3;
      }
    },
  };
};
