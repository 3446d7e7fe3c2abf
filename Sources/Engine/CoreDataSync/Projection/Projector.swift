/// Brings what follows from records and links up to date after some of them changed, and says which rows change.
///
/// It visits the changed objects and those that depend on them, not the others. What it computes is what ``ObjectView`` defines.
struct Projector {
    let view: ObjectView
    /// The state before the event.
    let old: ObjectView
    /// Whether a row belongs to the part of the store that is kept here; nil if the store keeps all.
    let isInPart: (@Sendable (SyncRow) -> Bool)?

    private var state: SyncState { view.state }
    /// The objects whose group, existence or place in the index may have changed.
    private var affected: Set<ObjectIdentity> = []
    /// The survivors of which only values changed, with the attributes; others of which that is so are not here.
    private(set) var valued: [ObjectIdentity: Set<SchemaID>] = [:]
    /// The survivors whose rows are to be compared as a whole.
    private(set) var placed: Set<ObjectIdentity> = []
    /// The survivors whose visibility has to be computed.
    private var doubtful: Set<ObjectIdentity> = []

    init(
        state: SyncState, old: SyncState, functions: MergeFunctions, isInPart: (@Sendable (SyncRow) -> Bool)?
    ) {
        view = ObjectView(state: state, functions: functions)
        self.old = ObjectView(state: old, functions: functions)
        self.isInPart = isInPart
    }

    /// Updates what follows from some objects.
    ///
    /// - Returns: The survivors, past and present, whose rows may have changed.
    mutating func update(_ touched: TouchedObjects) throws -> Set<ObjectIdentity> {
        var concerned = touched.placed.isEmpty ? [] : try update(touched.placed)
        placed.formUnion(concerned)
        for (object, attributes) in touched.valued {
            guard let survivor = try view.survivor(object) else { continue }
            concerned.insert(survivor)
            if !placed.contains(survivor) { valued[survivor, default: []].formUnion(attributes) }
        }
        return concerned
    }

    private mutating func update(_ touched: Set<ObjectIdentity>) throws -> Set<ObjectIdentity> {
        let viable = try expand(touched)
        try updateKeys(viable)
        try addGroups()
        let survivors = try formGroups()
        doubtful = survivors
        try addSiblings(of: touched)
        try addHidden()
        try decideVisibility()
        return try rowsConcerned(survivors)
    }

    // MARK: Existence

    /// Finds the objects whose existence or viability follows from changed ones, and whether each is viable.
    private mutating func expand(_ touched: Set<ObjectIdentity>) throws -> [ObjectIdentity: Bool] {
        var viable: [ObjectIdentity: Bool] = [:]
        var open = Array(touched)
        while let next = open.popLast() {
            guard viable[next] == nil, try state.record(next) != nil else { continue }
            viable[next] = try view.missing(next) == nil
            affected.insert(next)
            open += try view.united(next)
            if try view.survivor(next) != nil, viable[next] == true { continue }
            if try view.survivor(next) == nil, viable[next] == false, try state.record(next)?.derived.survivor != nil {
                continue
            }
            open += try view.needing(next)
            open += try view.denied(by: next)
            open += try rivals(of: next)
        }
        for object in affected where viable[object] == false {
            state.set([], for: [StateKey.grave] + state.key(object))
        }
        return viable
    }

    /// The sources that may now prefer another target, with their targets.
    private func rivals(of object: ObjectIdentity) throws -> [ObjectIdentity] {
        guard let entity = try view.entity(object) else { return [] }
        var found: [ObjectIdentity] = []
        for pair in entity.incoming where !pair.source.isToMany {
            for source in try state.sources(of: object, pair.id) {
                let targets = try state.targets(of: source, pair.id)
                if targets.count > 1 { found += [source] + targets.keys }
            }
        }
        return found
    }

    // MARK: Groups

    private func updateKeys(_ viable: [ObjectIdentity: Bool]) throws {
        for (object, isViable) in viable {
            guard let old = try state.record(object)?.derived.keys else { continue }
            let keys = isViable ? try view.keys(of: object) : []
            guard keys != old else { continue }
            for key in old where !keys.contains(key) { try state.setClaim(key, of: object, to: false) }
            for key in keys where !old.contains(key) { try state.setClaim(key, of: object, to: true) }
            try state.update(object) { $0.derived.keys = keys }
        }
    }

