import CoreDataStore

/// Checks to-many relationships: the lists at both ends, or a list and the members' references, must agree.
extension RecordLoading {
    private static let isDropped = "It is taken out of the list."

    /// Checks the lists of a relationship; if rows do not store the relationship, collects its pairs.
    mutating func check(_ relationship: NSRelationshipDescription, _ pairs: inout [Int: [KeyPair]]) throws {
        let name = ObjectIdentifier(relationship)
        lists[name] = try (lists[name] ?? []).map { try checked($0, relationship) }
        switch tables.plan.source(of: relationship) {
        case .index: try checkOwners(relationship)
        case .links(let number, false):
            if relationship.inverseRelationship != nil, relationship.mutualInverse == nil {
                pairs[number] = Self.pairs(lists[name] ?? [])
            } else if let inverse = relationship.inverseRelationship {
                let other = ObjectIdentifier(inverse)
                if inverse !== relationship { lists[other] = try (lists[other] ?? []).map { try checked($0, inverse) } }
                pairs[number] = try checkBothEnds(of: relationship, inverse)
            } else {
                try checkSingleOwners(relationship)
                pairs[number] = Self.pairs(lists[name] ?? [])
            }
        case .links, nil: return
        }
    }

    private func record(of list: MemberList) -> FaultyRecord {
        position(list.owner).map { record($0) } ?? FaultyRecord(key: list.owner, place: list.place)
    }

    private static func pairs(_ lists: [MemberList]) -> [KeyPair] {
        lists.flatMap { list in list.members.map { KeyPair(owner: list.owner, member: $0) } }
    }

    /// The list without members that do not exist and without repetitions, which are reported as faults.
    private func checked(_ list: MemberList, _ relationship: NSRelationshipDescription) throws -> MemberList {
        var (list, seen) = (list, Set<Int64>())
        let owner = list
        list.members = try list.members.filter { member in
            guard try target(of: relationship, member, remedy: Self.isDropped, record: record(of: owner)) != nil else {
                return false
            }
            guard !seen.insert(member).inserted else { return true }
            try fault(
                .doubledLink, reason: "'\(relationship.name)' lists the number \(member) twice",
                record: record(of: owner),
                property: relationship.name, remedy: Self.isDropped)
            return false
        }
        return list
    }

    // MARK: Relationships that the members hold

    /// Checks that the lists agree with the to-one relationships of the members.
    private mutating func checkOwners(_ relationship: NSRelationshipDescription) throws {
        guard let inverse = relationship.inverseRelationship else { return }
        let name = ObjectIdentifier(relationship)
        let known = lists[name] ?? []
        var kept = known
        var count = 0
        for (number, list) in known.enumerated() {
            guard faults != nil else {
                for member in list.members {
                    _ = try isOwned(member, by: list, relationship: relationship, inverse: inverse)
                }
                count += list.members.count
                continue
            }
            kept[number].members = try list.members.filter {
                try isOwned($0, by: list, relationship: relationship, inverse: inverse)
            }
            count += kept[number].members.count
        }
        lists[name] = kept
        var references = 0
        try forEachOwned(inverse) { _, _, _ in references += 1 }
        guard references != count else { return }
        let listed = Set(kept.flatMap(\.members))
        var additions: [Int64: [Int64]] = [:]
        try forEachOwned(inverse) { number, index, owner in
            let key = slabs[number].key(index)
            guard !listed.contains(key) else { return }
            try fault(
                .oneSided,
                reason: "'\(inverse.name)' leads to a record whose '\(relationship.name)' does not list this one",
                record: record(slab: number, index: index), property: inverse.name, remedy: Self.isFilledIn)
            faults?.noteChanged(owner)
            additions[owner, default: []].append(key)
        }
        append(additions, to: name)
    }

    /// Whether the inverse of a listed member refers to the owner. If it is nil, reports a fault and sets it.
    private func isOwned(
        _ member: Int64, by list: MemberList, relationship: NSRelationshipDescription,
        inverse: NSRelationshipDescription
    ) throws -> Bool {
        guard let position = position(member), case .toOne(let slot)? = layout(position).places[inverse.name],
            let owner = self.position(list.owner)
        else { return false }
        let (slab, index) = (slab(position), Int(position.index))
        let isFree = slab.tag(index, slot) != RowTag.integer
        if !isFree, slab.integer(index, slot) == list.owner { return true }
        try fault(
            .oneSided,
            reason: "'\(relationship.name)' lists the number \(member), whose '\(inverse.name)' does not lead back",
            record: record(of: list), property: relationship.name, remedy: isFree ? Self.isFilledIn : Self.isDropped)
        if isFree { refer(slab, index: index, slot: slot, to: list.owner, layout: layout(owner)) }
        return isFree
    }

