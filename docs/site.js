// A rung's page as a student or as a reader wants it. Students predict and write first: their folds are closed, and the reference
// and its difference to the rung below are hidden. Readers see answers, measurements and the reference. The choice is kept.
// Without this script the page has all of it in closed folds.
(() => {
  const key = "ladder-view";
  const views = {
    student: ["Student", "Answers are folded, the reference is hidden."],
    reader: ["Reader", "Answers are open, the reference is below the text."],
  };
  const stored = () => { try { return localStorage.getItem(key); } catch { return null; } };  // some browsers refuse it
  const store = (view) => { try { localStorage.setItem(key, view); } catch { /* then for this page only */ } };

  const bar = document.createElement("div"), note = document.createElement("span"), buttons = {};
  bar.className = "ladder-view";
  bar.setAttribute("role", "group");
  bar.setAttribute("aria-label", "Who reads this page");
  note.setAttribute("role", "status");

  function show(view) {
    document.documentElement.setAttribute("data-ladder-view", view);
    for (const fold of document.querySelectorAll(".contents details"))
      fold.open = view == "reader" && !fold.classList.contains("ladder-difference");
    for (const name in buttons) buttons[name].setAttribute("aria-pressed", String(name == view));
    note.textContent = views[view][1];
  }

  for (const name in views) {
    const button = buttons[name] = document.createElement("button");
    button.type = "button";
    button.textContent = views[name][0];
    button.addEventListener("click", () => { store(name); show(name); });
    bar.append(button);
  }
  bar.append(note);
  document.querySelector(".contents .textblock").prepend(bar);
  show(Object.hasOwn(views, stored()) ? stored() : "student");
})();
