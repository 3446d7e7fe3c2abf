import CoreDataGraph
import Foundation

/// The values of a model by the names of its properties, in a form that any encoder can write.
public struct DefaultSnapshot: DataStoreSnapshot, Hashable {
    public let persistentIdentifier: PersistentIdentifier
    let values: [String: SnapshotValue]

    private init(_ persistentIdentifier: PersistentIdentifier, _ values: [String: SnapshotValue]) {
        self.persistentIdentifier = persistentIdentifier
        self.values = values
    }

    /// Copies the values of a model. Stops for values that the library has not made.
    public init(
        from backingData: any BackingData,
        relatedBackingDatas: inout [PersistentIdentifier: any BackingData]
    ) {
        guard let record = (backingData as? any RecordBacked)?.record else {
            stop("A snapshot can be made of the values of a model in a context only.")
        }
        self.init(
            PersistentIdentifier(record.objectID),
            Dictionary(uniqueKeysWithValues: record.plan.properties.map { ($0.name, $0.snapshotValue(of: record)) }))
    }

    public func copy(
        persistentIdentifier: PersistentIdentifier,
        remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]?
    ) -> DefaultSnapshot {
        DefaultSnapshot(persistentIdentifier, values.mapValues { $0.remapped(remappedIdentifiers ?? [:]) })
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: DataStoreSnapshotCodingKey.self)
        try container.encode(persistentIdentifier, forKey: .persistentIdentifier)
        for (name, value) in values where value != .none { try container.encode(value, forKey: .modeledProperty(name)) }
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: DataStoreSnapshotCodingKey.self)
        var values: [String: SnapshotValue] = [:]
        for case .modeledProperty(let name) in container.allKeys {
            values[name] = try container.decode(SnapshotValue.self, forKey: .modeledProperty(name))
        }
        self.init(try container.decode(PersistentIdentifier.self, forKey: .persistentIdentifier), values)
    }
}

/// Values that a record has.
protocol RecordBacked {
    var record: ModelRecord? { get }
}

extension StoredBackingData: RecordBacked {
    var record: ModelRecord? { storage.record }
}

extension PropertyPlan {
    /// The value of a record's property for a snapshot.
    fileprivate func snapshotValue(of record: ModelRecord) -> SnapshotValue {
        switch kind {
        case .toOne:
            let target: ModelRecord? = record.toOne(number)
            return target.map { .model(PersistentIdentifier($0.objectID)) } ?? .none
        case .toMany:
            let targets: [ModelRecord] = record.toMany(number)
            return .models(targets.map { PersistentIdentifier($0.objectID) }.sorted())
        case .composite(let plan):
            return (record.value(forKey: name) as? [String: Any]).map(plan.snapshotValue) ?? .none
        case .simple(let type):
            return SnapshotValue(stored: record.value(forKey: name), of: type.attributeType) ?? .none
        case .encoded: return SnapshotValue(stored: record.value(forKey: name), of: .binaryData) ?? .none
        case .transformed(let transformer):
            guard let value = record.value(forKey: name) else { return .none }
            return transformed(value, transformer).map(SnapshotValue.bytes) ?? .none
        case .unsupported: return .none
        }
    }

    private func transformed(_ value: Any, _ transformer: String?) -> Data? {
        guard let transformer else { return (value as? any Encodable).flatMap { try? StoredJSON.encode($0) } }
        return ValueTransformer(forName: NSValueTransformerName(transformer))?.transformedValue(value) as? Data
    }

    /// The value of a record's property in the form that key-value coding has it in, from that of a snapshot.
    ///
    /// - Parameter objectID: returns the identifier of a record.
    func storedValue(_ value: SnapshotValue, _ objectID: (PersistentIdentifier) -> NSManagedObjectID?) -> Any? {
        switch (kind, value) {
        case (.toOne, .model(let identifier)): return objectID(identifier) ?? NSNull()
        case (.toOne, _): return NSNull()
        case (.toMany, .models(let identifiers)): return identifiers.compactMap(objectID)
        case (.toMany, _): return [NSManagedObjectID]()
        case (.composite(let plan), .members(let members)): return plan.storedValue(members)
        case (.simple(let type), _): return value.stored(as: type.attributeType)
        case (.encoded, _): return value.stored(as: .binaryData)
        case (.transformed(let transformer?), .bytes(let bytes)):
            return ValueTransformer(forName: NSValueTransformerName(transformer))?.reverseTransformedValue(bytes)
        case (.transformed(nil), .bytes(let bytes)):
            let type = (valueType as? any OptionalType.Type)?.wrapped ?? valueType
            return (type as? any Decodable.Type).flatMap { try? $0.decoded(from: bytes) }
        default: return nil
        }
    }
}

extension CompositePlan {
    fileprivate func snapshotValue(_ stored: [String: Any]) -> SnapshotValue {
        var members: [String: SnapshotValue] = [:]
        for element in elements {
            guard let value = stored[element.name], !(value is NSNull) else { continue }
            switch element.kind {
            case .composite(let plan): members[element.name] = (value as? [String: Any]).map(plan.snapshotValue)
            case .simple(let type): members[element.name] = SnapshotValue(stored: value, of: type.attributeType)
            default: members[element.name] = SnapshotValue(stored: value, of: .binaryData)
            }
        }
        return .members(members)
    }

    fileprivate func storedValue(_ members: [String: SnapshotValue]) -> [String: Any] {
        var stored: [String: Any] = [:]
        for element in elements {
            switch (element.kind, members[element.name]) {
            case (_, nil): continue
            case (.composite(let plan), .members(let inner)): stored[element.name] = plan.storedValue(inner)
            case (.simple(let type), let value?): stored[element.name] = value.stored(as: type.attributeType)
            case (_, let value?): stored[element.name] = value.stored(as: .binaryData)
            }
        }
        return stored
    }
}
