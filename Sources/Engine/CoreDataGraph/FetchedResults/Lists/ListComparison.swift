import CoreDataStore

/// Computes the changes between two lists without knowing which records changed.
struct ListComparison {
    private let before: ListState
    private let after: ListState
    private let hasSections: Bool

    init(_ before: ListState, _ after: ListState, hasSections: Bool) {
        self.before = before
        self.after = after
        self.hasSections = hasSections
    }

    /// The changes, given the object of each record, if there is one, and whether its values changed.
    func delta(_ known: (RowKey) -> (object: NSManagedObject?, isChanged: Bool)) -> ListDelta {
        var delta = ListDelta()
        let stayingSections = compareSections(&delta)
        var former: [RowKey: Int] = [:]
        for index in 0..<before.count { former[RowKey(before.address(at: index))] = index }
        let olds = (0..<after.count).map { former[RowKey(after.address(at: $0))] }
        let stays = staying(olds, stayingSections)
        var rows: [ListDelta.Row] = []
        for index in 0..<after.count {
            let address = after.address(at: index)
            former[RowKey(address)] = nil
            let known = known(RowKey(address))
            let kind: NSFetchedResultsChangeType = olds[index] == nil ? .insert : stays[index] ? .update : .move
            guard kind != .update || known.isChanged else { continue }
            rows.append(
                .init(
                    kind: kind, address: address, object: known.object,
                    old: olds[index].map { ($0, before.path(of: $0)) }, new: (index, after.path(of: index))))
        }
        for (place, index) in former {
            rows.append(
                .init(
                    kind: .delete, address: before.address(at: index), object: known(place).object,
                    old: (index, before.path(of: index)), new: nil))
        }
        delta.take(rows)
        return delta
    }

    /// Adds the deleted and inserted sections to the delta; returns the new indices of the others by their former ones.
    private func compareSections(_ delta: inout ListDelta) -> [Int: Int] {
        guard hasSections else { return [0: 0] }
        let (olds, news) = (before.sections.map(\.name), after.sections.map(\.name))
        let former = Dictionary(zip(olds, olds.indices), uniquingKeysWith: { first, _ in first })
        let known = news.indices.filter { former[news[$0]] != nil }
        let stays = longestAscent(known.map { former[news[$0]] ?? 0 })
        var staying: [Int: Int] = [:]
        for (number, isStaying) in zip(known, stays) where isStaying { staying[former[news[number]] ?? 0] = number }
        for (number, name) in olds.enumerated() where staying[number] == nil {
            delta.deletedSections.append((number, name))
        }
        let kept = Set(staying.values)
        for (number, name) in news.enumerated() where !kept.contains(number) {
            delta.insertedSections.append((number, name))
        }
        return staying
    }

    /// Whether each record of the new list counts as not moved; `olds` has the former indices of these records.
    private func staying(_ olds: [Int?], _ sections: [Int: Int]) -> [Bool] {
        var candidates: [Int] = []
        for (index, old) in olds.enumerated() {
            guard let old else { continue }
            if sections[before.path(of: old).section] == after.path(of: index).section { candidates.append(index) }
        }
        var stays = [Bool](repeating: false, count: olds.count)
        for (index, isStaying) in zip(candidates, longestAscent(candidates.map { olds[$0] ?? 0 })) {
            stays[index] = isStaying
        }
        return stays
    }
}
