// Which picks were kept, which are new and which are gone, since the page last came to rest.

const ids = (group) => new Set(group.picks.map((card) => card.id));

// Marks an answer against an earlier one; where there is none, or the groups are others, nothing is marked.
export const markChanges = (answer, before, names) => {
  const comparable = before && String(before.names) === String(names);
  return {
    ...answer,
    groups: answer.groups.map((group, index) => {
      if (!comparable) return { ...group, gone: [] };
      const [old, now] = [ids(before.groups[index]), ids(group)];
      return {
        ...group,
        picks: group.picks.map((card) => ({ ...card, mark: old.has(card.id) ? "kept" : "new" })),
        gone: before.groups[index].picks.filter((card) => !now.has(card.id)),
      };
    }),
  };
};

export const countChanges = (answer) => {
  const all = answer.groups.flatMap((group) => group.picks);
  return {
    kept: all.filter((card) => card.mark === "kept").length,
    added: all.filter((card) => card.mark === "new").length,
    gone: answer.groups.reduce((sum, group) => sum + group.gone.length, 0),
  };
};

export const sayChanges = (answer) => {
  const { kept, added, gone } = countChanges(answer);
  return kept + added === 0 ? "" : added + gone === 0 ? "All picks kept" : `${kept} kept, ${added} new, ${gone} gone`;
};
