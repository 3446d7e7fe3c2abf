import CoreDataStore

/// Copies a store by the rows of its tables, with their keys; a copy that was interrupted resumes after the rows
/// already copied.
///
/// At most one row is in memory at a time, and only a part of a large value, besides the buffers of source and target.
package struct TableCopy {
    let source: any TableSource
    let target: any TableTarget
    private let tables: [CopiedTable]

    package init(from source: any TableSource, to target: any TableTarget) {
        self.source = source
        self.target = target
        tables = CopiedTable.all(of: source.schema)
    }

    /// Opens a store as the source, and the location of its copy as the target.
    ///
    /// - Throws: if either cannot be opened.
    package init(
        of model: NSManagedObjectModel, from kind: any TableCopying.Type, at store: URL,
        to targetKind: any TableCopying.Type, at place: URL
    ) throws {
        let source = try kind.tableSource(at: store, of: model)
        do {
            self.init(from: source, to: try targetKind.tableTarget(at: place, for: model))
        } catch {
            source.close()
            throw error
        }
    }

    /// Closes both sides.
    package func close() {
        target.close()
        source.close()
    }

    /// Returns what the copy must know about the source's history; nil if the source keeps none.
    package func history() throws -> CopiedHistory? { try source.history() }

    /// Removes what an unfinished copy has left at the target's location.
    package func discardTarget() throws { try target.discard() }

    /// A value of the source that a kind of store cannot store.
    package struct Refusal {
        package let entity: String
        package let key: Int64
        package let attribute: String
        package let value: String
        package let reason: String
    }

    /// Passes each value that stores of `kind` cannot store to `body`; called before anything is written.
    package func refusals(
        by kind: any TableCopying.Type, _ body: (Refusal) -> Void
    ) throws {
        for table in tables where !table.doubtful.isEmpty && table.keys.count == 1 {
            let columns = table.doubtful
            try source.readDoubtful(table, columns: columns) { row in
                for (place, column) in columns.enumerated() {
                    let value = row[place + 2]
                    guard value.tag != RowTag.null,
                        let reason = kind.refusal(of: value, in: table.columns[column].type)
                    else { continue }
                    let (entity, attribute) = names(table, column: column, number: row[1].integer)
                    body(
                        Refusal(
                            entity: entity, key: row[0].integer, attribute: attribute, value: Self.text(value),
                            reason: reason))
                }
            }
        }
    }

    /// Passes each large value of the source that cannot be read to `body`; called before anything is written.
    package func unreadableValues(
        _ body: (_ entity: String, _ key: Int64, _ attribute: String, _ reason: String) -> Void
    ) throws {
        for table in tables where table.isLarge.contains(true) && table.keys.count == 1 {
            try source.readUnreadable(table) { key, number, column, reason in
                let (entity, attribute) = names(table, column: column, number: number)
                body(entity, key, attribute, reason)
            }
        }
    }

    /// Returns the names of the entity with a number, and of the attribute in a column of its table, for messages.
    private func names(_ table: CopiedTable, column: Int, number: Int64) -> (entity: String, attribute: String) {
        let entity = source.schema.entity(number: Int(truncatingIfNeeded: number))
        let name = table.columns[column].name
        let attribute = entity?.attributes.first { $0.column == name }
        return (
            entity?.name ?? source.schema.tables[table.number].name,
            attribute.map { ([$0.name] + $0.elementPath).joined(separator: ".") } ?? name
        )
    }

    private static func text(_ value: StoredValue) -> String {
        switch value.tag {
        case RowTag.integer: "\(value.integer)"
        case RowTag.real: "\(value.real)"
        default: String(decoding: value.bytes, as: UTF8.self)
        }
    }

    /// Copies all rows, then makes the target a store.
    ///
    /// `progress` is called from time to time with the number of rows and transactions copied so far, and with their
    /// total.
    /// - Parameters:
    ///   - leavingOutUnreadable: whether large values that cannot be read become null; otherwise the copy fails.
    ///   - history: the history to copy, from `history()`; nil to copy none.
    package func run(
        named name: String, leavingOutUnreadable: Bool = false, history: CopiedHistory? = nil,
        progress: (Int, Int) -> Void
    ) throws {
        source.leavesOutUnreadableValues = leavingOutUnreadable
        let states = try tables.map { try source.state(of: $0) }
        let total = states.reduce(history?.count ?? 0) { $0 + $1.count }
        let identity = source.metadata[NSStoreUUIDKey] as? String ?? ""
        let recorded = history.map { ["with history", $0.state] } ?? []
        let origin = CopyOrigin(name: name, state: ([identity] + states.map(\.sum) + recorded).joined(separator: " "))
        let begun = try target.begin(origin, schema: source.schema, keys: source.primaryKeys())
        var done = states.prefix(begun.table).reduce(0) { $0 + $1.count }
        for table in tables.dropFirst(begun.table) {
            var place = CopyPlace(table: table.number, keys: table.number == begun.table ? begun.keys : [])
            var count = 0
            repeat {
                (place, count) = try add(to: table, after: place)
                done += count
                progress(min(done, total), total)
            } while count == table.portion
        }
        let place = CopyPlace(table: tables.count, keys: begun.table == tables.count ? begun.keys : [])
        let extent =
            try begun.table > tables.count
            ? nil
            : history.map { history in
                try copyHistory(history, after: place) {
                    done += $0
                    progress(min(done, total), total)
                }
            }
        try target.finish(source.metadata, history: extent)
    }

    private func add(to table: CopiedTable, after place: CopyPlace) throws -> (CopyPlace, Int) {
        var count = 0
        var reached = place
        try target.add(to: table) { put in
            var last: (Int64, Int64) = (0, 0)
            let keys = (table.keys.first ?? 0, table.keys.last ?? 0)
            try source.readRows(of: table, after: place.keys, limit: table.portion) { row in
                try put(row)
                last = (row.values[keys.0].integer, row.values[keys.1].integer)
                count += 1
            }
            if count > 0 { reached.keys = table.keys.count == 1 ? [last.0] : [last.0, last.1] }
            return reached
        }
        return (reached, count)
    }
}
