import CoreData

/// The net change of an object by a sequence of transactions, whatever its intermediate states were.
package struct NetChange {
    package let type: ChangeRecord.Kind
    package let entity: String
    /// The object's short address.
    package let objectID: String
    package let changes: [ValueChange]

    /// `{"type", "entity", "objectID", "values": {name: {"old", "new"}}}`, limited to properties for whose names
    /// `shows` returns true.
    package func json(_ shows: (String) -> Bool = { _ in true }) -> JSONValue {
        .object([
            ("type", .string("\(type)")), ("entity", .string(entity)), ("objectID", .string(objectID)),
            ("values", .object(changes.filter { shows($0.name) }.map { ($0.name, $0.json) })),
        ])
    }
}

extension NSPersistentStore {
    /// The greatest number of objects whose net changes are reported.
    private static var mostObjects: Int { 1_000 }

    /// The net changes by the transactions after `first` up to `last`; objects that are the same before and after are
    /// left out.
    ///
    /// If more than 1,000 objects were changed, the others are ignored and `isComplete` is false.
    /// - Throws: `InspectionError` of code `noHistory` if old values are not recorded for all these transactions,
    ///   `badValue` for numbers in the wrong order.
    package func netChanges(
        after first: Int64, through last: Int64
    ) throws -> (changes: [NetChange], isComplete: Bool) {
        guard first < last else {
            throw InspectionError(
                .badValue, subject: "\(first)-\(last)", cause: "the first transaction does not come before the last")
        }
        guard let values = TransactionValues(from: first, to: last, in: self) else {
            throw InspectionError(
                .noHistory, subject: place.path, cause: "old values are not kept of all these transactions",
                hint: "only what is saved while former values are kept can be compared")
        }
        var filter = HistoryFilter()
        filter.after = .number(first)
        if last < .max { filter.before = .number(last + 1) }
        var touched: [HistoryEntry] = []
        var seen: Set<String> = []
        var isComplete = true
        try readHistory(filter) { part in
            guard case .change(let entry) = part, let name = entry.objectID, !seen.contains(name) else { return }
            guard touched.count < Self.mostObjects else {
                isComplete = false
                return
            }
            seen.insert(name)
            touched.append(entry)
        }
        return (touched.compactMap { $0.netChange(values) }, isComplete)
    }
}

extension HistoryEntry {
    /// The net change of the object between two states; nil if it is the same in both, or exists in neither.
    fileprivate func netChange(_ values: TransactionValues) -> NetChange? {
        guard let identifier, let objectID, let entity else { return nil }
        let (existed, exists) = values.presence(of: identifier)
        let kind: ChangeRecord.Kind
        switch (existed, exists) {
        case (false, false): return nil
        case (false, true): kind = .insert
        case (true, false): kind = .delete
        case (true, true): kind = .update
        }
        let all = values.changes(of: identifier, nil)
        let changes = kind == .update ? all.filter(\.isReal) : all
        guard kind != .update || !changes.isEmpty else { return nil }
        return NetChange(type: kind, entity: entity, objectID: objectID, changes: changes)
    }
}
