/// Makes operations of the contents of relationships after a save.
struct LinkCapture {
    private enum ListEnd {
        case source
        case target
    }

    private struct Placed {
        var link: SyncLink
        let order: Int
    }

    /// The contents of an ordered relationship of one object.
    private struct List {
        let owner: ObjectIdentity
        let pair: SyncRelationship
        let end: ListEnd
        let contents: [ObjectIdentity]
    }

    private var added: [LinkKey: Placed] = [:]
    private var removed: [LinkKey] = []
    private var lists: [List] = []

    var count: Int { added.count + removed.count + lists.count }

    mutating func captureTargets(
        _ contents: [ObjectIdentity], of owner: ObjectIdentity, _ pair: SyncRelationship, old: [ObjectIdentity],
        _ view: ObjectView
    ) throws {
        let now = Set(contents)
        if !pair.source.isToMany, contents.isEmpty { try removeTargets(of: owner, pair, view) }
        for target in old where !now.contains(target) && pair.source.isToMany {
            try remove(owner, target, pair, view)
        }
        let before = Set(old)
        for target in contents where !before.contains(target) { try add(owner, target, pair, view) }
        if pair.source.isOrdered { lists.append(List(owner: owner, pair: pair, end: .source, contents: contents)) }
    }

    mutating func captureSources(
        _ contents: [ObjectIdentity], of owner: ObjectIdentity, _ pair: SyncRelationship, old: [ObjectIdentity],
        _ view: ObjectView
    ) throws {
        let now = Set(contents)
        for source in old where !now.contains(source) { try remove(source, owner, pair, view) }
        let before = Set(old)
        for source in contents where !before.contains(source) { try add(source, owner, pair, view) }
        if pair.target?.isOrdered == true {
            lists.append(List(owner: owner, pair: pair, end: .target, contents: contents))
        }
    }

    private func members(_ object: ObjectIdentity, _ view: ObjectView) throws -> [ObjectIdentity] {
        let members = try view.members(object)
        return members.isEmpty ? [object] : members
    }

    private mutating func remove(
        _ source: ObjectIdentity, _ target: ObjectIdentity, _ pair: SyncRelationship, _ view: ObjectView
    ) throws {
        let targets = Set(try members(target, view))
        for member in try members(source, view) {
            for linked in try view.state.targets(of: member, pair.id).keys.sorted() where targets.contains(linked) {
                removed.append(LinkKey(relationship: pair.id, source: member, target: linked))
            }
        }
    }

    private mutating func removeTargets(
        of owner: ObjectIdentity, _ pair: SyncRelationship, _ view: ObjectView, except: Bool = false
    ) throws {
        for member in try members(owner, view) where !(except && member == owner) {
            for target in try view.state.targets(of: member, pair.id).keys.sorted() {
                removed.append(LinkKey(relationship: pair.id, source: member, target: target))
            }
        }
    }

    private mutating func add(
        _ source: ObjectIdentity, _ target: ObjectIdentity, _ pair: SyncRelationship, _ view: ObjectView
    ) throws {
        if pair.source.isToMany {
            try remove(source, target, pair, view)
        } else {
            try removeTargets(of: source, pair, view, except: true)
        }
        // What is hidden, as another took its mandatory end, keeps its link: it would be shown without one.
        let replacesSources = pair.target.map { !$0.isToMany } ?? false && !pair.source.isMandatory
        if replacesSources {
            for member in try members(target, view) where member != target {
                for other in try view.state.sources(of: member, pair.id).sorted() {
                    removed.append(LinkKey(relationship: pair.id, source: other, target: member))
                }
            }
        }
        place(
            SyncLink(
                relationship: pair.id, source: source, target: target, replacesTargets: !pair.source.isToMany,
                replacesSources: replacesSources, sourcePosition: nil, targetPosition: nil))
    }

    private mutating func place(_ link: SyncLink) {
        let key = LinkKey(relationship: link.relationship, source: link.source, target: link.target)
        if added[key] == nil { added[key] = Placed(link: link, order: added.count) }
    }

    // MARK: Order

    mutating func operations(of id: TransactionID, _ view: ObjectView) throws -> [SyncOperation] {
        var runs: UInt32 = 0
        for list in lists { try order(list, id, &runs, view) }
        for (key, placed) in added.sorted(by: { $0.value.order < $1.value.order }) {
            try append(key, placed, id, &runs, view)
        }
        let unlinked = removed.filter { added[$0] == nil }
            .map { SyncOperation.unlink($0.relationship, source: $0.source, target: $0.target) }
        return unlinked + added.values.sorted { $0.order < $1.order }.map { .link($0.link) }
    }

    /// The tag of a link as it is shown before the save.
    private func tag(_ source: ObjectIdentity, _ target: ObjectIdentity, _ pair: SyncRelationship, _ view: ObjectView)
        throws
        -> LinkTag?
    { try view.targetGroups(of: source, pair)[target]?.tag }

