// Chooses anew among stored candidates, as mmd-diff-greedy does; knows no page, and asks nobody.
//
//   U(S) = 2·mean(own − λ·rest) − (1 − λ)·mean k(S, S)
//
// visavisReselect.decode(live) → problem
// visavisReselect.reselect(problem, {contrast, sizes, pins, bans}) → {picks, gains, mayLieOutside}, a list a group each
// Candidates go by their places in live.candidates. `sizes` is a number, or one a group: cut to what there is, raised to
// the pins. `mayLieOutside` says of a pick whether a document that is not stored may be the better one in its place.
"use strict";
globalThis.visavisReselect = (() => {
  const TIE = 1e-9; // gains that differ by less are the same: the first document wins
  const COPY = 1e-5; // copies may differ by that much of the largest gain
  const ROUNDING = 1e-6; // of similarities, as they are stored

  const bytes = (text) => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0)).buffer;
  const doubles = (text) => new Float64Array(bytes(text));
  const floats = (text) => new Float32Array(bytes(text));
  const whole = (text) => (text === null ? null : new Int32Array(bytes(text)));

  // The kernel comes as its upper triangle, row by row.
  const square = (upper, count) => {
    const full = new Float64Array(count * count);
    let at = 0;
    for (let i = 0; i < count; i++) {
      for (let j = i; j < count; j++) full[i * count + j] = full[j * count + i] = upper[at++];
    }
    return full;
  };

  const decodeOutside = (stored) => {
    const own = floats(stored.own);
    const stories = new Int32Array(own.length).fill(-1);
    const [places, codes] = stored.stories.map(whole);
    places.forEach((place, at) => { stories[place] = codes[at]; });
    const diagonal = floats(stored.diagonal);
    return { own, rest: floats(stored.rest), stories, origins: whole(stored.origins),
      diagonal: (i) => diagonal[diagonal.length > 1 ? i : 0] };
  };

  const decodeGroup = (stored, first) => ({
    first,
    count: stored.count,
    documents: stored.documents,
    own: doubles(stored.own),
    rest: doubles(stored.rest),
    kernel: square(floats(stored.kernel), stored.count),
    stories: whole(stored.stories),
    origins: whole(stored.origins),
    copies: whole(stored.copies),
    floors: doubles(stored.floors),
    steps: stored.steps,
    paths: whole(stored.paths),
    challengers: doubles(stored.challengers),
    outside: stored.outside && decodeOutside(stored.outside),
  });

  const decode = (live) => {
    let first = 0;
    const groups = live.groups.map((stored) => {
      const group = decodeGroup(stored, first);
      first += group.count;
      return group;
    });
    return { resolution: live.resolution, contrasts: live.contrasts, groups };
  };

  const value = (repulsion, merits, pairs, size) =>
    (size === 0 ? 0 : (2 * merits) / size - (repulsion * pairs) / size ** 2);

  // How many of the picks tell a story, or come from an origin.
  const counts = (codes, picks) => {
    const found = new Map();
    if (codes) for (const pick of picks) found.set(codes[pick], (found.get(codes[pick]) ?? 0) + 1);
    return found;
  };

  // What may be picked beside the picks: one a story, of the origins that they are of least often.
  const openBeside = (codes, allowed, picks, told, came) => {
    const used = (i) => (picks.length && codes.origins ? came.get(codes.origins[i]) ?? 0 : 0);
    const free = [];
    let least = Infinity;
    for (let i = 0; i < codes.stories.length; i++) {
      if (!allowed(i) || (picks.length && told.has(codes.stories[i]))) continue;
      const times = used(i);
      if (times < least) { least = times; free.length = 0; }
      if (times === least) free.push(i);
    }
    return { free, least };
  };

  const tieWidth = (scale, resolution) => Math.max(Math.min(TIE, 1e-6 * scale), resolution * scale);

  // The first of the best; of its exact copies, the one that came first.
  const firstBest = (group, gains, free, resolution) => {
    let best = -Infinity;
    let scale = 0;
    for (const i of free) {
      best = Math.max(best, gains[i]);
      scale = Math.max(scale, Math.abs(gains[i]));
    }
    const width = tieWidth(scale, resolution);
    const winner = free.find((i) => gains[i] >= best - width);
    const slack = COPY * scale;
    const copy = free.find((i) => gains[i] >= gains[winner] - slack && group.copies[i] === group.copies[winner]);
    return { pick: Math.min(copy, winner), width };
  };

  const start = (group) => ({ picks: [], merits: 0, pairs: 0, similar: new Float64Array(group.count) });

  const allGains = (group, state, contrast) => {
    const repulsion = 1 - contrast;
    const size = state.picks.length + 1;
    const before = value(repulsion, state.merits, state.pairs, size - 1);
    return Float64Array.from(group.own, (own, i) => {
      const pairs = state.pairs + 2 * state.similar[i] + group.kernel[i * group.count + i];
      return value(repulsion, state.merits + own - contrast * group.rest[i], pairs, size) - before;
    });
  };

  const add = (group, state, pick, contrast) => {
    const { count, kernel } = group;
    state.merits += group.own[pick] - contrast * group.rest[pick];
    state.pairs += 2 * state.similar[pick] + kernel[pick * count + pick];
    for (let i = 0; i < count; i++) state.similar[i] += kernel[pick * count + i];
    state.picks.push(pick);
  };

  // Where the picks so far are those of the greedy search among all documents, its gains are known for all of them.
  const challenger = (group, state, contrasts, contrast, pick) => {
    const at = contrasts.indexOf(contrast);
    const step = state.picks.length;
    if (at < 0 || step >= group.steps) return null;
    const path = group.paths.subarray(at * group.steps, at * group.steps + step + 1);
    const before = path.subarray(0, step);
    if (before.includes(-1) || !state.picks.every((known) => before.includes(known))) return null;
    return path[step] === pick ? -Infinity : group.challengers[at * group.steps + step];
  };

  // Else no gain is larger than the means allow: every pick is at least as similar to it as its floor.
  const mayGain = (group, state, contrast, open) => {
    const repulsion = 1 - contrast;
    const size = state.picks.length + 1;
    const before = value(repulsion, state.merits, state.pairs, size - 1);
    const floor = state.picks.reduce((sum, pick) => sum + group.floors[pick], 0);
    let most = -Infinity;
    for (const i of open) {
      const pairs = state.pairs + 2 * floor + group.outside.diagonal(i);
      const merits = state.merits + group.outside.own[i] - contrast * group.outside.rest[i];
      most = Math.max(most, value(repulsion, merits, pairs, size) - before);
    }
    return most;
  };

  const mayLieOutside = (problem, group, state, contrast, found, told, came) => {
    if (group.documents === group.count) return false;
    const known = challenger(group, state, problem.contrasts, contrast, found.pick);
    if (known === -Infinity) return false;
    const slack = found.width + ROUNDING / (state.picks.length + 1);
    if (!group.outside) return known === null || group.origins !== null || known >= found.gain - slack;
    const { free, least } = openBeside(group.outside, () => true, state.picks, told, came);
    if (!free.length || least > found.least) return false;
    if (least < found.least) return true;
    return (known ?? mayGain(group, state, contrast, free)) >= found.gain - slack;
  };

  const pickGroup = (problem, group, { contrast, size, pins, bans }) => {
    const state = start(group);
    const gains = [];
    const outside = [];
    const goOn = () => {
      const pinned = pins[state.picks.length];
      const told = counts(group.stories, state.picks);
      const came = counts(group.origins, state.picks);
      const all = allGains(group, state, contrast);
      const { free, least } = openBeside(group, (i) => !bans.has(i), state.picks, told, came);
      if (pinned === undefined && !free.length) return false;
      const found = pinned === undefined ? firstBest(group, all, free, problem.resolution) : { pick: pinned };
      Object.assign(found, { least, gain: all[found.pick] });
      outside.push(pinned === undefined && mayLieOutside(problem, group, state, contrast, found, told, came));
      gains.push(found.gain);
      add(group, state, found.pick, contrast);
      return true;
    };
    while (state.picks.length < Math.max(size, pins.length) && goOn());
    return { picks: state.picks.map((pick) => pick + group.first), gains, outside };
  };

  const reselect = (problem, { contrast, sizes, pins = [], bans = [] }) => {
    const own = (group, numbers) => [...new Set(numbers)].map((number) => number - group.first)
      .filter((place) => place >= 0 && place < group.count);
    const found = problem.groups.map((group, at) => pickGroup(problem, group, {
      contrast,
      size: Array.isArray(sizes) ? sizes[at] : sizes,
      pins: own(group, pins),
      bans: new Set(own(group, bans)),
    }));
    return {
      picks: found.map((one) => one.picks),
      gains: found.map((one) => one.gains),
      mayLieOutside: found.map((one) => one.outside),
    };
  };

  return { decode, reselect };
})();
