import CoreDataStore

/// One update of a list: some records are removed and inserted at their new places; the others are not examined.
///
/// The cost is the number of those records, times a search for each that no longer belongs between its neighbours.
struct ListUpdate {
    /// A record that may have changed, and its object.
    struct Candidate {
        let object: NSManagedObject
        /// Whether its own values changed, not only those of others that it is placed by.
        let isChanged: Bool
        /// What it is sorted by, and the name of its section; nil for one that does not belong into the list.
        let place: (keys: [SortKey], section: String)?
    }

    private struct Item {
        let candidate: Candidate
        let address: RowAddress
        var old: (index: Int, path: IndexPath, section: Int?)?
        /// How many untouched records come before: where it was, and where it belongs.
        var oldGap = 0
        var newGap = 0
        /// The section that it is in now.
        var newSection: Int?
        var stays = false
    }

    /// A section whose last record was taken out.
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
    /// Records whose section, by the order, lies within another one, or is not where the others of its name are.
    private(set) var strays: [NSManagedObject] = []

    /// Carries the step out.
    ///
    /// - Throws: what a comparison or reading a row throws; the list may then be without some of the records.
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

    /// Puts a record before another one; false where both of its neighbours are of one other section.
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

    /// Opens a section for a record, or the one again that was there.
    private mutating func open(_ number: Int, name: String, at index: Int, section: Int, identity: Int?) {
        if list.hasSection(named: name) { strays.append(items[number].candidate.object) }
        let opened = list.insert(items[number].address, at: index, opening: name, at: section, identity: identity)
        items[number].newSection = opened
        if identity == nil { self.opened.append((opened, name, items[number].address)) }
    }

    /// Puts a record whose section lies within another behind that one.
    private mutating func insertStray(_ number: Int) {
        guard let name = items[number].candidate.place?.section else { return }
        strays.append(items[number].candidate.object)
        let around = list.section(of: min(items[number].newGap, list.count - 1))
        let end = around.map { $0.start + $0.run.count } ?? list.count
        // Never where it was: its neighbours do not show the place.
        items[number].newGap = -1
        if let next = list.section(of: end), TextComparison.areEqual(next.run.name, name) {
            list.insert(items[number].address, at: end, intoSection: next.index)
            items[number].newSection = next.run.identity
        } else {
            open(number, name: name, at: end, section: (around?.index ?? -1) + 1, identity: nil)
        }
    }

    // MARK: Notification

    /// Of the records between the same untouched ones as before, as many as possible count as not moved.
    private mutating func decideWhoStays() {
        let kept = items.indices.filter { number in
            let item = items[number]
            return item.old != nil && item.candidate.place != nil && item.oldGap == item.newGap
                && item.old?.section == item.newSection
        }
        // Those of different gaps ascend by themselves.
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
