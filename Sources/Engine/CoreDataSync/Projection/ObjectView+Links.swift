/// A link as it is shown: the object at the other end, and the tag that counts.
struct ActiveLink {
    /// The object that the link names, and as which it is shown.
    let object: ObjectIdentity
    let tag: LinkTag

    static func isEarlier(_ left: ActiveLink, _ right: ActiveLink) -> Bool {
        if LinkTag.isEarlier(left.tag, right.tag) { return true }
        return !LinkTag.isEarlier(right.tag, left.tag) && left.object < right.object
    }
}

extension ObjectView {
    /// The object as which another is shown; nil if it does not exist.
    func survivor(_ object: ObjectIdentity) throws -> ObjectIdentity? {
        guard let survivor = try state.record(object)?.derived.survivor,
            try state.record(survivor)?.derived.members.isEmpty == false
        else { return nil }
        return survivor
    }

    func members(_ survivor: ObjectIdentity) throws -> [ObjectIdentity] {
        try state.record(survivor)?.derived.members ?? []
    }

    func isVisible(_ survivor: ObjectIdentity) throws -> Bool {
        try state.record(survivor)?.derived.isVisible ?? false
    }

    func isStored(_ survivor: ObjectIdentity) throws -> Bool {
        try state.record(survivor)?.derived.isStored ?? false
    }

    /// The target of a to-one relationship: the one that was linked last among those that exist, else among all.
    func activeTarget(of members: [ObjectIdentity], _ pair: SyncRelationship) throws -> ActiveLink? {
        var links: [ActiveLink] = []
        for member in members {
            for (target, tags) in try state.targets(of: member, pair.id) {
                guard let tag = tags.max(by: LinkTag.isEarlier) else { continue }
                links.append(ActiveLink(object: target, tag: tag))
            }
        }
        guard links.count > 1 else { return links.first }
        let existing = try links.filter { try exists($0.object) }
        return (existing.isEmpty ? links : existing).max(by: ActiveLink.isEarlier)
    }

    /// The groups to which a group is linked from its source end, each with its last tag, whether shown or not.
    func targetGroups(of survivor: ObjectIdentity, _ pair: SyncRelationship) throws -> [ObjectIdentity: ActiveLink] {
        let members = try members(survivor)
        if !pair.source.isToMany {
            guard let active = try activeTarget(of: members, pair), let target = try self.survivor(active.object)
            else { return [:] }
            return [target: active]
        }
        var found: [ObjectIdentity: ActiveLink] = [:]
        for member in members {
            for (object, tags) in try state.targets(of: member, pair.id) {
                guard let target = try self.survivor(object), let tag = tags.max(by: LinkTag.isEarlier) else {
                    continue
                }
                let link = ActiveLink(object: object, tag: tag)
                if found[target].map({ ActiveLink.isEarlier($0, link) }) ?? true { found[target] = link }
            }
        }
        return found
    }

    /// The groups that are linked to a group from its target end.
    func sourceGroups(of survivor: ObjectIdentity, _ pair: SyncRelationship) throws -> [ObjectIdentity: ActiveLink] {
        var candidates: Set<ObjectIdentity> = []
        for member in try members(survivor) {
            for source in try state.sources(of: member, pair.id) {
                if let group = try self.survivor(source) { candidates.insert(group) }
            }
        }
        var found: [ObjectIdentity: ActiveLink] = [:]
        for source in candidates {
            if let link = try targetGroups(of: source, pair)[survivor] {
                found[source] = ActiveLink(object: source, tag: link.tag)
            }
        }
        return found
    }

    /// The targets that a group keeps where either end takes only so many: the earliest of a greatest count, the last of one.
    func acceptedTargets(of survivor: ObjectIdentity, _ pair: SyncRelationship) throws -> [ObjectIdentity: ActiveLink] {
        let targets = try firstTargets(of: survivor, pair)
        if pair.isOwnInverse {
            return try targets.filter { target, _ in try firstTargets(of: target, pair)[survivor] != nil }
        }
        guard pair.isLimitedAtTarget else { return targets }
        return try targets.filter { target, _ in try acceptedSources(of: target, pair)[survivor] != nil }
    }

    /// The targets that a group keeps by its own greatest count.
    private func firstTargets(
        of survivor: ObjectIdentity, _ pair: SyncRelationship
    ) throws -> [ObjectIdentity: ActiveLink] {
        let targets = try targetGroups(of: survivor, pair)
        if pair.source.isToMany, pair.source.maximumCount > 0, targets.count > pair.source.maximumCount {
            let kept = targets.sorted { Self.precedes($0, $1) }.prefix(pair.source.maximumCount)
            return Dictionary(uniqueKeysWithValues: kept.map { ($0.key, $0.value) })
        }
        return targets
    }

    /// The sources that a target keeps.
    private func acceptedSources(of target: ObjectIdentity, _ pair: SyncRelationship) throws -> [ObjectIdentity:
        ActiveLink]
    {
        let sources = try sourceGroups(of: target, pair).sorted { Self.precedes($0, $1) }
        let limit = pair.target.map { $0.isToMany ? $0.maximumCount : 1 } ?? 0
        guard limit > 0, sources.count > limit else { return Dictionary(uniqueKeysWithValues: sources.map { $0 }) }
        let kept = pair.target?.isToMany == true ? sources.prefix(limit) : sources.suffix(1)
        return Dictionary(uniqueKeysWithValues: kept.map { ($0.key, $0.value) })
    }

    private static func precedes(
        _ left: (key: ObjectIdentity, value: ActiveLink), _ right: (key: ObjectIdentity, value: ActiveLink)
    ) -> Bool {
        if LinkTag.isEarlier(left.value.tag, right.value.tag) { return true }
        return !LinkTag.isEarlier(right.value.tag, left.value.tag) && left.key < right.key
    }
}

extension SyncRelationship {
    /// Whether a target keeps only some of its sources.
    var isLimitedAtTarget: Bool { target.map { !$0.isToMany || $0.maximumCount > 0 } ?? false }
    /// Whether a change of one link may change whether another is kept.
    var isLimited: Bool { isLimitedAtTarget || source.isToMany && source.maximumCount > 0 }
}
