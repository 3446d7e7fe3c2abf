import CoreDataStore

/// One update of a list: removes the records that may have changed and inserts them at their new places. Does not
/// compare the other records with each other.
///
/// The cost is proportional to the number of those records; each that is no longer in order with its neighbors costs a
/// search.
struct ListUpdate {
    /// A record that may have changed, and its object.
    struct Candidate {
        let object: NSManagedObject
        /// Whether the record's own values changed, not only those of related objects that determine its place.
        let isChanged: Bool
        /// The sort keys and the section name of the record; nil if it does not belong in the list.
        let place: (keys: [SortKey], section: String)?
    }

    private struct Item {
        let candidate: Candidate
        let address: RowAddress
        var old: (index: Int, path: IndexPath, section: Int?)?
        /// The number of records, apart from the candidates, before the record: at its former place and at its new one.
        var oldGap = 0
        var newGap = 0
        /// The identity of the record's new section.
        var newSection: Int?
        var stays = false
    }

    /// A section whose last record was removed.
    private struct Emptied {
        let run: SectionRun
        let number: Int
        let gap: Int
        var isReused = false
    }

    private let list: ResultsList
    private let hasSections: Bool
    private var items: [Item] = []
    private var emptied: [String: Emptied] = [:]
    private var opened: [(identity: Int, name: String, first: RowAddress)] = []
    /// Records that the sort order places within another section, or away from the other records of their section.
    private(set) var strays: [NSManagedObject] = []

    /// Executes the update.
    ///
    /// - Throws: the error of a comparison or of reading a row; the list may then lack some of the candidates.
    static func run(
        _ candidates: [Candidate], on list: ResultsList, hasSections: Bool, order: inout ResultsOrder
    ) throws -> (delta: ListDelta, strays: [NSManagedObject]) {
        var update = ListUpdate(list, hasSections: hasSections)
        update.takeOut(candidates)
        try update.findGaps(&order)
        update.putBack()
        update.decideWhoStays()
        return (update.delta(), update.strays)
    }

    private init(_ list: ResultsList, hasSections: Bool) {
        self.list = list
        self.hasSections = hasSections
    }

    // MARK: Taking out

    private mutating func takeOut(_ candidates: [Candidate]) {
        for candidate in candidates {
            let address = RowAddress(binding: candidate.object.binding, key: candidate.object.key)
            var item = Item(candidate: candidate, address: address)
            if let index = list.index(of: RowKey(address)) {
                let section = hasSections ? list.section(of: index) : nil
                item.old = (index, list.path(of: index), section?.run.identity)
            }
            if item.old != nil || candidate.place != nil { items.append(item) }
        }
        items.sort { ($0.old?.index ?? .max) < ($1.old?.index ?? .max) }
        let present = items.prefix { $0.old != nil }.count
        for number in 0..<present { items[number].oldGap = (items[number].old?.index ?? 0) - number }
        for number in (0..<present).reversed() {
            let item = items[number]
            guard let old = item.old, let run = list.remove(at: old.index), hasSections else { continue }
            emptied[run.name] = Emptied(run: run, number: old.path.section, gap: item.oldGap)
        }
    }

    // MARK: Finding places

    private mutating func findGaps(_ order: inout ResultsOrder) throws {
        for number in items.indices {
            guard let place = items[number].candidate.place else { continue }
            let guess = items[number].old.map { _ in items[number].oldGap }
            items[number].newGap = try order.rank(of: (place.keys, items[number].address), in: list, guess: guess)
        }
        try items.sort { left, right in
            guard let one = left.candidate.place, let other = right.candidate.place else {
                return left.candidate.place != nil && right.candidate.place == nil
            }
            if left.newGap != right.newGap { return left.newGap < right.newGap }
            return try order.isAscending((one.keys, left.address), (other.keys, right.address))
        }
    }

    private mutating func putBack() {
        var (strayed, inserted): ([Int], Int) = ([], 0)
        var lastReused: (gap: Int, number: Int) = (-1, -1)
        for number in items.indices where items[number].candidate.place != nil {
            let index = items[number].newGap + inserted
            if insert(number, at: index, &lastReused) { inserted += 1 } else { strayed.append(number) }
        }
        for number in strayed { insertStray(number) }
    }

