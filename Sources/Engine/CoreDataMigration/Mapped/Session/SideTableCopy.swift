import CoreDataGraph

/// Takes the side table of the source store, such as the state of sync, into the destination store, and notes there which rows were made
/// of which (`RowMoves`), since the destination's rows have keys of their own.
///
/// A table with moves that were not followed yet, as between two steps of one migration, gets those from the first rows to the last.
struct SideTableCopy {
    /// How many entries are read and written at once; values may be as large as a chunk of a large value.
    private static let portion = 200

    private let session: MigrationSession
    private let from: NSPersistentStore
    private let to: NSPersistentStore
    /// The entities of the source model and of the destination model, by the numbers of records.
    private let formerEntities: [NSEntityDescription]
    private let entities: [NSEntityDescription]

    /// Nil if one of the stores has no side table.
    init?(_ session: MigrationSession) {
        guard let from = session.source.store, let to = session.destination.store, from.objects?.sideTable != nil,
            to.objects?.sideTable != nil
        else { return nil }
        (self.session, self.from, self.to) = (session, from, to)
        formerEntities = ModelLayout.of(session.source.model).entities.map(\.entity)
        entities = ModelLayout.of(session.destination.model).entities.map(\.entity)
    }

    /// - Throws: Errors of the stores.
    func run() throws {
        let first = try portion(after: nil)
        guard !first.isEmpty else { return }
        try to.changingBelowContexts { store, _ in
            guard let side = store.sideTable else { return }
            let hasMoves = try copy(first, to: side)
            if !hasMoves { try writeMoves(to: side) }
        }
    }

    private func portion(after key: [UInt8]?) throws -> [SideEntry] {
        try from.serialized {
            try from.objects?.sideTable?.sideEntries(withPrefix: [], after: key, atMost: Self.portion) ?? []
        }
    }

    /// Copies all entries, those of moves continued by this migration.
    ///
    /// - Returns: Whether there are moves.
    private func copy(_ first: [SideEntry], to side: any SideTableKeeping) throws -> Bool {
        var hasMoves = false
        var entries = first
        while let last = entries.last {
            try side.writeSideEntries(
                entries.map { entry in
                    hasMoves = hasMoves || entry == RowMoves.mark
                    guard RowMoves.source(entry.key) != nil, let value = entry.value else { return entry }
                    return SideEntry(
                        key: entry.key, value: RowMoves.value(RowMoves.destinations(value).flatMap(continued)))
                })
            entries = try portion(after: last.key)
        }
        return hasMoves
    }

    /// Where a row of the source is in the destination.
    private func continued(_ former: RowMoves.Destination) -> [RowMoves.Destination] {
        guard let entity = formerEntities.firstIndex(where: { $0.stableName == former.entity }) else { return [] }
        return destinations(of: RecordNumber(entity: entity, key: former.key))
    }

    private func destinations(of source: RecordNumber) -> [RowMoves.Destination] {
        session.associations.destinations(of: source, step: nil).saved.compactMap { number in
            guard entities.indices.contains(number.entity) else { return nil }
            return RowMoves.Destination(entity: entities[number.entity].stableName, key: number.key)
        }
    }

    private func writeMoves(to side: any SideTableKeeping) throws {
        var entries = [RowMoves.mark]
        for packed in session.associations.tables.lazy.flatMap(\.sources) {
            let source = session.associations.number(packed)
            guard formerEntities.indices.contains(source.entity) else { continue }
            let root = formerEntities[source.entity].rootEntity.stableName
            entries.append(
                SideEntry(
                    key: RowMoves.key(RowMoves.Source(root: root, key: source.key)),
                    value: RowMoves.value(destinations(of: source))))
            guard entries.count >= Self.portion else { continue }
            try side.writeSideEntries(entries)
            entries = []
        }
        try side.writeSideEntries(entries)
    }
}