    private mutating func order(
        _ list: List, _ id: TransactionID, _ runs: inout UInt32, _ view: ObjectView
    ) throws {
        func key(_ object: ObjectIdentity) -> LinkKey {
            list.end == .source
                ? LinkKey(relationship: list.pair.id, source: list.owner, target: object)
                : LinkKey(relationship: list.pair.id, source: object, target: list.owner)
        }
        var positions: [ListPosition?] = []
        for object in list.contents {
            let key = key(object)
            let tag = added[key] == nil ? try tag(key.source, key.target, list.pair, view) : nil
            positions.append(list.end == .source ? tag?.sourcePosition : tag?.targetPosition)
        }
        let anchors = ListOrder.anchors(positions)
        let placed = try ListOrder.fill(positions, anchors) { left, right, count in
            try newPositions(left, right, count, id, &runs, view.state)
        }
        for (index, position) in placed {
            let key = key(list.contents[index])
            try move(key, list, position, view)
        }
    }

    /// Gives a link its place in a list; its place in the list at the other end stays.
    private mutating func move(_ key: LinkKey, _ list: List, _ position: ListPosition, _ view: ObjectView) throws {
        let known = added[key]?.link
        let tag = known == nil ? try tag(key.source, key.target, list.pair, view) : nil
        if known == nil { try add(key.source, key.target, list.pair, view) }
        guard let link = added[key]?.link, let order = added[key]?.order else { return }
        let source = list.end == .source ? position : link.sourcePosition ?? tag?.sourcePosition
        let target = list.end == .target ? position : link.targetPosition ?? tag?.targetPosition
        added[key] = Placed(link: link.placed(source: source, target: target), order: order)
    }

    /// Gives a new link a place at the end of the lists in which it has none.
    private mutating func append(
        _ key: LinkKey, _ placed: Placed, _ id: TransactionID, _ runs: inout UInt32, _ view: ObjectView
    ) throws {
        guard let pair = view.schema.relationships[key.relationship], let link = added[key]?.link else { return }
        var source = link.sourcePosition
        var target = link.targetPosition
        if pair.source.isOrdered, source == nil {
            let last = try view.targetGroups(of: key.source, pair).values.compactMap(\.tag.sourcePosition).max()
            source = try newPositions(last, nil, 1, id, &runs, view.state).first
        }
        if pair.target?.isOrdered == true, target == nil {
            let last = try view.sourceGroups(of: key.target, pair).values.compactMap(\.tag.targetPosition).max()
            target = try newPositions(last, nil, 1, id, &runs, view.state).first
        }
        added[key] = Placed(link: link.placed(source: source, target: target), order: placed.order)
    }

    /// Places between two neighbours; the author's own run is extended where the left one is the end of it, or the right one its beginning.
    private func newPositions(
        _ left: ListPosition?, _ right: ListPosition?, _ count: Int, _ id: TransactionID, _ runs: inout UInt32,
        _ state: SyncState
    ) throws -> [ListPosition] {
        let before = try left.flatMap { try bounds($0, id.author, state) }
        let after = try right.flatMap { try bounds($0, id.author, state) }
        let run = ListPosition.Run(id, runs)
        runs += 1
        // Only the first of a run has nothing of it on its left.
        let isFirst = right?.steps.last?.offset == after?.lowerBound
        let positions = ListPosition.between(
            left, right, count: count, run: run, extending: before?.upperBound,
            preceding: isFirst ? after?.lowerBound : nil)
        if let first = positions.first?.steps.last, let last = positions.last {
            let known = try bounds(last, id.author, state) ?? first.offset..<first.offset
            let least = min(known.lowerBound, first.offset)
            let next = max(known.upperBound, (last.steps.last?.offset ?? 0) + 1)
            var bytes: [UInt8] = []
            StateKey.append(UInt64(bitPattern: least), count: 8, to: &bytes)
            StateKey.append(UInt64(bitPattern: next), count: 8, to: &bytes)
            state.set(bytes, for: Self.key(first.run))
        }
        return positions
    }

    /// The offsets in the run of a place that its author gave out; nil if the run is another author's.
    private func bounds(
        _ position: ListPosition, _ author: PeerID, _ state: SyncState
    ) throws -> Range<Int64>? {
        guard let run = position.steps.last?.run, run.transaction.author == author,
            let bytes = try state.value(Self.key(run)), bytes.count == 16
        else { return nil }
        let least = Int64(bitPattern: StateKey.number(bytes[..<8]))
        let next = Int64(bitPattern: StateKey.number(bytes[8...]))
        return least < next ? least..<next : nil
    }

    private static func key(_ run: ListPosition.Run) -> [UInt8] {
        var key = [StateKey.run]
        StateKey.append(run.transaction.author.rawValue, count: 8, to: &key)
        StateKey.append(run.transaction.sequence, count: 6, to: &key)
        StateKey.append(UInt64(run.number), count: 4, to: &key)
        return key
    }
}

extension SyncLink {
    func placed(source: ListPosition?, target: ListPosition?) -> SyncLink {
        SyncLink(
            relationship: relationship, source: self.source, target: self.target, replacesTargets: replacesTargets,
            replacesSources: replacesSources, sourcePosition: source, targetPosition: target)
    }
}
