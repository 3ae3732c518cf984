// Runs docs/site.js on a page of three folds, as far as a page consists of what that script uses. Called by views_test.sh.
const assert = require("node:assert"), fs = require("node:fs"), vm = require("node:vm");
const script = fs.readFileSync(process.argv[2], "utf8");

class Element {
  attributes = {}; children = []; listeners = {}; open = false;
  constructor(...classes) { this.classList = { contains: (name) => classes.includes(name) }; }
  setAttribute(name, value) { this.attributes[name] = value; }
  append(...more) { this.children.push(...more); }
  prepend(one) { this.children.unshift(one); }
  addEventListener(event, then) { this.listeners[event] = then; }
}

function page(localStorage) {
  const html = new Element(), text = new Element();
  const folds = [new Element(), new Element("ladder-solution", "ladder-reference"), new Element("ladder-solution", "ladder-difference")];
  vm.runInNewContext(script, {
    localStorage,
    document: {
      documentElement: html,
      createElement: () => new Element(),
      querySelector: (which) => (assert.equal(which, ".contents .textblock"), text),
      querySelectorAll: (which) => (assert.equal(which, ".contents details"), folds),
    },
  });
  const [student, reader, note] = text.children[0].children;
  return {
    student, reader, note,
    view: () => html.attributes["data-ladder-view"],
    open: () => folds.map((fold) => fold.open),
    pressed: () => [student, reader].map((button) => button.attributes["aria-pressed"]),
  };
}

function storage(items = {}) {
  return { items, getItem: (key) => items[key] ?? null, setItem: (key, value) => { items[key] = value; } };
}

const kept = storage();
const first = page(kept);
assert.equal(first.view(), "student", "who comes first is a student");
assert.deepEqual(first.open(), [false, false, false], "a student's folds are closed");
first.reader.listeners.click();
assert.equal(first.view(), "reader");
assert.deepEqual(first.open(), [true, true, false], "a reader sees the answer and the reference, not the difference");
assert.deepEqual(first.pressed(), ["false", "true"]);
assert.match(first.note.textContent, /^Answers are open/);

assert.equal(page(kept).view(), "reader", "the next page knows the choice");
page(kept).student.listeners.click();
assert.deepEqual(page(kept).open(), [false, false, false]);
assert.equal(page(storage({ "ladder-view": "nobody" })).view(), "student", "an unknown choice is none");

const refused = { getItem() { throw new Error("refused"); }, setItem() { throw new Error("refused"); } };
const last = page(refused);
last.reader.listeners.click();
assert.equal(last.view(), "reader", "a browser that stores nothing still switches");
