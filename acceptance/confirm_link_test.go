package acceptance

import (
	"fmt"
	"testing"

	"github.com/sdlc-hub/sdlc-hub/acceptance/hubtest"
)

type linkCase struct {
	name      string
	exclusive bool
	// before is in the mirror when the command is claimed; each of pushed comes
	// after it, in its order, and only the last may confirm.
	before, pushed []vars
	confirmed      bool
}

// links is a snapshot of an issue with these links.
func links(key string, there ...vars) vars {
	if there == nil {
		there = []vars{}
	}
	return hubtest.Snapshot(key, "links", there)
}

// words gives a link other words for its two directions; nil for unknown ones.
func words(link vars, outward, inward any) vars {
	link["outwardName"], link["inwardName"] = outward, inward
	return link
}

func typed(link vars, name string) vars {
	link["type"] = name
	return link
}

// linkCases are about a link from source to target, all of the type Blocks.
func linkCases(source, target, third string) []linkCase {
	out, in := hubtest.Outward, hubtest.Inward
	return []linkCase{
		{name: "the source's snapshot is enough", pushed: []vars{links(source, out(target))}, confirmed: true},
		{name: "the target's snapshot is enough", pushed: []vars{links(target, in(source))}, confirmed: true},
		{name: "no link", pushed: []vars{links(source)}},
		{name: "a link to another issue", pushed: []vars{links(source, out(third))}},
		{name: "a link of another type", pushed: []vars{links(source, typed(out(target), "Cloners"))}},
		{name: "a type in another case", pushed: []vars{links(source, typed(out(target), "blocks"))}},
		{name: "links not read", pushed: []vars{hubtest.Snapshot(source)}},
		{
			name: "links not read now, but before", before: []vars{links(source, out(target))},
			pushed: []vars{hubtest.Snapshot(source)}, confirmed: true,
		},

		{name: "directed, only the other way round", pushed: []vars{links(source, in(target))}},
		{name: "directed, both ways", pushed: []vars{links(source, out(target), in(target))}},
		{name: "directed, both ways by the target's snapshot", pushed: []vars{links(target, in(source), out(source))}},
		{
			name:   "the other way round of another type",
			pushed: []vars{links(source, out(target), typed(in(target), "Cloners"))}, confirmed: true,
		},
		{
			name:   "undirected, the other way round",
			pushed: []vars{links(source, words(in(target), "relates to", "relates to"))}, confirmed: true,
		},
		{
			name:   "undirected, the other way round by the target's snapshot",
			pushed: []vars{links(target, words(out(source), "relates to", "relates to"))}, confirmed: true,
		},
		{name: "of unknown words, the other way round", pushed: []vars{links(source, words(in(target), nil, nil))}},
		{
			name:   "of unknown words, both ways",
			pushed: []vars{links(source, words(out(target), nil, nil), words(in(target), nil, nil))},
		},
		{name: "of unknown words", pushed: []vars{links(source, words(out(target), nil, nil))}, confirmed: true},

		{name: "another outward link, not exclusive", pushed: []vars{links(source, out(target), out(third))}, confirmed: true},
		{name: "another outward link", exclusive: true, pushed: []vars{links(source, out(target), out(third))}},
		{name: "no other link", exclusive: true, pushed: []vars{links(source, out(target))}, confirmed: true},
		{
			name: "another inward link", exclusive: true,
			pushed: []vars{links(source, out(target), in(third))}, confirmed: true,
		},
		{
			name: "another outward link of another type", exclusive: true,
			pushed: []vars{links(source, out(target), typed(out(third), "Cloners"))}, confirmed: true,
		},
		{name: "the source was not read", exclusive: true, pushed: []vars{links(target, in(source))}},
		{
			name: "the source was read before", exclusive: true,
			before: []vars{links(source, out(target))}, pushed: []vars{links(target, in(source))}, confirmed: true,
		},

		{
			name: "the newer row has the link", before: []vars{links(target)},
			pushed: []vars{links(source, out(target))}, confirmed: true,
		},
		{name: "the newer row has not", before: []vars{links(source, out(target))}, pushed: []vars{links(target)}},
		{
			name: "the newer row, the target's, has the link", before: []vars{links(source)},
			pushed: []vars{links(target, in(source))}, confirmed: true,
		},
		{
			name: "the newer row has a conflict", before: []vars{links(source, out(target))},
			pushed: []vars{links(target, in(source), out(source))},
		},
		{
			name: "the newer row has the conflict no more", before: []vars{links(source, out(target), in(target))},
			pushed: []vars{links(target, in(source))}, confirmed: true,
		},
		{name: "a third issue's snapshot", before: []vars{links(source, out(target))}, pushed: []vars{links(third, in(source))}},
	}
}

func TestALinkIsConfirmedWhereItIsThereAndNoConflictingOneIs(t *testing.T) {
	t.Parallel()
	site := hub.NewSite(t)
	for number := range linkCases("", "", "") {
		// Issues of its own for each row, or it would see what an earlier one told.
		key := func(n int) string { return fmt.Sprintf("ROW%d-%d", number, n) }
		source, target := key(1), key(2)
		row := linkCases(source, target, key(3))[number]
		name := row.name
		if row.exclusive {
			name = "exclusive, " + name
		}
		t.Run(name, func(t *testing.T) {
			if len(row.before) > 0 {
				site.Push(t, row.before...)
			}
			id := claimed(t, site, hubtest.LinkTo(source, target, "exclusive", row.exclusive))
			confirms(t, site, id, row.confirmed, row.pushed...)
		})
		closeWhatIsOpen(t, site)
	}
}
