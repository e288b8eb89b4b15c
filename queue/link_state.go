package queue

// linkSides are the two issues of a link as the mirror has them; nil where it never saw one.
type linkSides struct{ source, target *Issue }

// of lists the links of that type which the two show.
func (s linkSides) of(linkType string) []Link {
	var links []Link

	for _, issue := range []*Issue{s.source, s.target} {
		if issue == nil {
			continue
		}

		for _, link := range issue.Links {
			if link.Type == linkType {
				links = append(links, link)
			}
		}
	}

	return links
}

// reached tells whether the link is there and no conflicting one is. One side is enough; where both were read, the
// one read later decides about the two, and the source alone about its other links.
func (s linkSides) reached(p EnsureLink, jira *Jira, present func(Key) Key) bool {
	if s.source != nil && s.source.Missing || s.target != nil && s.target.Missing {
		return false
	}

	source, target := present(p.Source), present(p.Target)
	undirected := s.undirected(p.Type, jira)

	deciding, other, out := s.source, target, Outward
	if !linksRead(s.source) || linksRead(s.target) && s.target.LinksVersion > s.source.LinksVersion {
		deciding, other, out = s.target, source, Inward
	}

	if !linksRead(deciding) {
		return false
	}

	var wanted, reverse bool

	for _, link := range deciding.Links {
		if link.Type != p.Type || present(link.Key) != other {
			continue
		}

		if undirected || link.Direction == out {
			wanted = true
		} else {
			reverse = true
		}
	}

	return wanted && !reverse && (!p.Exclusive || s.exclusive(p.Type, target, undirected, present))
}

func linksRead(issue *Issue) bool { return issue != nil && issue.LinksVersion != 0 }

// exclusive tells whether the source has no other outward link of the type; it must have been read.
func (s linkSides) exclusive(linkType string, target Key, undirected bool, present func(Key) Key) bool {
	if !linksRead(s.source) {
		return false
	}

	for _, link := range s.source.Links {
		outward := undirected || link.Direction == Outward
		if link.Type == linkType && outward && present(link.Key) != target {
			return false
		}
	}

	return true
}

// undirected tells whether the type's two words are known and the same, by what the links say or else by what the
// agent told of Jira.
func (s linkSides) undirected(linkType string, jira *Jira) bool {
	for _, link := range s.of(linkType) {
		if link.OutwardName != nil && link.InwardName != nil {
			return *link.OutwardName == *link.InwardName
		}
	}

	if jira != nil {
		for _, known := range jira.LinkTypes {
			if known.Name == linkType {
				return known.Outward != "" && known.Outward == known.Inward
			}
		}
	}

	return false
}
