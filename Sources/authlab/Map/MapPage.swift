internal import AuthCore

/// The decision map as one self-contained page: filter, reasons in words, links to the rules.
struct MapPage: Sendable {
    let map: DecisionMap

    var html: String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(DecisionMap.title)</title>
        <style>
        \(style)
        </style>
        </head>
        <body>
        <h1>\(DecisionMap.title)</h1>
        <p>Rows: what arrives. Columns: the account that it meets. Point at an answer, \
        or move to it with the arrow keys, to read why; a click, a tap or Return keeps the explanation.</p>
        <form id="filter">
        <label>Show only cells with <input type="search" name="text" placeholder="a word, a reason, an error"></label>
        <label><input type="checkbox" name="differs"> only where the policies differ</label>
        <fieldset><legend>Outcomes</legend>
        \(outcomes)
        </fieldset>
        <output id="count" aria-live="polite"></output>
        </form>
        <div class="wide">
        \(table)
        </div>
        <aside id="why" aria-live="polite" aria-label="Explanation"><p>Choose a cell.</p></aside>
        <h2>Rules</h2>
        <dl>
        \(rules)
        </dl>
        <script>
        \(Self.script)
        </script>
        </body>
        </html>
        """
    }

    private var outcomes: String {
        MapCell.Outcome.allCases.map { outcome in
            #"<label class="\#(outcome.rawValue)"><input type="checkbox" name="outcome" value="\#(outcome.rawValue)" "#
                + #"checked> \#(outcome.word): \#(outcome.about)</label>"#
        }.joined(separator: "\n")
    }

    private var table: String {
        let heads = map.columns.map { column in
            #"<th scope="col" role="columnheader" title="\#(Drawing.escaped(column.about))">\#(Drawing.escaped(column.title))</th>"#
        }
        let body = map.rows.map { row in
            let cells = map.columns.map { cell(row, $0) }.joined(separator: "\n")
            return
                #"<tr role="row"><th scope="row" role="rowheader" title="\#(Drawing.escaped(row.about))">\#(row.title)</th>"#
                + "\n\(cells)</tr>"
        }
        let names = map.policies.map { Drawing.escaped($0.title) }
        return """
            <table role="table">
            <caption>First: \(names[0]), second: \(names.last ?? ""); one answer: the same \
            for both</caption>
            <thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">what arrives</th>\(heads.joined(separator: "\n"))</tr></thead>
            <tbody role="rowgroup">
            \(body.joined(separator: "\n"))
            </tbody>
            </table>
            """
    }

    private func cell(_ row: Incoming, _ column: MapColumn) -> String {
        let cells = map[row, column]
        let label = Drawing.escaped(column.title)
        guard let first = cells.first else {
            return #"<td role="cell" data-column="\#(label)"><span class="none">–</span></td>"#
        }
        let names = map.policies.map(\.title)
        let isSame = Set(cells).count == 1
        let shown = isSame ? [(names.joined(separator: " and "), first)] : Array(zip(names, cells))
        let buttons = shown.map { name, cell in
            let words = ([name + ": " + row.title + ", " + column.title] + cell.sentences).joined(separator: "\n")
            let rules = cell.reasons.compactMap { MapRule.of($0)?.id }
            let codes = ([cell.code?.name].compactMap(\.self) + cell.reasons.map(\.rawValue)).joined(separator: " ")
            return #"<button type="button" class="\#(cell.outcome.rawValue)" tabindex="-1" "#
                + #"data-words="\#(Drawing.escaped(words))" data-rules="\#(rules.joined(separator: " "))" "#
                + #"data-names="\#(codes)" aria-label="\#(Drawing.escaped("\(row.title), \(column.title), \(name): \(cell.word)"))" "#
                + #"title="\#(Drawing.escaped(words))">\#(cell.word)</button>"#
        }
        let mark = isSame ? "" : #" class="differs""#
        return #"<td role="cell" data-column="\#(label)"\#(mark)>"# + buttons.joined() + "</td>"
    }

    private var rules: String {
        let shown = Set(
            map.rows.flatMap { row in map.columns.flatMap { map[row, $0].flatMap(\.reasons) } }
                .compactMap { MapRule.of($0)?.id }
        )
        return MapRule.all.filter { shown.contains($0.id) }.map { rule in
            #"<dt id="\#(rule.id)">\#(rule.id)</dt><dd>\#(Drawing.escaped(rule.text))</dd>"#
        }.joined(separator: "\n")
    }

    private var style: String {
        let dark = variables(.dark)
        return """
            :root { color-scheme: light dark; \(variables(.light)) }
            @media (prefers-color-scheme: dark) { :root { \(dark) } }
            \(Self.rulesOfStyle)
            \(MapCell.Outcome.allCases.map { outcome in
                ".\(outcome.rawValue) { background: var(--\(outcome.hue.rawValue)); "
                    + "border-color: var(--\(outcome.hue.rawValue)-line); }"
            }.joined(separator: "\n"))
            """
    }

    private func variables(_ theme: Theme) -> String {
        let hues = Theme.Hue.allCases.flatMap { hue in
            ["--\(hue.rawValue): \(theme.fill(hue));", "--\(hue.rawValue)-line: \(theme.stroke(hue));"]
        }
        let plain = [
            "--page: \(theme.background);", "--ink: \(theme.ink);", "--dim: \(theme.dim);", "--line: \(theme.line);",
            "--panel: \(theme.panel);",
        ]
        return (plain + hues).joined(separator: " ")
    }

    private static let rulesOfStyle = """
        * { box-sizing: border-box; }
        body { margin: 0 auto; padding: 1rem; max-width: 76rem; background: var(--page); color: var(--ink);
          font: 16px/1.45 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", Arial, sans-serif; }
        form { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; align-items: center; margin-bottom: 1rem; }
        fieldset { border: 1px solid var(--line); border-radius: 6px; display: flex; flex-wrap: wrap; gap: .4rem; }
        fieldset label { padding: .1rem .5rem .1rem .2rem; border: 1px solid; border-radius: 5px; font-size: .85rem; }
        input[type=search] { font: inherit; padding: .2rem .4rem; color: inherit; background: var(--panel);
          border: 1px solid var(--line); border-radius: 5px; width: 17rem; max-width: 100%; }
        h1 { font-size: 1.6rem; margin: 0 0 .5rem; }
        table { border-collapse: collapse; width: 100%; table-layout: fixed; }
        caption { text-align: left; color: var(--dim); padding-bottom: .4rem; }
        th, td { padding: 2px; font-weight: normal; vertical-align: middle; overflow-wrap: break-word; }
        thead th { font-size: .78rem; line-height: 1.2; vertical-align: bottom; }
        tbody th, thead th:first-child { text-align: left; width: 8.5rem; }
        tbody th { font-weight: 600; font-size: .9rem; }
        td { text-align: center; }
        td button { display: block; width: 100%; margin: 0 0 2px; padding: .18rem 0; font: inherit; font-size: .82rem;
          color: inherit; border: 1px solid; border-radius: 4px; cursor: pointer; white-space: nowrap; }
        td:not(.differs) button { padding: .95rem 0; }
        button:focus-visible, a:focus-visible, input:focus-visible { outline: 3px solid var(--ink); outline-offset: 1px; }
        button.hidden { opacity: .12; }
        button[aria-pressed=true] { box-shadow: 0 0 0 3px var(--ink); }
        .none { color: var(--dim); }
        #why { position: sticky; bottom: 0; margin: 1rem 0; padding: .6rem .9rem; min-height: 9.5rem;
          background: var(--panel); border: 1px solid var(--line); border-radius: 6px; }
        #why p { margin: .1rem 0; }
        a { color: inherit; }
        dt { float: left; clear: left; width: 3rem; font-weight: 600; }
        dd { margin: 0 0 .5rem 3rem; }
        dt:target, dt:target + dd { background: var(--yellow); }
        @media (max-width: 56rem) {
          table, caption, tbody, tr, td, tbody th { display: block; width: auto; }
          thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
          tbody th { font-size: 1.1rem; padding: 1rem 0 .3rem; width: auto; }
          td { display: grid; grid-template-columns: 9rem 1fr 1fr; gap: 4px; align-items: center; text-align: left; }
          td::before { content: attr(data-column); color: var(--dim); font-size: .85rem; }
          td button, td:not(.differs) button { padding: .35rem 0; margin: 0; }
          td:not(.differs) button { grid-column: 2 / 4; }
          #why { min-height: 0; max-height: 45vh; overflow: auto; font-size: .9rem; }
        }
        @media (prefers-reduced-motion: no-preference) { button { transition: opacity .15s; } }
        """

    private static let script = """
        const form = document.getElementById('filter'), why = document.getElementById('why');
        const buttons = [...document.querySelectorAll('td button')];
        let kept = null;
        function explain(button) {
          why.replaceChildren();
          button.dataset.words.split('\\n').forEach((line, index) => {
            const p = document.createElement('p');
            if (index === 0) { const b = document.createElement('b'); b.textContent = line; p.append(b); }
            else p.textContent = line;
            why.append(p);
          });
          const p = document.createElement('p');
          button.dataset.names.split(' ').filter(Boolean).forEach(name => {
            const code = document.createElement('code'); code.textContent = name; p.append(code, ' ');
          });
          [...new Set(button.dataset.rules.split(' ').filter(Boolean))].forEach(rule => {
            const a = document.createElement('a'); a.href = '#' + rule; a.textContent = 'Rule ' + rule; p.append(a, ' ');
          });
          why.append(p);
        }
        function keep(button) {
          buttons.forEach(other => other.removeAttribute('aria-pressed'));
          kept = kept === button ? null : button;
          if (kept) { kept.setAttribute('aria-pressed', 'true'); explain(kept); }
        }
        buttons.forEach(button => {
          button.addEventListener('mouseenter', () => { if (!kept) explain(button); });
          button.addEventListener('focus', () => { if (!kept) explain(button); });
          button.addEventListener('click', () => keep(button));
        });
        const rows = [...document.querySelectorAll('tbody tr')].map(row => [...row.querySelectorAll('td')]);
        function reach(button, down, right) {
          const cell = button.parentElement, inside = [...cell.children], place = inside.indexOf(button) + down;
          let y = rows.findIndex(row => row.includes(cell)), x = rows[y].indexOf(cell);
          if (down && place >= 0 && place < inside.length) return inside[place];
          for (;;) {
            y += down; x += right;
            const next = rows[y] && rows[y][x];
            if (!next) return null;
            const found = [...next.querySelectorAll('button')];
            if (found.length) return down < 0 ? found[found.length - 1] : found[0];
          }
        }
        const steps = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] };
        document.querySelector('tbody').addEventListener('keydown', event => {
          if (event.key === 'Escape') { if (kept) keep(kept); return; }
          const step = steps[event.key];
          if (!step || event.target.tagName !== 'BUTTON') return;
          const next = reach(event.target, step[0], step[1]);
          if (!next) return;
          event.preventDefault();
          event.target.tabIndex = -1; next.tabIndex = 0; next.focus();
        });
        buttons.forEach(button => button.addEventListener('focus', () => {
          buttons.forEach(other => { other.tabIndex = -1; }); button.tabIndex = 0;
        }));
        if (buttons.length) buttons[0].tabIndex = 0;
        function filter() {
          const data = new FormData(form), text = data.get('text').trim().toLowerCase();
          const outcomes = data.getAll('outcome'), differs = data.get('differs');
          let shown = 0;
          buttons.forEach(button => {
            const all = (button.dataset.words + ' ' + button.dataset.names + ' ' + button.textContent).toLowerCase();
            const fits = outcomes.includes(button.classList[0]) && all.includes(text)
              && (!differs || button.parentElement.classList.contains('differs'));
            button.classList.toggle('hidden', !fits);
            if (fits) shown += 1;
          });
          document.getElementById('count').textContent = shown + ' of ' + buttons.length + ' answers';
        }
        form.addEventListener('input', filter);
        form.addEventListener('submit', event => event.preventDefault());
        filter();
        """
}
