// The page: it sends what the fields say to the module, draws the tables of the answer, and shows the facts of one element.

/** Replaces the state. */
function startWith(other) {
  [state, cell, ofAgainst] = [{ ...other }, [0, 0, 0], false];
  writeFields();
  update();
}

// --- The page ---

function setTheme(dark) {
  root.classList.toggle('dark', dark);
  el('theme').setAttribute('aria-pressed', String(dark));
  el('theme').textContent = dark ? 'Light' : 'Dark';
  theme = colours();
  for (const table of tables()) { table.draw(theme); table.outline(theme); }
}

function followLink() {
  const wrong = readLink(location.hash);
  ofAgainst = false;
  writeFields();
  el('find').value = '';
  update(wrong.length ? `This link has parts that cannot be read, and defaults take their place: ${wrong.join('; ')}` : '');
}

async function main() {
  try {
    await start();
  } catch (error) {
    say(`This browser cannot run the page: ${error}`);
    return;
  }
  const about = call('about');
  palette = about.palette;
  el('functions').append(make('dl', '', ...about.functions.flatMap(({ name, parameters, doc, example }) => {
    const button = make('button', 'mono', example);
    button.type = 'button';
    button.addEventListener('click', () => startWith({ expression: example }));
    return [make('dt', 'mono', `${name}(${parameters})`), make('dd', '', doc, ' ', button)];
  })));
  el('examples').append(make('option', '', 'choose one'), ...EXAMPLES.map(([name], n) => {
    const option = make('option', '', name);
    option.value = n;
    return option;
  }));
  el('examples').addEventListener('change', () => {
    const chosen = EXAMPLES[el('examples').value];
    if (chosen) startWith(chosen[1]);
  });
  el('form').addEventListener('input', () => { readFields(); update(); });
  el('form').addEventListener('submit', (event) => event.preventDefault());
  el('pattern').addEventListener('input', listAtoms);
  el('finder').addEventListener('input', () => find(false));
  el('finder').addEventListener('submit', (event) => { event.preventDefault(); find(true); });
  el('theme').addEventListener('click', () => setTheme(!root.classList.contains('dark')));
  el('skip').addEventListener('click', (event) => { event.preventDefault(); tables()[0]?.box.focus(); });
  window.addEventListener('hashchange', followLink);
  setTheme(matchMedia('(prefers-color-scheme: dark)').matches);
  followLink();
  root.dataset.ready = 'true';
}

main();
