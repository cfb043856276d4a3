// Uses the page of the decision map as a person does, and says what came of it, line by line.
const said = [];
const say = (name, value) => said.push(name + ': ' + value);
const visible = () => buttons.filter(button => !button.classList.contains('hidden'));
const press = key => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
const input = () => form.dispatchEvent(new Event('input', { bubbles: true }));

say('fits the width', document.documentElement.scrollWidth <= window.innerWidth);
say('answers', visible().length === buttons.length && buttons.length > 100);
say('one stop for the Tab key', buttons.filter(button => button.tabIndex === 0).length);

form.elements.text.value = 'methodsAreNotCovered';
input();
say('a reason is found', visible().length > 0
  && visible().every(button => button.dataset.names.includes('methodsAreNotCovered')));
form.elements.text.value = 'no such word';
input();
say('nothing is found', document.getElementById('count').textContent.startsWith('0 of'));
form.elements.text.value = '';
form.elements.differs.checked = true;
input();
say('differences', visible().every(button => button.parentElement.classList.contains('differs')));
form.elements.differs.checked = false;
form.elements.outcome[0].checked = false;
input();
say('an outcome is left out', visible().every(button => !button.classList.contains('signsIn')));
form.elements.outcome[0].checked = true;
input();

rows[1][0].querySelector('button').focus();
press('ArrowRight');
say('right', rows[1].indexOf(document.activeElement.parentElement));
press('ArrowDown');
say('down within a cell', rows[1].indexOf(document.activeElement.parentElement));
press('ArrowDown');
say('down', rows.findIndex(row => row.includes(document.activeElement.parentElement)));
press('ArrowUp');
press('ArrowUp');
press('ArrowLeft');
say('back', rows[1].indexOf(document.activeElement.parentElement));
say('focus explains', why.querySelectorAll('p').length > 2);

document.activeElement.click();
const first = why.textContent;
rows[3][3].querySelector('button').dispatchEvent(new MouseEvent('mouseenter'));
say('a click keeps the explanation', why.textContent === first && kept.getAttribute('aria-pressed'));
press('Escape');
rows[3][3].querySelector('button').dispatchEvent(new MouseEvent('mouseenter'));
say('Escape lets it go', why.textContent !== first && kept === null);
const links = [...why.querySelectorAll('a')];
say('links to rules', links.length > 0 && links.every(link => document.querySelector(link.getAttribute('href'))));
say('words for each answer', buttons.every(button => button.getAttribute('aria-label').includes(button.textContent)));
say('labels', [...form.elements].every(element => element.tagName === 'FIELDSET' || element.tagName === 'OUTPUT'
  || element.labels.length === 1));
document.getElementById('found').textContent = said.join('\n');
