import CoreData

/// One change of a transaction, with names of the store's model in place of its stored numbers.
package struct HistoryEntry {
    private let change: HistoryChange
    private let details: HistoryChangeDetails?
    private let values: TransactionValues?

    /// `values` reads the values before and after the change's transaction; nil if they are not wanted or not known.
    init(_ change: HistoryChange, properties: [HistoryProperties], values: TransactionValues? = nil) {
        self.change = change
        self.values = values
        details = change.address.map {
            HistoryChangeDetails(change, address: $0, properties: properties[$0.layout.number])
        }
    }

    /// `insert`, `update` or `delete`.
    package var type: String { "\(change.kind)" }

    package var kind: ChangeRecord.Kind { change.kind }

    /// The name of the object's entity; nil if the model does not have the entity.
    package var entity: String? { change.address?.layout.entity.name }

    /// The object's short address, `Entity/p1`; nil if the entity is not known.
    package var objectID: String? { change.address.map { "\(entity ?? "")/p\($0.key)" } }

    /// The object's identifier; nil where the entity is not known.
    var identifier: NSManagedObjectID? { change.address?.objectID }

    /// The names of the properties that an update changed; empty for insertions and deletions, and if the names are not
    /// known.
    package var updatedProperties: [String] { details?.updatedNames ?? [] }

    /// The values retained of a deleted object, by the names of their attributes.
    package var tombstone: [(name: String, reading: PropertyReading)] {
        guard let values = details?.tombstone, let entity = change.address?.layout.entity else { return [] }
        let attributes = entity.attributesByName
        return values.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { name, value in
            (name, .value(value, attributes[name].map { AttributeKind($0) } ?? .undefined))
        }
    }

    /// The changed values of the object, if the history records old values; else nil.
    package var valueChanges: [ValueChange]? {
        guard let values, let identifier = change.address?.objectID else { return nil }
        return values.changes(of: identifier, kind == .update ? updatedProperties : nil)
    }

    /// `{"type", "entity", "objectID", "updatedProperties", "tombstone"}`, and `"values": {name: {"old", "new"}}` if
    /// the values are known.
    package var json: JSONValue { json { _ in true } }

    /// The same, limited to properties for whose names `shows` returns true.
    package func json(_ shows: (String) -> Bool) -> JSONValue {
        var members: [(String, JSONValue)] = [
            ("type", .string(type)), ("entity", .text(entity)), ("objectID", .text(objectID)),
            ("updatedProperties", .array(updatedProperties.filter(shows).map { .string($0) })),
            ("tombstone", .object(tombstone.filter { shows($0.name) }.map { ($0.name, $0.reading.json) })),
        ]
        if let valueChanges {
            members.append(("values", .object(valueChanges.filter { shows($0.name) }.map { ($0.name, $0.json) })))
        }
        return .object(members)
    }
}
