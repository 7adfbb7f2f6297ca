// The functions and the atoms.

/** The first atoms whose names match. */
function listAtoms() {
  const pattern = el('pattern').value.trim();
  const answer = pattern ? call('answer', JSON.stringify({ op: 'atoms', args: [pattern] })) : { result: '' };
  const names = (answer.result ?? '').split('\n').filter(Boolean);
  const shown = names.slice(0, 40).map((name) => {
    const button = make('button', 'mono', name);
    button.type = 'button';
    button.addEventListener('click', () => startWith({ expression: name }));
    return make('li', '', button);
  });
  if (names.length > 40) shown.push(make('li', '', `and ${names.length - 40} more`));
  if (answer.error) shown.push(make('li', '', answer.error));
  el('atoms').replaceChildren(...shown);
}
