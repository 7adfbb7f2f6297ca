'use strict';
// Elements of the page. All text of answers is set as text, never as markup.

const el = (id) => document.getElementById(id);
const root = document.documentElement;

/** A new element with a class, and its children: text or elements. */
function make(tag, name = '', ...children) {
  const made = document.createElement(tag);
  if (name) made.className = name;
  made.append(...children);
  return made;
}
