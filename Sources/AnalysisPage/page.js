"use strict";
// Shows the data in the element `data`: a snapshot, and optionally the intervals of a launch and the
// changes since another snapshot. No text is parsed as HTML.
(() => {
  const data = JSON.parse(byID("data").textContent);
  const { snapshot, changes } = data;
  const bar = (entry) => ({ ...entry, start: entry.begin / 1000, duration: entry.duration / 1000, own: entry.own / 1000 });
  const launch = data.launch && { ...data.launch, bars: data.launch.entries.map(bar) };
  const isProcess = snapshot.origin === "process";
  const ROWS = 200, COLLAPSED_FROM = 300, MANY_EDGES = 1000, NODE = { width: 184, height: 44 };
  let process, graphs, query = "", rowLimit = ROWS, shown;

  // MARK: Elements

  function byID(id) { return document.getElementById(id); }

  function fill(element, properties, children) {
    for (const [key, value] of Object.entries(properties ?? {})) {
      if (value === undefined || value === null || value === false) continue;
      if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
      else element.setAttribute(key, value === true ? "" : value);
    }
    element.append(...children.flat(3).filter((child) => child || child === 0));
    return element;
  }
  const el = (tag, properties, ...children) => fill(document.createElement(tag), properties, children);
  const svg = (tag, properties, ...children) =>
    fill(document.createElementNS("http://www.w3.org/2000/svg", tag), properties, children);

  /// Splits text into nodes and marks the occurrences of the query.
  function marked(text) {
    if (!query || text.length > 2000) return [text];
    const parts = [], lower = text.toLowerCase();
    let from = 0;
    if (lower.length !== text.length) return [text];
    for (let at; (at = lower.indexOf(query, from)) >= 0; from = at + query.length) {
      parts.push(text.slice(from, at), el("mark", {}, text.slice(at, at + query.length)));
    }
    return [...parts, text.slice(from)];
  }
  const name = (text, style = "name") =>
    el("bdi", { class: style, title: text.length > 30 ? text : undefined }, marked(text));
  const tag = (text, style = "") => el("bdi", { class: `tag ${style}`, title: text.length > 30 ? text : undefined }, text);
  const place = (text) => text && [" ", name(text, "name place")];
  /// The name of a type without the Swift module.
  const ownName = (text) => /^[\p{L}_][\p{L}\p{N}_]*\.[\p{L}_]/u.test(text) ? text.slice(text.indexOf(".") + 1) : text;
  const plural = (count, word) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;
  function short(text, length) {
    const characters = [...text.slice(0, 4 * length)];
    return characters.length > length ? `${characters.slice(0, length - 1).join("")}…` : text;
  }
  function time(us) {
    if (us >= 1e6) return `${(us / 1e6).toFixed(2)} s`;
    if (us >= 1000) return `${(us / 1000).toFixed(2)} ms`;
    return us === 0 ? "0" : `${us.toFixed(us < 10 ? 1 : 0)} µs`;
  }

  let pending;
  function announce(text) {
    clearTimeout(pending);
    pending = setTimeout(() => { byID("live").textContent = text; }, 120);
  }

  // MARK: Sections

  /// Each row has `text` for the search and a function `cells`. Consecutive rows with the same
  /// `group` share a heading.
  const sections = {
    modules: { title: "Modules", unit: "module", rows: moduleRows, columns: ["Order#", "Module", "Image", "Starts after", "Properties"] },
    services: entrySection("Services", "implementation", ["service"], "Implementation"),
    events: entrySection("Events", "subscriber", ["event"], "Subscriber, in calling order"),
    routes: entrySection("Routes and actions", "handler", ["route", "action"], "Handler"),
    points: entrySection("Contribution points", "contribution", ["point"], "Contribution"),
    needs: { title: "Needs", unit: "need", rows: needRows, columns: ["Needed", "By", "Image", "Provided by"] },
    diagnostics: { title: "Diagnostics", unit: "problem", rows: problemRows, columns: ["Severity", "Message", "Subject", "Image"] },
    launch: { title: "Launch", unit: "interval", rows: launchRows, columns: ["Name", "Activity", "Begins#", "Takes#", "Itself#"], missing: !launch },
    changes: { title: "Changes", unit: "change", rows: changeRows, columns: ["Change", "Kind", "Subject", "Details"], missing: !changes },
  };

  function row(parts, cells, group) {
    return { text: parts.filter((part) => part !== undefined && part !== null).join("\n").toLowerCase(), cells, group };
  }

  const imageText = (image) => image === undefined || image === "" ? el("span", { class: "note" }, "code") : name(image);
  const moduleButton = (text, label = text) => graphs.index.has(text)
    ? el("button", { type: "button", "data-module": text }, name(label)) : name(label);

  function moduleRows() {
    const features = graphs.nodes.filter((node) => node.module === undefined);
    return process.modules.map((module, index) => row(
      [module.name, module.image, module.location, module.level, module.state], () => [
        module.position ?? tag("cycle", "error"),
        [moduleButton(module.name), place(module.location)],
        imageText(module.image),
        [...module.after.map((other) => [
          graphs.index.has(other) ? moduleButton(other) : [name(other), " ", tag("unknown", "error")], " "]),
        ...module.afterNeeds.map((other) => [moduleButton(other), " ", tag("need"), " "])],
        [module.state && tag(module.state, module.state === "failed" ? "error" : ""),
          module.level !== "normal" && tag(module.level), module.priority !== 0 && tag(`priority ${module.priority}`),
          module.activation !== "atLaunch" && tag(module.activation), launch && graphs.times.has(module.name) && tag(time(graphs.times.get(module.name)), "accent")],
      ])).concat(features.map((node) => row([node.name, graphs.images[node.image]], () => [
      "–", [moduleButton(node.name)], imageText(graphs.images[node.image]), "", [tag("no module")]])));
  }

  function entrySection(title, unit, kinds, heading) {
    return { title, unit, columns: ["#", heading, "Image", "Properties"], rows() {
      const dependents = new Map();
      for (const need of process.needs) {
        const key = [need.kind, need.key, need.name ?? ""].join("\0");
        if (!dependents.has(key)) dependents.set(key, []);
        dependents.get(key).push(need.dependent);
      }
      let group;
      return process.entries.filter((entry) => kinds.includes(entry.kind)).map((entry) => {
        const named = entry.kind === "service" ? entry.name ?? "" : "";
        const id = [entry.kind, entry.key, named].join("\0");
        if (group?.id !== id) {
          const by = [...new Set(dependents.get(id) ?? [])];
          const first = entry;
          group = { id, text: by.join("\n"), heading: () => [
            name(first.key), named && [" ", tag(`“${named}”`)],
            first.type && [" ", tag(first.type)], kinds.length > 1 && [" ", tag(first.kind)],
            by.length > 0 && [" ", el("span", { class: "note" }, "needed by "), name(by.slice(0, 8).join(", "), "name note"),
              by.length > 8 && ` and ${by.length - 8} others`]] };
        }
        return row([entry.key, entry.name, entry.provider, entry.image, entry.location, ...entry.access?.patterns ?? [], entry.type,
          entry.scope, entry.condition, group.text], () => [
          entry.rank,
          [name(entry.provider), place(entry.location)],
          imageText(entry.image),
          [entry.kind === "service" && (entry.isSelected ? tag("used", "accent") : tag("not used")),
            entry.kind === "point" && entry.name && tag(`“${entry.name}”`), (entry.access?.patterns ?? []).map((pattern) => [name(pattern), " "]),
            entry.access && tag(entry.access.origin),
            entry.scope && tag(entry.scope), entry.priority !== 0 && tag(`priority ${entry.priority}`),
            entry.condition && tag(`if ${entry.condition}`), entry.replaces && tag(`replaces ${entry.replaces}`)],
        ], group);
      });
    } };
  }

  function needRows() {
    return process.needs.map((need) => row(
      [need.kind, need.key, need.name, need.dependent, need.image, need.location, ...need.providers], () => [
        [name(need.key), " ", tag(need.kind), need.name && tag(`“${need.name}”`), need.isOptional && tag("optional")],
        [name(need.dependent), place(need.location)],
        imageText(need.image),
        need.providers.length ? need.providers.map((provider) => [name(provider), " "])
          : [tag("missing", need.isOptional || need.kind === "point" ? "" : "error")],
      ]));
  }

  function problemRows() {
    return snapshot.problems.map((problem) => row(
      [problem.severity, problem.code, problem.subject, problem.image, problem.location, problem.message], () => [
        tag(problem.severity, problem.severity),
        [el("bdi", {}, marked(problem.message)), " ", tag(problem.code), place(problem.location)],
        problem.subject ? moduleButton(problem.subject) : "",
        problem.image ? name(problem.image) : "",
      ]));
  }

  function launchRows() {
    return [...launch?.bars ?? []].sort((a, b) => b.own - a.own).map((bar) => row([bar.name, bar.kind, bar.activity], () => [
      moduleButton(bar.name), [name(bar.activity), bar.kind && bar.kind !== bar.activity && [" ", tag(bar.kind)]],
      time(bar.start), time(bar.duration), time(bar.own)]));
  }

  function changeRows() {
    return (changes ?? []).map((change) => row([change.change, change.breaking && "breaking", change.kind, change.subject, change.details, change.location, ...change.processes ?? []], () => [
      [tag(change.change, change.change === "added" ? "added" : ""), change.breaking && tag("breaking", "error")],
      change.kind, [name(change.subject), place(change.location)],
      [el("bdi", {}, marked(change.details)), " ", (change.processes ?? []).map((process) => tag(process))]]));
  }

  // MARK: Tables

  function matching(section) { return query ? section.all.filter((row) => row.text.includes(query)) : section.all; }

  function renderTable(id) {
    const section = sections[id], rows = matching(section), kept = rows.slice(0, rowLimit);
    const count = plural(section.all.length, section.unit);
    const caption = query ? `${rows.length.toLocaleString("en")} of ${count} match the search`
      : { modules: "Modules in setup order", launch: "Intervals by their own time, without nested intervals" }[id]
        ?? count;
    const box = byID(`${id}-table`);
    if (!rows.length) {
      const text = query ? `Nothing here matches “${short(query, 60)}”.` : `No ${section.title.toLowerCase()}.`;
      box.replaceChildren(el("p", { class: "empty" }, el("bdi", {}, text)));
      return;
    }
    const table = el("table", {}, el("caption", {}, caption), el("thead", {}, el("tr", {}, section.columns.map((column) =>
      el("th", { scope: "col", class: column.endsWith("#") ? "number" : undefined }, column.replace(/(.)#$/, "$1"))))));
    let group, body;
    const header = section.columns.findIndex((column) => !column.endsWith("#"));
    for (const row of kept) {
      if (!body || row.group !== group) {
        group = row.group;
        body = table.appendChild(el("tbody"));
        if (group) {
          body.append(el("tr", {}, el("th", { scope: "rowgroup", colspan: section.columns.length }, group.heading())));
        }
      }
      body.append(el("tr", {}, row.cells().map((cell, index) => el(index === header ? "th" : "td", {
        scope: index === header ? "row" : undefined, class: section.columns[index].endsWith("#") ? "number" : undefined }, cell))));
    }
    box.replaceChildren(el("div", { class: "scroll", role: "region", tabindex: 0, "aria-label": `${section.title}, table` }, table));
    if (kept.length < rows.length) {
      box.append(el("button", { class: "more", type: "button", onclick() {
        rowLimit = Infinity;
        renderTable(id);
        box.querySelector(".scroll").focus();
      } }, `Show all ${rows.length.toLocaleString("en")} rows`));
    }
  }

  // MARK: Navigation

  function renderNavigation() {
    byID("sections").replaceChildren(...Object.entries(sections).filter(([, section]) => !section.missing).map(([id, section]) => {
      const count = matching(section).length;
      const worst = id !== "diagnostics" ? "" : ["error", "warning"].find((severity) =>
        snapshot.problems.some((problem) => problem.severity === severity)) ?? "";
      return el("li", {}, el("a", { href: `#${id}`, "aria-current": id === shown ? "page" : undefined },
        section.title, el("span", { class: `count ${worst}` }, ` ${count.toLocaleString("en")}`)));
    }));
  }

  function show(id) {
    shown = Object.hasOwn(sections, id) && !sections[id].missing ? id : "modules";
    rowLimit = ROWS;
    for (const other of Object.keys(sections)) {
      const element = byID(`section-${other}`);
      if (element) element.hidden = other !== shown;
    }
    if (!byID(`section-${shown}`)) {
      byID("main").append(el("section", { id: `section-${shown}`, "aria-labelledby": `${shown}-title` },
        el("h2", { id: `${shown}-title`, tabindex: -1 }, sections[shown].title),
        shown === "modules" && byID("graph-template").content.cloneNode(true),
        shown === "launch" && renderLaunch(), el("div", { id: `${shown}-table`, class: "panel" })));
      if (shown === "modules") connectGraph();
    }
    renderNavigation();
    renderTable(shown);
    if (shown === "modules") renderGraph();
    if (shown === "launch") drawBars();
  }

  function select(index) {
    process = snapshot.processes[index] ?? { name: "", images: [], modules: [], entries: [], needs: [] };
    graphs = graphOf(process);
    for (const section of Object.values(sections)) section.all = section.rows();
    Object.assign(view, { image: -1, collapsed: process.modules.length >= COLLAPSED_FROM && graphs.images.length > 1, selected: [] });
    byID("summary").textContent = [isProcess ? "Running process" : "Files", process.architecture,
      process.group && `group ${short(process.group, 40)}`, plural(process.images.length, "image"), plural(process.modules.length, "module"),
      launch && `launch ${time(launchEnd)}`]
      .filter(Boolean).join(" · ");
    byID("section-modules")?.remove();
  }

  // MARK: The graph

  const view = { x: 0, y: 0, scale: 1 };

  /// Returns the graph of a process, with an index of names, launch times, and problem severities. A
  /// node is a module, or a Swift module that has registrations or needs but no module.
  function graphOf(process) {
    const nodes = [], images = new Map(), byName = new Map(), byFeature = new Map(), edges = new Map();
    const times = new Map(), severities = new Map();
    const note = (map, key, value) => { if (!map.has(key)) map.set(key, value); };
    // The image "" stands for registrations in code.
    const add = (name, image = "", module) => {
      note(images, image, images.size);
      nodes.push({ name, image: images.get(image), module });
    };
    process.modules.forEach((module, index) => {
      note(byName, module.name, index);
      note(byFeature, module.feature, index);
      add(module.name, module.image, index);
    });
    for (const { feature, image } of [...process.entries, ...process.needs]) {
      if (byFeature.has(feature)) continue;
      byFeature.set(feature, nodes.length);
      add(feature, image);
    }
    // An edge leads from a node to one that depends on it. `after` takes precedence over a need.
    const connect = (from, to, kind) => {
      if (from !== undefined && to !== undefined && from !== to) note(edges, `${from} ${to}`, { from, to, kind });
    };
    process.modules.forEach((module, index) => module.after.forEach((name) => connect(byName.get(name), index, "after")));
    process.modules.forEach((module, index) => module.afterNeeds.forEach((name) => connect(byName.get(name), index, "need")));
    for (const need of process.needs) {
      const dependent = byName.get(need.dependent) ?? byFeature.get(need.feature);
      const module = need.kind === "module" ? byName.get(need.key) : undefined;
      if (module !== undefined) connect(module, dependent, "need");
      else for (const provider of need.providers) connect(byFeature.get(provider), dependent, "need");
    }
    for (const bar of launch?.bars ?? []) times.set(bar.name, (times.get(bar.name) ?? 0) + bar.own);
    for (const { subject, severity } of snapshot.problems) {
      if (subject && severities.get(subject) !== "error") severities.set(subject, severity);
    }
    const index = new Map(nodes.map((node, index) => [node.name, index]).reverse());
    return { nodes, images: [...images.keys()], edges: [...edges.values()], index, times, severities };
  }

  /// Sets the nodes and edges that the toolbar's options select.
  function arrange() {
    const collapsed = view.collapsed && view.image < 0 && graphs.images.length > 1;
    const members = [...(collapsed ? graphs.images : graphs.nodes).keys()]
      .filter((id) => view.image < 0 || graphs.nodes[id].image === view.image);
    const counts = [];
    if (collapsed) for (const node of graphs.nodes) counts[node.image] = (counts[node.image] ?? 0) + 1;
    const nodes = members.map((id) => {
      const ends = { id, before: [], after: [] };
      if (collapsed) {
        const label = graphs.images[id] || "registered by code";
        return { ...ends, name: label, label, sub: plural(counts[id] ?? 0, "module") };
      }
      const node = graphs.nodes[id], module = process.modules[node.module], image = graphs.images[node.image];
      const label = module ? ownName(node.name) : node.name;
      const sub = [module?.position && `${module.position}`, module ? graphs.images.length > 1 && image.replace(/^lib(?=.)|\.(so|dylib)\b.*$/g, "") : "no module",
        graphs.times.has(node.name) && time(graphs.times.get(node.name))].filter(Boolean).join(" · ");
      return { ...ends, name: node.name, label, sub, isLoose: !module, severity: graphs.severities.get(node.name) };
    });
    const local = new Map(members.map((id, index) => [id, index])), edges = new Map();
    for (const { from, to, kind } of graphs.edges) {
      const [a, b] = [from, to].map((id) => local.get(collapsed ? graphs.nodes[id].image : id));
      if (a !== undefined && b !== undefined && a !== b) edges.set(`${a} ${b}`, { from: a, to: b, kind: collapsed ? "after" : kind });
    }
    view.edges = [...edges.values()].sort((a, b) => a.from - b.from || a.to - b.to);
    for (const { from, to } of view.edges) {
      nodes[from].after.push(to);
      nodes[to].before.push(from);
    }
    Object.assign(view, { isCollapsed: collapsed, nodes }, layOut(nodes));
    for (const edge of view.edges) {
      if (!collapsed && edge.kind === "after" && nodes[edge.from].layer >= nodes[edge.to].layer) edge.kind = "cycle";
    }
    document.querySelector(".legend .cycle").hidden = !view.edges.some((edge) => edge.kind === "cycle");
  }

  /// Sets the positions of nodes in layers, and returns the layers and the size of the graph. Every
  /// edge leads to a later layer unless it closes a cycle. The edges from a node cross the layers
  /// between their ends at the same positions.
  function layOut(nodes) {
    // Search depth-first. An edge closes a cycle if its end finishes no earlier than its start.
    const order = [], finish = [], visited = new Set(), unvisited = nodes.map((node) => [...node.after]);
    for (const root of nodes.keys()) {
      const path = visited.has(root) ? [] : [root];
      while (path.length) {
        const node = path.at(-1), next = unvisited[node].pop();
        visited.add(node);
        if (next === undefined) finish[node] = order.push(path.pop());
        else if (!visited.has(next)) path.push(next);
      }
    }
    for (const node of nodes) node.layer = 0;
    for (const from of order.reverse()) {
      for (const to of nodes[from].after.filter((to) => finish[to] < finish[from])) {
        nodes[to].layer = Math.max(nodes[to].layer, nodes[from].layer + 1);
      }
    }

    // The items of a layer are its nodes and the crossings of edges, with their neighbors.
    const layers = [];
    const add = (layer, node) => {
      const item = { node, y: 0, before: [], after: [] };
      (layers[layer] ??= []).push(item);
      return item;
    };
    const link = (from, to) => { from.after.push(to); to.before.push(from); };
    const chains = nodes.map((node) => [add(node.layer, node)]);
    const ends = nodes.map((node) => node.after.filter((to) => nodes[to].layer > node.layer));
    const lengths = ends.map((ends, from) => ends.reduce((length, to) =>
      Math.max(length, nodes[to].layer - nodes[from].layer - 1), 0));
    // More crossings are illegible, so the edges take straight lines.
    const areLegible = lengths.reduce((sum, length) => sum + length, 0) <= 8000;
    chains.forEach((chain, from) => {
      for (let length = areLegible ? lengths[from] : 0; length > 0; length--) {
        chain.push(add(nodes[from].layer + chain.length));
        link(chain.at(-2), chain.at(-1));
      }
      for (const to of ends[from]) link(chain[nodes[to].layer - nodes[from].layer - 1] ?? chain[0], chains[to][0]);
    });

    // A layer with many nodes has several columns, so a graph without edges is about as wide as it is high.
    const rows = Math.max(14, Math.floor(Math.sqrt(nodes.length * 5))), gap = { column: 16, layer: 46, row: 14 };
    const columnsOf = (layer) => Math.max(1, Math.ceil(layer.filter((item) => item.node).length / rows));
    /// Moves each item as close to the mean of its neighbors on one side as the space permits.
    const settle = (layer, side) => {
      const wanted = new Map(layer.map((item) => [item, side && item[side].length
        ? item[side].reduce((sum, other) => sum + other.y, 0) / item[side].length : item.y]));
      layer.sort((a, b) => wanted.get(a) - wanted.get(b));
      // Positions minus the heights of earlier items must not decrease. Items in the wrong order
      // form a group, which gets their mean position.
      const columns = columnsOf(layer), groups = [], mean = (group) => group.sum / group.count;
      let offset = 0, half = 0, column = 0;
      for (const item of layer) {
        column = item.node && half > 0 ? (column + 1) % columns : 0;
        if (column === 0) {
          const next = item.node ? NODE.height / 2 : 0;
          offset += groups.length ? half + next + gap.row : 0;
          half = next;
          groups.push({ sum: 0, count: 0 });
        }
        Object.assign(item, { column, offset });
        groups.at(-1).sum += wanted.get(item) - offset;
        groups.at(-1).count += 1;
        while (groups.length > 1 && mean(groups.at(-2)) >= mean(groups.at(-1))) {
          const { sum, count } = groups.pop();
          groups.at(-1).sum += sum;
          groups.at(-1).count += count;
        }
      }
      const starts = groups.flatMap((group) => Array(group.count).fill(Math.round(mean(group))));
      layer.forEach((item, index) => { item.y = starts[index] + item.offset; });
    };
    for (const side of [undefined, "before", "after", "before", "after", "before", "after"]) {
      for (const layer of side === "after" ? [...layers].reverse() : layers) settle(layer, side);
    }

    const heights = layers.flat().map((item) => item.y).sort((a, b) => a - b);
    const top = (heights[0] ?? 0) - NODE.height / 2, height = (heights.at(-1) ?? 0) + NODE.height / 2 - top;
    chains.forEach(([item, ...crossings]) => Object.assign(item.node, {
      column: item.column, y: item.y - top, crossings: crossings.map((crossing) => crossing.y - top) }));
    let width = 0;
    const placed = layers.map((layer) => {
      const columns = columnsOf(layer), x = width + (width ? gap.layer : 0);
      for (const { node } of layer) if (node) node.x = x + node.column * (NODE.width + gap.column);
      width = x + columns * (NODE.width + gap.column) - gap.column;
      return { x, width: width - x };
    });
    return { layers: placed, width, height: nodes.length ? height : 0 };
  }

  /// The path of an edge through its positions in the layers that it crosses.
  function edgePath({ from, to }) {
    const a = view.nodes[from], b = view.nodes[to];
    let x = a.x + NODE.width, y = a.y, text = `M${x} ${y}`;
    const curve = (toX, toY) => {
      const bend = Math.max(24, Math.abs(toX - x) / 2);
      text += `C${x + bend} ${y} ${toX - bend} ${toY} ${toX} ${toY}`;
      [x, y] = [toX, toY];
    };
    if (b.layer <= a.layer) {
      // Draw the edge below both nodes, because the nodes would hide a straight line.
      const low = Math.max(a.y, b.y) + NODE.height / 2 + 7, bend = 20;
      return `${text}C${x + bend} ${y} ${x + bend} ${low} ${x} ${low}H${b.x}C${b.x - bend} ${low} ${b.x - bend} ${b.y} ${b.x} ${b.y}`;
    }
    a.crossings.slice(0, b.layer - a.layer - 1).forEach((height, index) => {
      const layer = view.layers[a.layer + 1 + index];
      curve(layer.x, height);
      x += layer.width;
      text += `H${x}`;
    });
    curve(b.x, b.y);
    return text;
  }

  function renderGraph() {
    arrange();
    byID("image").replaceChildren(el("option", { value: -1 }, "All images"), ...graphs.images.map((image, index) =>
      el("option", { value: index }, short(image || "registered by code", 60))));
    byID("image").value = view.image;
    byID("image").closest("label").hidden = graphs.images.length < 2;
    byID("collapse").hidden = graphs.images.length < 2;
    byID("collapse").setAttribute("aria-pressed", view.isCollapsed);
    const world = byID("world"), paths = { need: [], after: [], cycle: [] };
    // Thousands of edges are illegible, so draw long edges only for the selection.
    view.isDense = view.edges.length > MANY_EDGES;
    for (const edge of view.edges) {
      if (!view.isDense || edge.kind === "cycle" || view.nodes[edge.to].layer - view.nodes[edge.from].layer === 1) {
        paths[edge.kind].push(edgePath(edge));
      }
    }
    // Separate elements for all edges take long to create, and a single element takes long to draw.
    world.replaceChildren(...Object.entries(paths).flatMap(([kind, parts]) => parts.flatMap((_, index) => index % 50 ? []
      : svg("path", { class: `edge ${kind}`, d: parts.slice(index, index + 50).join("") }))), svg("g", { id: "highlight" }));
    world.classList.add("far");
    view.elements = view.nodes.map((node, index) => {
      const details = [node.name, node.sub, node.before.length && `depends on ${node.before.length}`,
        node.after.length && `needed by ${node.after.length}`, node.severity].filter(Boolean).join(", ");
      return svg("g", { class: `node${node.isLoose ? " loose" : ""}`, role: "button", tabindex: index ? -1 : 0, "data-node": index,
        "aria-pressed": "false", "aria-label": short(details, 200), transform: `translate(${node.x} ${node.y - NODE.height / 2})` },
      svg("title", {}, short(node.name, 10000)), svg("rect", { width: NODE.width, height: NODE.height }),
      svg("text", { class: "label", x: 10, y: 19 }, short(node.label, 21)), svg("text", { class: "sub", x: 10, y: 35 }, short(node.sub, 27)),
      node.severity && svg("circle", { class: `dot ${node.severity}`, cx: NODE.width - 10, cy: NODE.height - 11, r: 4 }));
    });
    world.append(...view.elements);
    // Browsers need seconds to draw thousands of dashed lines.
    byID("graph").classList.toggle("many", view.isDense);
    view.current = 0;
    view.selected = view.selected.filter((index) => index < view.nodes.length);
    fit(true);
    highlight();
  }

  function transform(isQuick) {
    byID("graph").classList.toggle("quick", Boolean(isQuick) || view.nodes.length > 500);
    byID("world").style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.scale})`;
    byID("world").classList.toggle("far", view.scale < 0.45);
  }

  /// Fits the graph into the panel. At first, a long graph is legible and only its left end shows.
  function fit(isFirst) {
    const graph = byID("graph"), width = graph.clientWidth, limit = Math.max(300, Math.min(620, innerHeight * 0.56));
    const whole = Math.min(1.1, (width - 32) / (view.width || 1), (limit - 32) / (view.height || 1));
    const least = width < 560 && view.nodes.length < 100 ? 0.75 : isFirst === true ? Math.min(0.35, (limit - 32) / (view.height || 1)) : 0;
    view.scale = Math.max(0.02, whole, least);
    graph.style.height = `${Math.max(width < 560 ? 220 : 370, Math.min(limit, view.height * view.scale + 72))}px`;
    view.x = Math.max(16, (width - view.width * view.scale) / 2);
    view.y = Math.max(16, (graph.clientHeight - view.height * view.scale) / 2);
    transform(true);
  }

  function zoom(factor, x = byID("graph").clientWidth / 2, y = byID("graph").clientHeight / 2) {
    const scale = Math.min(3, Math.max(0.02, view.scale * factor));
    view.x = x - (x - view.x) * scale / view.scale;
    view.y = y - (y - view.y) * scale / view.scale;
    view.scale = scale;
    transform();
  }

  function focusNode(index) {
    view.elements[view.current]?.setAttribute("tabindex", -1);
    view.current = index;
    view.elements[index].setAttribute("tabindex", 0);
    view.elements[index].focus({ preventScroll: true });
  }

  /// Moves the graph so that a node is visible.
  function reveal(index) {
    const { clientWidth: width, clientHeight: height } = byID("graph"), node = view.nodes[index];
    if (view.scale < 0.45) zoom(0.7 / view.scale);
    const x = view.x + node.x * view.scale, y = view.y + (node.y - NODE.height / 2) * view.scale;
    const right = x + NODE.width * view.scale, bottom = y + NODE.height * view.scale;
    if (x < 8 || right > width - 8) view.x += width / 2 - (x + right) / 2;
    if (y < 8 || bottom > height - 8) view.y += height / 2 - (y + bottom) / 2;
    transform();
  }

  /// The nodes that can be reached from a start, each with the node before it on the path.
  function reach(start, direction) {
    const found = new Map([[start, undefined]]);
    for (const node of found.keys()) {
      for (const next of view.nodes[node][direction]) if (!found.has(next)) found.set(next, node);
    }
    return found;
  }

  /// A shortest path of dependencies between two nodes in either direction, or undefined.
  function pathBetween(a, b) {
    for (const [from, to] of [[a, b], [b, a]]) {
      const found = reach(from, "after");
      if (!found.has(to)) continue;
      const path = [];
      for (let node = to; node !== undefined; node = found.get(node)) path.unshift(node);
      return path;
    }
  }

  function choose(index, isSecond) {
    if (view.selected.length === 1 && view.selected[0] === index) view.selected = [];
    else if (isSecond && view.selected.length) view.selected = [view.selected[0], index];
    else view.selected = [index];
    highlight(true);
  }

  /// Marks the selection and the matches of the search, and shows the details of the selection.
  function highlight(isNews) {
    const [a, b] = view.selected, related = new Set();
    let isOn = () => false, path, before, after;
    if (b !== undefined) {
      path = pathBetween(a, b);
      const steps = new Set((path ?? []).slice(1).map((node, index) => `${path[index]} ${node}`));
      for (const node of path ?? []) related.add(node);
      isOn = (edge) => steps.has(`${edge.from} ${edge.to}`);
    } else if (a !== undefined) {
      [before, after] = [reach(a, "before"), reach(a, "after")];
      for (const node of [...before.keys(), ...after.keys()]) related.add(node);
      isOn = (edge) => before.has(edge.from) && before.has(edge.to) || after.has(edge.from) && after.has(edge.to);
    }
    let edges = view.edges.filter(isOn);
    if (edges.length > MANY_EDGES) edges = edges.filter((edge) => edge.from === a || edge.to === a);
    byID("highlight").replaceChildren(...edges.map((edge) => svg("path", { class: `edge on ${edge.kind}`, d: edgePath(edge) })));
    byID("graph").classList.toggle("selecting", a !== undefined);
    byID("graph").classList.toggle("searching", Boolean(query));
    let matches = 0;
    view.nodes.forEach((node, index) => {
      const list = view.elements[index].classList, isFound = Boolean(query) && node.name.toLowerCase().includes(query);
      list.toggle("selected", view.selected.includes(index));
      list.toggle("related", related.has(index));
      list.toggle("found", isFound);
      view.elements[index].setAttribute("aria-pressed", view.selected.includes(index));
      if (isFound) matches += 1;
    });
    renderDetails(path, before, after);
    if (!isNews) return;
    const label = (index) => short(view.nodes[index].name, 80);
    if (path) announce(`Path with ${plural(path.length, "step")}: ${path.map(label).join(", ")}`);
    else if (b !== undefined) announce("No path between the two");
    else if (a === undefined) announce("Nothing is selected");
    else announce(`${label(a)} depends on ${before.size - 1} and is needed by ${after.size - 1}`);
  }

  const nodeButton = (index) => el("button", { type: "button", "data-choose": index }, name(view.nodes[index].name));

  function nodeList(title, indices, total) {
    if (!indices.length) return [];
    const rest = total - indices.length;
    return [el("h4", {}, title, rest > 0 ? ` ${indices.length}, and ${rest} indirectly` : ` ${indices.length}`),
      el("ul", {}, indices.slice(0, 60).map((index) => el("li", {}, nodeButton(index))),
        indices.length > 60 && el("li", {}, `and ${indices.length - 60} others`))];
  }

  function facts(pairs) {
    return el("dl", {}, pairs.filter(([, value]) => value !== undefined && value !== "" && value !== null)
      .flatMap(([term, value]) => [el("dt", {}, term), el("dd", {}, value)]));
  }

  function renderDetails(path, before, after) {
    const [a, b] = view.selected, box = byID("details");
    if (a === undefined) {
      const top = view.nodes.map((_, index) => index).filter((index) => view.nodes[index].after.length)
        .sort((a, b) => view.nodes[b].after.length - view.nodes[a].after.length).slice(0, 6);
      box.replaceChildren();
      fill(box, {}, [el("p", {}, view.isCollapsed
        ? "Each node is an image. Select one to see what it depends on, or to open it."
        : "Select a module to see what it depends on, and what needs it. Dependencies are on the left."),
      view.isDense && el("p", {}, "Of the edges, only those between neighboring layers are drawn."),
      facts([["Nodes", view.nodes.length.toLocaleString("en")], ["Edges", view.edges.length.toLocaleString("en")],
        ["Layers", view.layers.length], ["Cyclic edges", view.edges.filter((edge) => edge.kind === "cycle").length || undefined]]),
      ...top.length ? [el("h4", {}, "Most needed"), el("ul", {}, top.map((index) =>
        el("li", {}, nodeButton(index), el("span", { class: "note" }, ` ${view.nodes[index].after.length}`))))] : []]);
      return;
    }
    const close = el("button", { class: "close", type: "button", "aria-label": "Clear the selection", onclick() {
      view.selected = [];
      highlight(true);
      byID("graph").focus({ preventScroll: true });
    } }, "×");
    if (b !== undefined) {
      box.replaceChildren(close, el("h3", {}, path ? "Path" : "No path"), path
        ? el("p", {}, "Each depends on the one before it.")
        : el("p", {}, "Neither depends on the other: ", name(view.nodes[a].name), " and ", name(view.nodes[b].name)),
      el("ol", {}, (path ?? []).map((index) => el("li", {}, nodeButton(index)))));
      return;
    }
    const node = view.nodes[a], parts = [close, el("h3", {}, name(node.label))];
    if (view.isCollapsed) {
      parts.push(el("p", {}, node.sub), el("p", {}, el("button", { type: "button", onclick() { open(node.id); } }, "Open image")));
    } else {
      const module = process.modules[graphs.nodes[node.id].module];
      const feature = module?.feature ?? node.name, isIts = (item) => item.feature === feature;
      parts.push(facts([["Name", name(node.name)], ["Image", imageText(graphs.images[graphs.nodes[node.id].image])],
        ["Order", module && (module.position ?? "in a cycle")], ["Level", module?.level], ["Priority", module?.priority],
        ["Activation", module?.activation], ["State", module?.state],
        ["Launch", graphs.times.has(node.name) ? time(graphs.times.get(node.name)) : undefined],
        ["Location", module?.location && name(module.location)]]));
      parts.push(...nodeList("Depends on", node.before, before.size - 1), ...nodeList("Needed by", node.after, after.size - 1));
      const entries = process.entries.filter(isIts), needs = process.needs.filter(isIts);
      const list = (title, items, content) => items.length ? [el("h4", {}, `${title} ${items.length}`), el("ul", {},
        items.slice(0, 40).map((item) => el("li", {}, tag(item.kind), name(content(item)))))] : [];
      parts.push(...list("Registers", entries, (entry) => entry.name ? `${entry.key} “${entry.name}”` : entry.key),
        ...list("Needs", needs, (need) => need.key));
    }
    const input = el("input", { list: "names", "aria-label": "Path to", placeholder: "Path to…", autocomplete: "off" });
    parts.push(el("form", { class: "path", onsubmit(event) {
      event.preventDefault();
      const wanted = input.value.trim().toLowerCase();
      let index = view.nodes.findIndex((node) => node.name.toLowerCase() === wanted);
      if (index < 0 && wanted) index = view.nodes.findIndex((node) => node.name.toLowerCase().includes(wanted));
      if (index < 0) announce("No module has this name");
      else if (index !== a) choose(index, true);
    } }, input, el("button", {}, "Show path")), el("datalist", { id: "names" },
      view.nodes.slice(0, 500).map((node) => el("option", { value: short(node.name, 200) }))));
    box.replaceChildren(...parts);
  }

  /// Shows the modules of one image, or of all images for a negative index.
  function open(image) {
    Object.assign(view, { image, selected: [] });
    renderGraph();
    byID("image").focus();
    announce(image < 0 ? "All images" : `${plural(view.nodes.length, "module")} in ${short(graphs.images[image] || "code", 60)}`);
  }

  /// Selects a module by its name, in the graph that contains it.
  function goTo(text) {
    const index = graphs.index.get(text);
    if (index === undefined) return;
    if (shown !== "modules") location.hash = "#modules";
    show("modules");
    let local = view.nodes.findIndex((node) => !view.isCollapsed && node.id === index);
    if (local < 0) {
      Object.assign(view, { image: view.collapsed ? graphs.nodes[index].image : -1, selected: [] });
      renderGraph();
      local = view.nodes.findIndex((node) => node.id === index);
    }
    view.selected = [local];
    highlight(true);
    reveal(local);
    byID("details").focus();
    scrollTo(0, 0);
  }

  function connectGraph() {
    const graph = byID("graph"), pointers = new Map();
    let moved = false;
    graph.addEventListener("pointerdown", (event) => {
      pointers.set(event.pointerId, event);
      moved = false;
    });
    graph.addEventListener("pointermove", (event) => {
      const last = pointers.get(event.pointerId);
      if (!last || !event.buttons) return;
      const [dx, dy] = [event.clientX - last.clientX, event.clientY - last.clientY];
      if (!moved && Math.hypot(dx, dy) < 4) return;
      if (!moved) {
        moved = true;
        graph.setPointerCapture(event.pointerId);
        graph.classList.add("dragging");
      }
      const other = [...pointers.values()].find((pointer) => pointer.pointerId !== event.pointerId);
      if (other) {
        const distance = (pointer) => Math.hypot(pointer.clientX - other.clientX, pointer.clientY - other.clientY);
        const box = graph.getBoundingClientRect();
        zoom(distance(event) / Math.max(1, distance(last)), other.clientX - box.x, other.clientY - box.y);
      } else {
        view.x += dx;
        view.y += dy;
        transform(true);
      }
      pointers.set(event.pointerId, event);
    });
    for (const type of ["pointerup", "pointercancel"]) {
      graph.addEventListener(type, (event) => {
        pointers.delete(event.pointerId);
        graph.classList.remove("dragging");
      });
    }
    graph.addEventListener("click", (event) => {
      const node = event.target.closest(".node");
      if (event.detail && moved || !node) return;
      const index = Number(node.dataset.node);
      focusNode(index);
      choose(index, event.shiftKey);
    });
    graph.addEventListener("dblclick", (event) => {
      const node = event.target.closest(".node");
      if (node && view.isCollapsed) open(view.nodes[Number(node.dataset.node)].id);
    });
    graph.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const box = graph.getBoundingClientRect();
      zoom(Math.exp(-event.deltaY / 300), event.clientX - box.x, event.clientY - box.y);
    }, { passive: false });
    graph.addEventListener("keydown", (event) => {
      const index = event.target.closest(".node") ? view.current : undefined, { key } = event;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const step = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[key];
      if (key === "+" || key === "=") zoom(1.25);
      else if (key === "-") zoom(0.8);
      else if (key === "0") fit();
      else if (key === "Escape" && view.selected.length) { view.selected = []; highlight(true); }
      else if (key === "Escape" && index !== undefined) graph.focus();
      else if (index === undefined && step) {
        view.x += step[0] * 60;
        view.y += step[1] * 60;
        transform();
      } else if (index === undefined && key === "Enter" && view.nodes.length) {
        focusNode(view.current);
        reveal(view.current);
      } else if (index !== undefined && (key === "Enter" || key === " ")) {
        if (view.isCollapsed && key === "Enter" && view.selected[0] === index) open(view.nodes[index].id);
        else choose(index, event.shiftKey);
      } else if (index !== undefined && (step || key === "Home" || key === "End")) {
        const next = neighbor(index, key);
        if (next !== undefined) {
          focusNode(next);
          reveal(next);
        }
      } else return;
      event.preventDefault();
    });
    byID("image").addEventListener("change", (event) => open(Number(event.target.value)));
    byID("collapse").addEventListener("click", () => {
      Object.assign(view, { collapsed: !view.isCollapsed, image: -1, selected: [] });
      renderGraph();
      announce(view.isCollapsed ? plural(view.nodes.length, "image") : plural(view.nodes.length, "module"));
    });
    byID("zoom-in").addEventListener("click", () => zoom(1.25));
    byID("zoom-out").addEventListener("click", () => zoom(0.8));
    byID("zoom-fit").addEventListener("click", () => fit());
  }

  /// The node that a key leads to: along an edge, up or down in the layer, or at either end.
  function neighbor(index, key) {
    const node = view.nodes[index];
    const nearest = (indices) => indices.reduce((best, each) => best === undefined
      || Math.abs(view.nodes[each].y - node.y) < Math.abs(view.nodes[best].y - node.y) ? each : best, undefined);
    if (key === "Home") return 0;
    if (key === "End") return view.nodes.length - 1;
    if (key === "ArrowLeft") return nearest(node.before);
    if (key === "ArrowRight") return nearest(node.after);
    const layer = [...view.nodes.keys()].filter((other) => view.nodes[other].layer === node.layer)
      .sort((a, b) => view.nodes[a].x - view.nodes[b].x || view.nodes[a].y - view.nodes[b].y);
    return layer[layer.indexOf(index) + (key === "ArrowDown" ? 1 : -1)];
  }

  // MARK: The launch

  const LANE = 23, AXIS = 22, MAX_BARS = 3000;
  const range = { from: 0, to: 1 };
  const launchEnd = (launch?.bars ?? []).reduce((end, bar) => Math.max(end, bar.start + bar.duration), 1);

  function renderLaunch() {
    Object.assign(range, { from: 0, to: launchEnd });
    const flame = el("div", { class: "flame", id: "flame", tabindex: 0, role: "group", "aria-label": "Flame chart",
      "aria-describedby": "flame-help" });
    flame.style.height = `${AXIS + launch.rows * LANE + (launch.rows > launch.mainRows ? 20 : 0)}px`;
    const scale = (factor, at = 0.5) => {
      const width = Math.min(launchEnd, Math.max(1, (range.to - range.from) * factor)), center = range.from + (range.to - range.from) * at;
      range.from = Math.min(launchEnd - width, Math.max(0, center - width * at));
      range.to = range.from + width;
      drawBars();
    };
    const pan = (by) => {
      const width = range.to - range.from;
      range.from = Math.min(launchEnd - width, Math.max(0, range.from + by * width));
      range.to = range.from + width;
      drawBars();
    };
    const reset = () => { Object.assign(range, { from: 0, to: launchEnd }); drawBars(); };
    let drag;
    flame.addEventListener("pointerdown", (event) => { drag = { x: event.clientX, moved: false }; });
    flame.addEventListener("pointermove", (event) => {
      if (!drag || !event.buttons) return;
      if (!drag.moved && Math.abs(event.clientX - drag.x) < 4) return;
      if (!drag.moved) flame.setPointerCapture(event.pointerId);
      drag.moved = true;
      pan((drag.x - event.clientX) / flame.clientWidth);
      drag.x = event.clientX;
    });
    flame.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      scale(Math.exp(event.deltaY / 300), (event.clientX - flame.getBoundingClientRect().x) / flame.clientWidth);
    }, { passive: false });
    flame.addEventListener("click", (event) => {
      const bar = launch.bars[event.target.closest("button")?.dataset.bar];
      if (!bar || event.detail && drag?.moved) return;
      const margin = bar.duration * 0.05;
      Object.assign(range, { from: Math.max(0, bar.start - margin), to: Math.min(launchEnd, bar.start + bar.duration + margin) });
      if (range.to - range.from < 1) scale(1);
      focusBar(launch.bars.indexOf(bar));
    });
    for (const type of ["pointerover", "focusin"]) {
      flame.addEventListener(type, (event) => {
        const index = event.target.closest("button")?.dataset.bar;
        if (index !== undefined) describe(launch.bars[index]);
      });
    }
    flame.addEventListener("keydown", (event) => {
      const index = event.target.closest("button")?.dataset.bar, { key } = event;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (key === "+" || key === "=") scale(0.7);
      else if (key === "-") scale(1 / 0.7);
      else if (key === "0" || key === "Escape") { reset(); if (index !== undefined) focusBar(Number(index)); }
      else if (index === undefined && key === "ArrowLeft") pan(-0.1);
      else if (index === undefined && key === "ArrowRight") pan(0.1);
      else if (index !== undefined && key.startsWith("Arrow")) {
        const bar = launch.bars[index], bars = launch.bars.map((bar, index) => ({ ...bar, index }));
        const row = bar.row + { ArrowUp: -1, ArrowDown: 1 }[key], end = bar.start + bar.duration;
        const next = key === "ArrowLeft" ? bars.filter((each) => each.row === bar.row && each.start < bar.start).at(-1)
          : key === "ArrowRight" ? bars.find((each) => each.row === bar.row && each.start > bar.start)
            : bars.find((each) => each.row === row && each.start + each.duration >= bar.start && each.start <= end);
        if (next) focusBar(next.index);
      } else return;
      event.preventDefault();
    });
    return el("div", { class: "panel" },
      el("div", { class: "toolbar", role: "group", "aria-label": "Flame chart" },
        el("span", { class: "note" }, `${time(launchEnd)}, ${plural(launch.bars.length, "interval")}`,
          launch.dropped > 0 && `, ${launch.dropped} not recorded`),
        el("span", { class: "zoom" }, el("button", { type: "button", "aria-label": "Zoom out", onclick: () => scale(1 / 0.7) }, "−"),
          el("button", { type: "button", "aria-label": "Zoom in", onclick: () => scale(0.7) }, "+"),
          el("button", { type: "button", onclick: reset }, "Fit"))),
      flame, el("p", { id: "bar" }, "Select an interval to zoom to it."),
      el("p", { id: "flame-help", class: "help" }, "Drag or use the arrow keys to pan, and ", el("kbd", {}, "+"), " ", el("kbd", {}, "−"), " ",
        el("kbd", {}, "0"), " to zoom. Nested intervals are below the ones that contain them, and concurrent ones below all others."));
  }

  function focusBar(index) {
    const bar = launch.bars[index], width = range.to - range.from;
    if (bar.start + bar.duration < range.from || bar.start > range.to) {
      range.from = Math.max(0, Math.min(launchEnd - width, bar.start - width / 4));
      range.to = range.from + width;
    }
    drawBars(index);
    byID("flame").querySelector(`[data-bar="${index}"]`)?.focus({ preventScroll: true });
  }

  function describe(bar) {
    byID("bar").replaceChildren(name(bar.name), " ", tag(bar.activity), ` ${time(bar.duration)}`,
      bar.own < bar.duration ? `, ${time(bar.own)} itself` : "", `, begins at ${time(bar.start)}`);
  }

  function drawBars(wanted) {
    const flame = byID("flame"), width = flame.clientWidth, scale = width / (range.to - range.from);
    const focused = wanted ?? Number(flame.querySelector("button:focus")?.dataset.bar ?? -1);
    let visible = launch.bars.map((bar, index) => ({ bar, index })).filter(({ bar, index }) =>
      bar.start + bar.duration >= range.from && bar.start <= range.to && (bar.duration * scale >= 0.4 || index === wanted));
    if (visible.length > MAX_BARS) {
      visible = visible.sort((a, b) => b.bar.duration - a.bar.duration).slice(0, MAX_BARS).sort((a, b) => a.index - b.index);
    }
    const step = [1, 2, 5].flatMap((digit) => [-1, 0, 1, 2, 3, 4, 5, 6, 7].map((power) => digit * 10 ** power))
      .sort((a, b) => a - b).find((step) => step * scale >= 90) ?? launchEnd;
    const ticks = [];
    const first = Math.ceil(range.from / step), count = Math.floor(range.to / step) - first + 1;
    for (let index = 0; index < count; index++) {
      const at = (first + index) * step;
      const tick = el("span", { class: "axis", "aria-hidden": "true" }, time(at).replace(/(\.[1-9])0 |\.0+ /, "$1 "));
      tick.style.left = `${(at - range.from) * scale}px`;
      ticks.push(tick);
    }
    let isFirst = !visible.some(({ index }) => index === focused);
    const heading = el("span", { class: "axis", "aria-hidden": "true" }, "concurrent");
    heading.style.top = `${AXIS + launch.mainRows * LANE + 2}px`;
    flame.replaceChildren(...ticks, ...launch.rows > launch.mainRows ? [heading] : [], ...visible.map(({ bar, index }) => {
      const left = Math.max(-2, (bar.start - range.from) * scale);
      const size = Math.max(1, Math.min(width + 2, (bar.start + bar.duration - range.from) * scale) - left);
      const isStop = index === focused || isFirst;
      isFirst = false;
      const button = el("button", { type: "button", tabindex: isStop ? 0 : -1, "data-bar": index,
        class: [["phase", "event"].find((kind) => kind === bar.kind), size < 12 && "thin",
          query && `${bar.name}\n${bar.activity}`.toLowerCase().includes(query) && "found"].filter(Boolean).join(" "),
        "aria-label": `${short(bar.name, 100)}, ${short(bar.activity, 100)}, ${time(bar.duration)}`,
        title: `${short(bar.name, 500)} · ${short(bar.activity, 500)} · ${time(bar.duration)}` },
      size < 12 ? "" : el("bdi", {}, short(bar.activity === bar.kind ? ownName(bar.name) : `${ownName(bar.name)} ${bar.activity}`, 120)));
      button.style.cssText = `left:${left}px;width:${size}px;top:${AXIS + bar.row * LANE + (bar.row >= launch.mainRows ? 20 : 0)}px`;
      return button;
    }));
    flame.classList.toggle("searching", Boolean(query));
    if (focused >= 0) flame.querySelector(`[data-bar="${focused}"]`)?.focus({ preventScroll: true });
  }

  // MARK: The whole page

  function search(text) {
    query = text.trim().toLowerCase().slice(0, 200);
    rowLimit = ROWS;
    renderNavigation();
    renderTable(shown);
    if (shown === "modules") highlight();
    if (shown === "launch") drawBars();
    const section = sections[shown];
    announce(query ? `${matching(section).length} of ${section.all.length} in ${section.title} match` : `${section.all.length} in ${section.title}`);
  }

  const THEMES = ["auto", "light", "dark"];
  function setTheme(theme) {
    document.documentElement.dataset.theme = theme;
    byID("theme").textContent = `Theme: ${theme}`;
    try { localStorage.setItem("registry-theme", theme); } catch { /* Pages in files may have no storage. */ }
  }

  document.title = byID("title").textContent = data.title;
  byID("title").title = data.title;
  let theme;
  try { theme = localStorage.getItem("registry-theme"); } catch { /* See above. */ }
  setTheme(THEMES.includes(theme) ? theme : "auto");
  byID("theme").addEventListener("click", () =>
    setTheme(THEMES[(THEMES.indexOf(document.documentElement.dataset.theme) + 1) % THEMES.length]));
  byID("process").replaceChildren(...snapshot.processes.map((process, index) => el("option", { value: index },
    short([process.name, process.architecture, process.group].filter(Boolean).join(" · "), 80))));
  byID("process-field").hidden = snapshot.processes.length < 2;
  byID("process").addEventListener("change", (event) => {
    select(Number(event.target.value));
    show(shown);
    announce(byID("summary").textContent);
  });
  byID("search").addEventListener("input", (event) => search(event.target.value));
  byID("search").addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      event.target.value = "";
      search("");
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select")) return;
    event.preventDefault();
    byID("search").focus();
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-module], [data-choose]");
    if (!button) return;
    if (button.dataset.module !== undefined) goTo(button.dataset.module);
    else {
      const index = Number(button.dataset.choose);
      view.selected = [index];
      highlight(true);
      reveal(index);
      byID("details").focus();
    }
  });
  addEventListener("hashchange", () => {
    const id = location.hash.slice(1);
    // If a module's button changed the hash, it has already shown the section and moved the focus.
    if (id === "main" || id === shown) return;
    show(id);
    byID(`${shown}-title`).focus({ preventScroll: true });
    scrollTo(0, 0);
  });
  addEventListener("resize", () => {
    if (shown === "modules") fit();
    if (shown === "launch") drawBars();
  });
  select(0);
  show(location.hash.slice(1));
  document.documentElement.dataset.ready = "";
})();
