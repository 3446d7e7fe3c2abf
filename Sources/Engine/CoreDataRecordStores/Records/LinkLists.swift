import CoreDataStore

/// A pair of keys: an owner and a member of a relationship.
struct KeyPair: Comparable, Hashable {
    let owner: Int64
    let member: Int64

    static func < (left: KeyPair, right: KeyPair) -> Bool {
        left.owner == right.owner ? left.member < right.member : left.owner < right.owner
    }

    var reversed: KeyPair { KeyPair(owner: member, member: owner) }
}

/// The members of one to-many relationship, as a list of keys for each owner.
///
/// Invariant: no list contains a key twice or is empty; lists are sorted by key unless the relationship is ordered.
struct LinkLists {
    private var lists: [Int64: [Int64]] = [:]
    let isOrdered: Bool

    init(isOrdered: Bool) { self.isOrdered = isOrdered }

    /// The keys of an owner's members, in the relationship's order, or sorted by key if it is not ordered.
    func members(of owner: Int64) -> [Int64] { lists[owner] ?? [] }

    /// Removes pairs, then adds pairs. Each changed list is rebuilt once, however many pairs change it.
    ///
    /// New members of an ordered relationship come first in the list, until `setOrder(of:owner:)` is called.
    mutating func change(removing removed: [KeyPair], adding added: [KeyPair]) {
        var removals = removed.sorted()[...]
        var additions = added.sorted()[...]
        while let owner = [removals.first?.owner, additions.first?.owner].compactMap({ $0 }).min() {
            let leaving = Self.take(owner, from: &removals)
            let coming = Self.take(owner, from: &additions)
            set(changed(lists.removeValue(forKey: owner) ?? [], leaving: leaving, coming: coming), of: owner)
        }
    }

    /// Moves those of the given keys that are members to the end of the list, in the given order.
    mutating func setOrder(of listed: [Int64], owner: Int64) {
        guard isOrdered, let known = lists[owner] else { return }
        let places = Set(listed)
        let members = Set(known)
        set(known.filter { !places.contains($0) } + listed.filter(members.contains), of: owner)
    }

    /// Removes and returns an owner's list.
    mutating func removeAll(of owner: Int64) -> [Int64] { lists.removeValue(forKey: owner) ?? [] }

    private mutating func set(_ list: [Int64], of owner: Int64) {
        lists[owner] = list.isEmpty ? nil : list
    }

    /// Removes the pairs of an owner from the beginning of sorted pairs, and returns their members, sorted.
    private static func take(_ owner: Int64, from pairs: inout ArraySlice<KeyPair>) -> [Int64] {
        let mine = pairs.prefix { $0.owner == owner }
        pairs = pairs[mine.endIndex...]
        return mine.map(\.member)
    }

    private func changed(_ list: [Int64], leaving: [Int64], coming: [Int64]) -> [Int64] {
        var list = list
        if !leaving.isEmpty {
            let gone = Set(leaving)
            list.removeAll(where: gone.contains)
        }
        guard !coming.isEmpty else { return list }
        let isLater = !isOrdered && (list.last.map { $0 < coming[0] } ?? true)
        let known = isLater ? [] : Set(list)
        var additions: [Int64] = []
        for key in coming where key != additions.last && !known.contains(key) { additions.append(key) }
        if isOrdered { return additions + list }
        list += additions
        if !isLater { list.sort() }
        return list
    }
}
