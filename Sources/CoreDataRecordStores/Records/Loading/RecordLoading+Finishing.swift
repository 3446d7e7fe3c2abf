import CoreDataStore

extension RecordLoading {
    /// Checks that the records make a whole graph, and puts them into the tables.
    ///
    /// - Throws: a `LoadFailure`; the tables are as they were then.
    package func finish() throws {
        try resolveReferences()
        var pairs: [Int: [KeyPair]] = [:]
        for layout in tables.model.entities {
            for relationship in layout.toMany where relationship.entity === layout.entity {
                try check(relationship, layout, &pairs)
            }
        }
        for slab in slabs { tables.place([RowRun(slab: slab, range: 0..<slab.count)]) }
        fillIndexes()
        for (number, pairs) in pairs { tables.links[number].change(removing: [], adding: pairs) }
        setOrders()
        fillConstraints()
        for slab in slabs {
            for index in 0..<slab.count { tables.noteKey(slab.key(index), root: slab.layout.root) }
        }
    }

    // MARK: To-one relationships

    private func resolveReferences() throws {
        for (number, slab) in slabs.enumerated() {
            for slot in 0..<slab.layout.storedCount {
                guard case .toOne(let relationship) = slab.layout.slots[slot].content else { continue }
                for index in 0..<slab.count where slab.tag(index, slot) == RowTag.integer {
                    if try isMissing(slab, index, slot, place(slab: number, index: index)) { continue }
                    let target = try target(
                        of: relationship, slab.integer(index, slot), place(slab: number, index: index))
                    slab.set(RowTag.integer, UInt64(target.entity), row: slab.row(index), slot: slot + 1)
                    try checkInverse(relationship, of: slab.key(index), target, place(slab: number, index: index))
                }
            }
        }
    }

    /// Whether a reference is one that need lead to no record.
    private func isMissing(_ slab: RowSlab, _ index: Int, _ slot: Int, _ place: Int) throws -> Bool {
        guard !missing.isEmpty, missing.contains(.init(owner: slab.key(index), slot: slot)) else { return false }
        guard position(slab.integer(index, slot)) == nil else {
            throw LoadFailure("a reference is said to lead to no record, and leads to one", at: place)
        }
        return true
    }

    private func target(
        of relationship: NSRelationshipDescription, _ key: Int64, _ place: Int
    ) throws -> SlabPosition {
        guard let target = position(key) else {
            throw LoadFailure("'\(relationship.name)' leads to the number \(key), which no record has", at: place)
        }
        guard let wanted = relationship.destinationEntity, layout(target).entity.isKindOf(entity: wanted) else {
            throw LoadFailure(
                "'\(relationship.name)' leads to the number \(key), which is of another entity than "
                    + "'\(relationship.destinationEntity?.name ?? "")'", at: place)
        }
        return target
    }

    /// Of a one-to-one relationship both ends lead to each other.
    private func checkInverse(
        _ relationship: NSRelationshipDescription, of key: Int64, _ target: SlabPosition, _ place: Int
    ) throws {
        guard let inverse = relationship.inverseRelationship, !inverse.isToMany, !inverse.isTransient,
            case .toOne(let slot)? = layout(target).places[inverse.name]
        else { return }
        let slab = slab(target)
        let index = Int(target.index)
        guard slab.tag(index, slot) == RowTag.integer, slab.integer(index, slot) == key else {
            throw LoadFailure(
                "'\(relationship.name)' leads to a record whose '\(inverse.name)' does not lead back", at: place)
        }
    }

    // MARK: To-many relationships

    /// Checks the lists of a relationship; notes the pairs of one that no row holds.
    private func check(
        _ relationship: NSRelationshipDescription, _ layout: EntityLayout, _ pairs: inout [Int: [KeyPair]]
    ) throws {
        let lists = lists[ObjectIdentifier(relationship)] ?? []
        for list in lists { try check(list, of: relationship) }
        switch tables.plan.source(of: relationship) {
        case .index: try checkOwners(relationship, lists)
        case .links(let number, false):
            pairs[number] = Self.pairs(lists)
            try checkOtherEnd(of: relationship, lists)
        case .links, nil: return
        }
    }

    private func check(_ list: MemberList, of relationship: NSRelationshipDescription) throws {
        var seen: Set<Int64> = []
        for member in list.members {
            _ = try target(of: relationship, member, list.place)
            guard seen.insert(member).inserted else {
                throw LoadFailure("'\(relationship.name)' lists the number \(member) twice", at: list.place)
            }
        }
    }