    /// Calls `body` with each record whose to-one relationship refers to an existing record, and with the key of that
    /// record.
    private func forEachOwned(
        _ inverse: NSRelationshipDescription, _ body: (_ slab: Int, _ index: Int, _ owner: Int64) throws -> Void
    ) throws {
        for (number, slab) in slabs.enumerated() {
            guard case .toOne(let slot)? = slab.layout.places[inverse.name], slab.layout.isSlot(slot, of: inverse)
            else { continue }
            for index in 0..<slab.count
            where slab.tag(index, slot) == RowTag.integer && position(slab.integer(index, slot)) != nil {
                try body(number, index, slab.integer(index, slot))
            }
        }
    }

    /// Appends members to the lists of owners; makes lists for owners without one.
    private mutating func append(_ additions: [Int64: [Int64]], to name: ObjectIdentifier) {
        guard !additions.isEmpty else { return }
        var rest = additions
        for number in (lists[name] ?? []).indices {
            guard let owner = lists[name]?[number].owner, let members = rest.removeValue(forKey: owner) else {
                continue
            }
            lists[name]?[number].members += members
        }
        for (owner, members) in rest.sorted(by: { $0.key < $1.key }) {
            lists[name, default: []].append(MemberList(owner: owner, members: members, place: 0))
        }
    }

    // MARK: Relationships that no row holds

    /// Checks that each member of a relationship without an inverse has only one owner.
    private mutating func checkSingleOwners(_ relationship: NSRelationshipDescription) throws {
        var seen: Set<Int64> = []
        let name = ObjectIdentifier(relationship)
        lists[name] = try (lists[name] ?? []).map { list in
            var list = list
            list.members = try list.members.filter { member in
                guard !seen.insert(member).inserted else { return true }
                try fault(
                    .doubledLink, reason: "'\(relationship.name)' lists the number \(member), which another record has",
                    record: record(of: list), property: relationship.name, remedy: Self.isDropped)
                return false
            }
            return list
        }
    }

    /// Checks that the lists at both ends contain the same pairs, and returns the pairs.
    private mutating func checkBothEnds(
        of relationship: NSRelationshipDescription, _ inverse: NSRelationshipDescription
    ) throws -> [KeyPair] {
        let own = lists[ObjectIdentifier(relationship)] ?? []
        let others = lists[ObjectIdentifier(inverse)] ?? []
        let missing = try unanswered(
            own, by: Set(Self.pairs(others).map(\.reversed)), other: inverse, relationship: relationship)
        append(missing, to: ObjectIdentifier(inverse))
        guard inverse !== relationship else { return Self.pairs(lists[ObjectIdentifier(relationship)] ?? []) }
        append(
            try unanswered(
                others, by: Set(Self.pairs(own).map(\.reversed)), other: relationship, relationship: inverse),
            to: ObjectIdentifier(relationship))
        return Self.pairs(lists[ObjectIdentifier(relationship)] ?? [])
    }

    /// The pairs of the lists that the lists at the other end lack: by member, the owners to add to the member's list.
    private func unanswered(
        _ lists: [MemberList], by known: Set<KeyPair>, other: NSRelationshipDescription,
        relationship: NSRelationshipDescription
    ) throws -> [Int64: [Int64]] {
        var additions: [Int64: [Int64]] = [:]
        for list in lists {
            for member in list.members where !known.contains(KeyPair(owner: list.owner, member: member)) {
                try fault(
                    .oneSided,
                    reason: "the '\(other.name)' of the record with the number \(member) does not list this one",
                    record: record(of: list), property: relationship.name, remedy: Self.isFilledIn)
                faults?.noteChanged(member)
                additions[member, default: []].append(list.owner)
            }
        }
        return additions
    }
}

extension EntityLayout {
    /// Whether a slot belongs to the given relationship, and not to another one with the same name.
    fileprivate func isSlot(_ slot: Int, of relationship: NSRelationshipDescription) -> Bool {
        if case .toOne(let own) = slots[slot].content { own === relationship } else { false }
    }
}
