import CoreDataStore

/// The pairs of a relationship that is not stored in rows: a many-to-many one, or a to-many one without an inverse.
struct LinkTable {
    /// The rule for the pairs, which depends on the inverse.
    enum Kind {
        /// Many-to-many with another relationship as the inverse: a member may have several owners.
        case many
        /// Many-to-many with itself as the inverse: each pair is stored in both directions.
        case reflexive
        /// To-many without an inverse: a member has at most one owner.
        case single
    }

    let kind: Kind
    private(set) var forward: LinkLists
    private(set) var backward: LinkLists

    init(kind: Kind, isOrdered: Bool, isInverseOrdered: Bool) {
        self.kind = kind
        forward = LinkLists(isOrdered: isOrdered)
        backward = LinkLists(isOrdered: isInverseOrdered)
    }

    func members(of owner: Int64, backwards: Bool) -> [Int64] {
        backwards ? backward.members(of: owner) : forward.members(of: owner)
    }

    /// The pairs with a row as the owner, or, backwards, with a row as the member.
    func pairs(of key: Int64, backwards: Bool) -> [KeyPair] {
        members(of: key, backwards: backwards).map {
            backwards ? KeyPair(owner: $0, member: key) : KeyPair(owner: key, member: $0)
        }
    }

    /// Removes pairs before adding pairs, so that a member that moves to another owner ends up with the new one.
    mutating func change(removing removed: [KeyPair], adding added: [KeyPair]) {
        switch kind {
        case .many: write(removed, added)
        case .reflexive: write(removed + removed.map(\.reversed), added + added.map(\.reversed))
        case .single: write(removed + formerPairs(of: added), lastPairs(of: added))
        }
    }

    mutating func setOrder(of members: [Int64], owner: Int64, backwards: Bool) {
        if backwards {
            backward.setOrder(of: members, owner: owner)
        } else {
            forward.setOrder(of: members, owner: owner)
        }
    }

    private mutating func write(_ removed: [KeyPair], _ added: [KeyPair]) {
        forward.change(removing: removed, adding: added)
        guard kind != .reflexive else { return }
        backward.change(removing: removed.map(\.reversed), adding: added.map(\.reversed))
    }

    private func formerPairs(of added: [KeyPair]) -> [KeyPair] {
        added.flatMap { pair in
            backward.members(of: pair.member).map { KeyPair(owner: $0, member: pair.member) }
        }
    }

    /// Of several pairs with the same member, only the last is added.
    private func lastPairs(of added: [KeyPair]) -> [KeyPair] {
        let owners = Dictionary(added.map { ($0.member, $0.owner) }, uniquingKeysWith: { $1 })
        return owners.map { KeyPair(owner: $1, member: $0) }
    }
}