    /// The members' to-one relationships must say the same as the lists.
    private func checkOwners(_ relationship: NSRelationshipDescription, _ lists: [MemberList]) throws {
        guard let inverse = relationship.inverseRelationship else { return }
        var count = 0
        for list in lists {
            count += list.members.count
            for member in list.members where owner(of: member, inverse) != list.owner {
                throw LoadFailure(
                    "'\(relationship.name)' lists the number \(member), whose '\(inverse.name)' does not lead back",
                    at: list.place)
            }
        }
        var references = 0
        for slab in slabs {
            guard case .toOne(let slot)? = slab.layout.places[inverse.name], slab.layout.isSlot(slot, of: inverse)
            else {
                continue
            }
            for index in 0..<slab.count
            where slab.tag(index, slot) == RowTag.integer && position(slab.integer(index, slot)) != nil {
                references += 1
            }
        }
        guard references != count else { return }
        try reportUnlisted(relationship, inverse, lists)
    }

    private func owner(of member: Int64, _ inverse: NSRelationshipDescription) -> Int64? {
        guard let position = position(member), case .toOne(let slot)? = layout(position).places[inverse.name] else {
            return nil
        }
        let (slab, index) = (slab(position), Int(position.index))
        return slab.tag(index, slot) == RowTag.integer ? slab.integer(index, slot) : nil
    }

    /// Finds a record that leads to an owner whose list does not have it.
    private func reportUnlisted(
        _ relationship: NSRelationshipDescription, _ inverse: NSRelationshipDescription, _ lists: [MemberList]
    ) throws {
        let listed = Set(lists.flatMap(\.members))
        for (number, slab) in slabs.enumerated() {
            guard case .toOne(let slot)? = slab.layout.places[inverse.name], slab.layout.isSlot(slot, of: inverse)
            else {
                continue
            }
            for index in 0..<slab.count
            where slab.tag(index, slot) == RowTag.integer && position(slab.integer(index, slot)) != nil
                && !listed.contains(slab.key(index))
            {
                throw LoadFailure(
                    "'\(inverse.name)' leads to a record whose '\(relationship.name)' does not list this one",
                    at: place(slab: number, index: index))
            }
        }
    }

    /// The other end of a relationship that no row holds must list the same pairs; without one a member has one owner.
    private func checkOtherEnd(of relationship: NSRelationshipDescription, _ lists: [MemberList]) throws {
        guard let inverse = relationship.inverseRelationship else {
            var seen: Set<Int64> = []
            for list in lists {
                for member in list.members where !seen.insert(member).inserted {
                    throw LoadFailure(
                        "'\(relationship.name)' lists the number \(member), which another record has", at: list.place)
                }
            }
            return
        }
        let others = self.lists[ObjectIdentifier(inverse)] ?? []
        try require(Set(Self.pairs(others).map(\.reversed)), toHave: lists, of: inverse)
        try require(Set(Self.pairs(lists).map(\.reversed)), toHave: others, of: relationship)
    }

    private func require(
        _ known: Set<KeyPair>, toHave lists: [MemberList], of other: NSRelationshipDescription
    ) throws {
        for list in lists {
            for member in list.members where !known.contains(KeyPair(owner: list.owner, member: member)) {
                throw LoadFailure(
                    "the '\(other.name)' of the record with the number \(member) does not list this one", at: list.place
                )
            }
        }
    }

    private static func pairs(_ lists: [MemberList]) -> [KeyPair] {
        lists.flatMap { list in list.members.map { KeyPair(owner: list.owner, member: $0) } }
    }

    // MARK: Filling the tables

    private func fillIndexes() {
        var added = tables.indexes.map { _ in [KeyPair]() }
        for slab in slabs {
            for index in 0..<slab.count {
                RecordWriting.note(RowSnapshot(slab: slab, index: index), in: &added, tables.plan)
            }
        }
        for number in tables.indexes.indices { tables.indexes[number].change(removing: [], adding: added[number]) }
    }

    private func setOrders() {
        for layout in tables.model.entities {
            for relationship in layout.toMany where relationship.isOrdered && relationship.entity === layout.entity {
                guard let source = tables.plan.source(of: relationship) else { continue }
                for list in lists[ObjectIdentifier(relationship)] ?? [] {
                    switch source {
                    case .index(let number): tables.indexes[number].setOrder(of: list.members, owner: list.owner)
                    case .links(let number, let backwards):
                        tables.links[number].setOrder(of: list.members, owner: list.owner, backwards: backwards)
                    }
                }
            }
        }
    }

    /// Rows that have the same unique values are taken as they are: it is the next save that must not make more of them.
    private func fillConstraints() {
        for number in tables.constraints.indices {
            var change = UniqueIndex.Change()
            for slab in slabs {
                for index in 0..<slab.count {
                    _ = tables.constraints[number].take(RowSnapshot(slab: slab, index: index), in: &change)
                }
            }
            tables.constraints[number].apply(change)
        }
    }
}

extension EntityLayout {
    /// Whether a slot is that of a relationship, and not of another of the same name.
    fileprivate func isSlot(_ slot: Int, of relationship: NSRelationshipDescription) -> Bool {
        if case .toOne(let own) = slots[slot].content { own === relationship } else { false }
    }
}
