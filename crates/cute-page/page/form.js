// The form of a launch. An argument is a text of `cutec run --arg`; for arrays and numbers the form has fields, which write that text.

const ELEMENTS = [
  'f32', 'f16', 'bf16', 'f64', 'i32', 'u32', 'i8', 'u8', 'i16', 'u16', 'i64', 'u64', 'f8E4M3FN', 'f8E5M2', 'f8E8M0FNU', 'f4E2M1FN',
  'f6E2M3FN', 'f6E3M2FN', 'i1',
];
const FILLINGS = ['0', '1', 'range', 'random(1)', 'random(2)', 'undef'];

function option(value, text = value) {
  const made = make('option', '', text);
  made.value = value;
  return made;
}

function field(label, value, changed, { list, choices } = {}) {
  const input = make(choices ? 'select' : 'input');
  if (choices) {
    input.append(...(choices.includes(value) ? choices : [value, ...choices]).map((choice) => option(choice)));
  } else {
    input.spellcheck = false;
    input.autocapitalize = 'off';
  }
  if (list) input.setAttribute('list', list);
  input.value = value;
  input.addEventListener('input', () => changed(input.value));
  return make('label', '', label, input);
}

/** The text of an argument that is taken apart. */
function written(form) {
  if (form.form !== 'array') return form.text;
  const name = form.name ? `${form.name}:` : '';
  return `${name}${form.element}[${form.extents}]${form.values === '0' ? '' : `=${form.values}`}`;
}

/** A form of another kind, as far as the old one tells. */
function changedTo(kind, form, parameter) {
  if (kind === 'array') {
    return { form: 'array', name: parameter.name.replace(/\W/g, '_'), element: 'f32', extents: '1024', values: '0' };
  }
  return { form: kind, text: form.form === 'array' ? (kind === 'number' ? '0' : written(form)) : form.text };
}

/** The row of an argument: its name and type, the kind of its value, and the fields of that. */
function argumentRow(parameter, form, changed) {
  const row = make('div', 'argument');
  const show = () => {
    const set = (name) => (value) => { form[name] = value; changed(written(form)); };
    const select = make('select');
    select.append(option('array', 'array'), option('number', 'number, null'), option('text', 'text of --arg'));
    select.value = form.form;
    select.addEventListener('change', () => {
      form = changedTo(select.value, form, parameter);
      show();
      changed(written(form));
    });
    const parts = make('div', form.form === 'array' ? 'parts' : '');
    if (form.form === 'array') {
      parts.append(
        field('Type', form.element, set('element'), { choices: ELEMENTS }),
        field('Size, such as 64x128', form.extents, set('extents')),
        field('Filled with', form.values, set('values'), { list: 'k-fillings' }),
      );
    } else {
      const label = form.form === 'number' ? 'Number' : 'Struct {..}, bytes(..), tensor_map(..), &address';
      parts.append(field(label, form.text, set('text')));
    }
    const bytes = `${parameter.type}, ${parameter.width} bytes`;
    row.replaceChildren(make('div', 'name', parameter.name, make('div', 'note', bytes)), make('label', '', 'Kind', select), parts);
  };
  show();
  return row;
}

/** Three extents in a text; `undefined` for an empty one. */
function extents(text) {
  const numbers = text.split(/[\s,x]+/).filter(Boolean);
  if (!numbers.length) return undefined;
  // What is no number is refused where the reason is known.
  return numbers.map((n) => (/^\d{1,10}$/.test(n) ? Number(n) : n));
}

const lines = (text) => text.split('\n').map((line) => line.trim()).filter(Boolean);
const count = (text) => (/^\d{1,15}$/.test(text.trim()) ? Number(text) : undefined);