    /// Inserts a record at an index; returns false, without inserting, if both neighbors are in the same other section.
    private mutating func insert(_ number: Int, at index: Int, _ lastReused: inout (gap: Int, number: Int)) -> Bool {
        guard hasSections, let name = items[number].candidate.place?.section else {
            list.insert(items[number].address, at: index)
            return true
        }
        let left = index > 0 ? list.section(of: index - 1) : nil
        let right = index < list.count ? list.section(of: index) : nil
        if let known = [left, right].compactMap({ $0 }).first(where: { TextComparison.areEqual($0.run.name, name) }) {
            list.insert(items[number].address, at: index, intoSection: known.index)
            items[number].newSection = known.run.identity
            return true
        }
        if let left, let right, left.run.identity == right.run.identity { return false }
        let gap = items[number].newGap
        var identity: Int?
        if let former = emptied[name], !former.isReused, former.gap == gap,
            lastReused.gap != gap || lastReused.number < former.number
        {
            identity = former.run.identity
            emptied[name]?.isReused = true
            lastReused = (gap, former.number)
        }
        open(number, name: name, at: index, section: (left?.index ?? -1) + 1, identity: identity)
        return true
    }

    /// Inserts a record and its section: a new one, or with an `identity` the emptied section that had this name.
    private mutating func open(_ number: Int, name: String, at index: Int, section: Int, identity: Int?) {
        if list.hasSection(named: name) { strays.append(items[number].candidate.object) }
        let opened = list.insert(items[number].address, at: index, opening: name, at: section, identity: identity)
        items[number].newSection = opened
        if identity == nil { self.opened.append((opened, name, items[number].address)) }
    }

    /// Inserts a record that the sort order places within another section behind that section.
    private mutating func insertStray(_ number: Int) {
        guard let name = items[number].candidate.place?.section else { return }
        strays.append(items[number].candidate.object)
        let around = list.section(of: min(items[number].newGap, list.count - 1))
        let end = around.map { $0.start + $0.run.count } ?? list.count
        // Reported as moved, since its neighbors do not show its place in the order.
        items[number].newGap = -1
        if let next = list.section(of: end), TextComparison.areEqual(next.run.name, name) {
            list.insert(items[number].address, at: end, intoSection: next.index)
            items[number].newSection = next.run.identity
        } else {
            open(number, name: name, at: end, section: (around?.index ?? -1) + 1, identity: nil)
        }
    }

    // MARK: Notification

    /// Marks as many as possible of the records that are still between the same other records as not moved.
    private mutating func decideWhoStays() {
        let kept = items.indices.filter { number in
            let item = items[number]
            return item.old != nil && item.candidate.place != nil && item.oldGap == item.newGap
                && item.old?.section == item.newSection
        }
        // Records with different gaps are in ascending order already.
        let stays = longestAscent(kept.map { items[$0].old?.index ?? 0 })
        for (number, stays) in zip(kept, stays) { items[number].stays = stays }
    }

    private func delta() -> ListDelta {
        var delta = ListDelta()
        for former in emptied.values where !former.isReused {
            delta.deletedSections.append((former.number, former.run.name))
        }
        for section in opened {
            guard let index = list.index(of: RowKey(section.first)), let place = list.section(of: index) else {
                continue
            }
            delta.insertedSections.append((place.index, section.name))
        }
        delta.take(items.compactMap(row))
        return delta
    }

    private func row(_ item: Item) -> ListDelta.Row? {
        let old = item.old.map { ($0.index, $0.path) }
        guard item.candidate.place != nil, let index = list.index(of: RowKey(item.address)) else {
            return .init(
                kind: .delete, address: item.address, object: item.candidate.object, old: old, new: nil)
        }
        let new = (index, list.path(of: index))
        let kind: NSFetchedResultsChangeType = old == nil ? .insert : item.stays ? .update : .move
        guard kind != .update || item.candidate.isChanged else { return nil }
        return .init(kind: kind, address: item.address, object: item.candidate.object, old: old, new: new)
    }
}
