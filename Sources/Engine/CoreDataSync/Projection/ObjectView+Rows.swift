extension ObjectView {
    /// A group as a row; nil for one of which the model has no entity.
    ///
    /// - Parameter isShown: Whether a group at the other end has a row; links to others are left out.
    func row(_ survivor: ObjectIdentity, where isShown: (ObjectIdentity) throws -> Bool) throws -> SyncRow? {
        guard let entity = try entity(survivor) else { return nil }
        let members = try members(survivor)
        var row = SyncRow(survivor, entity: entity.name)
        for attribute in entity.attributes {
            row.values[attribute.name] = try value(of: members, attribute, entity)
        }
        for pair in entity.outgoing {
            let targets = try acceptedTargets(of: survivor, pair).filter { target, _ in try isShown(target) }
            row.links[pair.source.name] = Self.ordered(targets, pair.source.isOrdered) { $0.sourcePosition }
        }
        for pair in entity.incoming {
            guard !pair.isOwnInverse, let target = pair.target, target.isOrdered || !target.isToMany else { continue }
            var sources: [ObjectIdentity: ActiveLink] = [:]
            for (source, link) in try sourceGroups(of: survivor, pair) where try isShown(source) {
                if try acceptedTargets(of: source, pair)[survivor] != nil { sources[source] = link }
            }
            row.links[target.name] = Self.ordered(sources, target.isOrdered) { $0.targetPosition }
        }
        return row
    }

    /// Objects by their places; those without one come last, the earliest link first.
    private static func ordered(
        _ links: [ObjectIdentity: ActiveLink], _ isOrdered: Bool, _ position: (LinkTag) -> ListPosition?
    ) -> [ObjectIdentity] {
        guard isOrdered else { return links.keys.sorted() }
        return links.sorted { left, right in
            switch (position(left.value.tag), position(right.value.tag)) {
            case (let one?, let other?) where one != other: return one < other
            case (.some, nil): return true
            case (nil, .some): return false
            default:
                if LinkTag.isEarlier(left.value.tag, right.value.tag) { return true }
                return !LinkTag.isEarlier(right.value.tag, left.value.tag) && left.key < right.key
            }
        }.map(\.key)
    }
}