    /// Adds the past and present companions of affected objects, until there are none left.
    private mutating func addGroups() throws {
        var open = Array(affected)
        while let next = open.popLast() {
            guard let record = try state.record(next) else { continue }
            var companions = try view.united(next)
            if let survivor = record.derived.survivor { companions.formUnion(try view.members(survivor)) }
            for key in record.derived.keys { companions.formUnion(try state.claimants(key)) }
            for other in companions where affected.insert(other).inserted { open.append(other) }
        }
    }

    /// Divides the affected objects into groups, and names the survivors of those.
    private func formGroups() throws -> Set<ObjectIdentity> {
        var survivors: Set<ObjectIdentity> = []
        var done: Set<ObjectIdentity> = []
        for object in affected.sorted() where !done.contains(object) {
            guard try state.record(object) != nil else { continue }
            guard try view.missing(object) == nil else {
                try assign(object, survivor: object, members: [])
                done.insert(object)
                survivors.insert(object)
                continue
            }
            let members = try component(of: object)
            done.formUnion(members)
            guard let survivor = try oldest(members) else { continue }
            let sorted = members.sorted()
            for member in members {
                try assign(member, survivor: survivor, members: member == survivor ? sorted : [])
            }
            survivors.insert(survivor)
        }
        return survivors
    }

    private func component(of object: ObjectIdentity) throws -> Set<ObjectIdentity> {
        var found: Set<ObjectIdentity> = [object]
        var open = [object]
        while let next = open.popLast() {
            var companions = try view.united(next)
            for key in try state.record(next)?.derived.keys ?? [] { companions.formUnion(try state.claimants(key)) }
            for other in companions where found.insert(other).inserted { open.append(other) }
        }
        return found
    }

    private func oldest(_ members: Set<ObjectIdentity>) throws -> ObjectIdentity? {
        var oldest: (object: ObjectIdentity, created: HybridTime)?
        for member in members.sorted() {
            let created = try state.record(member)?.created ?? .zero
            guard let known = oldest, known.created <= created else {
                oldest = (member, created)
                continue
            }
        }
        return oldest?.object
    }

    private func assign(_ object: ObjectIdentity, survivor: ObjectIdentity, members: [ObjectIdentity]) throws {
        guard let known = try state.record(object)?.derived else { return }
        var derived = known
        derived.survivor = survivor
        derived.members = members
        if members.isEmpty {
            derived.isVisible = false
            derived.isStored = false
        }
        if derived != known { try state.update(object) { $0.derived = derived } }
    }

    // MARK: Visibility

    /// Adds groups that compete with changed ones for a place at the other end of a relationship.
    private mutating func addSiblings(of touched: Set<ObjectIdentity>) throws {
        for survivor in doubtful.union(try touched.compactMap { try view.survivor($0) }) {
            guard let entity = try view.entity(survivor) else { continue }
            for pair in entity.outgoing where pair.isLimited {
                for target in try view.targetGroups(of: survivor, pair).keys {
                    doubtful.insert(target)
                    doubtful.formUnion(try view.sourceGroups(of: target, pair).keys)
                }
            }
            for pair in entity.incoming where pair.isLimited {
                for source in try view.sourceGroups(of: survivor, pair).keys {
                    doubtful.insert(source)
                    doubtful.formUnion(try view.targetGroups(of: source, pair).keys)
                }
            }
        }
    }

    /// Adds hidden groups that may be shown again because another is.
    private mutating func addHidden() throws {
        var open = Array(doubtful)
        while let next = open.popLast() {
            // Who needs a group that was visible and is the same is hidden for other reasons; there may be many.
            if try view.isVisible(next), try old.members(next) == view.members(next) { continue }
            for group in try needingGroups(next) where !(try view.isVisible(group)) {
                if doubtful.insert(group).inserted { open.append(group) }
            }
        }
    }

    private func needingGroups(_ survivor: ObjectIdentity) throws -> Set<ObjectIdentity> {
        var found: Set<ObjectIdentity> = []
        for member in try view.members(survivor) {
            for other in try view.needing(member) {
                if let group = try view.survivor(other) { found.insert(group) }
            }
        }
        return found
    }

