// The functions and the atoms, and those that match what is typed.

/** What `about` says about the functions. */
let functions = [];

/** A button that draws an example. */
function starts(state, text = state.expression) {
  const button = make('button', 'mono', text);
  button.type = 'button';
  button.addEventListener('click', () => startWith(state));
  return button;
}

/** The functions with all words, and the first atoms whose names or instructions match. */
function listMatching() {
  const pattern = el('pattern').value.trim();
  const words = pattern.toLowerCase().split(/[\s.]+/).filter(Boolean);
  const has = ({ name, parameters, doc }) => {
    const text = `${name}(${parameters}) ${doc}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  el('functions').replaceChildren(make('dl', '', ...functions.filter(has).flatMap((own) => [
    make('dt', 'mono', `${own.name}(${own.parameters})`),
    make('dd', '', own.doc, ' ', starts({ expression: own.example, ...own.fields }, own.example)),
  ])));
  const answer = pattern ? call('answer', JSON.stringify({ op: 'atoms', args: [pattern] })) : { result: '' };
  const names = (answer.result ?? '').split('\n').filter(Boolean);
  const shown = names.slice(0, 40).map((name) => make('li', '', starts({ expression: name })));
  if (names.length > 40) shown.push(make('li', '', `and ${names.length - 40} more`));
  if (answer.error && !el('functions').querySelector('dt')) shown.push(make('li', '', answer.error));
  el('atoms').replaceChildren(...shown);
}
