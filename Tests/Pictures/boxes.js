// Measures every text of every picture as the browser sets it: it must end inside the smallest box that it begins in.
const wrong = [];
document.querySelectorAll('svg[role=img]').forEach(picture => {
  const boxes = [...picture.querySelectorAll('rect')].map(rect => rect.getBBox());
  picture.querySelectorAll('text').forEach(text => {
    const at = text.getBBox(), middle = at.x + at.width / 2;
    const around = boxes.filter(box => box.y <= at.y + 4 && box.y + box.height >= at.y + at.height - 4
      && box.x <= middle && box.x + box.width >= middle);
    const box = around.reduce((one, other) => one.width * one.height < other.width * other.height ? one : other);
    if (at.x < box.x - 0.5 || at.x + at.width > box.x + box.width + 0.5 || at.y + at.height > box.y + box.height + 4) {
      wrong.push(picture.querySelector('title').textContent + ' has no room for: ' + text.textContent);
    }
  });
});
document.getElementById('found').textContent = wrong.join('\n') || 'every text is in its box';