    /// Takes all doubtful groups for visible, and then hides those that cannot be, until none is left: the greatest set of groups each
    /// of which has what it needs.
    private func decideVisibility() throws {
        for survivor in doubtful { try setVisible(survivor, try isShowable(survivor)) }
        var open = doubtful.sorted()
        while let next = open.popLast() {
            guard try view.isVisible(next), !(try hasMandatoryEnds(next)) else { continue }
            try setVisible(next, false)
            open += try needingGroups(next)
        }
    }

    private func isShowable(_ survivor: ObjectIdentity) throws -> Bool {
        try !view.members(survivor).isEmpty && view.entity(survivor) != nil
    }

    private func setVisible(_ survivor: ObjectIdentity, _ isVisible: Bool) throws {
        guard let known = try state.record(survivor)?.derived.isVisible, known != isVisible else { return }
        try state.update(survivor) { $0.derived.isVisible = isVisible }
    }

    /// Whether the mandatory ends of a group that have links lead to visible groups.
    private func hasMandatoryEnds(_ survivor: ObjectIdentity) throws -> Bool {
        guard let entity = try view.entity(survivor) else { return false }
        for pair in entity.outgoing where pair.sourceNeedsTarget && !pair.source.isToMany {
            guard try view.activeTarget(of: view.members(survivor), pair) != nil else { continue }
            let targets = try view.acceptedTargets(of: survivor, pair).keys
            if targets.isEmpty, !pair.source.isMandatory { continue }
            guard try targets.contains(where: { try view.isVisible($0) }) else { return false }
        }
        for pair in entity.incoming where pair.target.map({ $0.isMandatory && !$0.isToMany }) ?? false {
            let sources = try view.sourceGroups(of: survivor, pair).keys
            guard !sources.isEmpty else { continue }
            let isKept = try sources.contains {
                try view.isVisible($0) && view.acceptedTargets(of: $0, pair)[survivor] != nil
            }
            guard isKept else { return false }
        }
        return true
    }

    // MARK: Rows

    /// The survivors whose rows may have changed: affected ones, those whose visibility changed, and the neighbours of these.
    private func rowsConcerned(_ survivors: Set<ObjectIdentity>) throws -> Set<ObjectIdentity> {
        var concerned = survivors.union(doubtful)
        for object in affected {
            if let survivor = try old.state.record(object)?.derived.survivor { concerned.insert(survivor) }
            // Who refers to an object that is shown as another now refers to that other.
            if try old.survivor(object) != view.survivor(object) { concerned.formUnion(try neighbours(of: object)) }
        }
        for object in affected { concerned.insert(try state.record(object)?.derived.survivor ?? object) }
        return concerned.union(try movedTargets(of: concerned))
    }

    /// The groups at the other end of to-one relationships that lead elsewhere now.
    private func movedTargets(of concerned: Set<ObjectIdentity>) throws -> Set<ObjectIdentity> {
        var moved: Set<ObjectIdentity> = []
        for survivor in concerned {
            guard let entity = try view.entity(survivor) else { continue }
            for pair in entity.outgoing where !pair.source.isToMany && pair.target != nil {
                let before = Set(try old.targetGroups(of: survivor, pair).keys)
                let after = Set(try view.targetGroups(of: survivor, pair).keys)
                moved.formUnion(before.symmetricDifference(after))
            }
        }
        return moved
    }

    /// The groups at the other ends of the links of one, before and now.
    func neighbours(of survivor: ObjectIdentity) throws -> Set<ObjectIdentity> {
        var found: Set<ObjectIdentity> = []
        for view in [old, view] {
            for member in try view.members(survivor) + [survivor] {
                guard let entity = try view.entity(member) else { continue }
                for pair in entity.outgoing {
                    for target in try view.state.targets(of: member, pair.id).keys {
                        if let group = try view.survivor(target) { found.insert(group) }
                    }
                }
                for pair in entity.incoming {
                    for source in try view.state.sources(of: member, pair.id) {
                        if let group = try view.survivor(source) { found.insert(group) }
                    }
                }
            }
        }
        return found
    }
}
