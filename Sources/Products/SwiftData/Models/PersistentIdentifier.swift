import CoreDataGraph
import Foundation

/// Identifies a model across contexts, and across runs of the program once the model is saved.
///
/// May be passed to any thread. Its coded form is the URI of the record.
public struct PersistentIdentifier: Hashable, Comparable, Codable, Sendable, Identifiable {
    private enum Place {
        case record(NSManagedObjectID)
        case uri(URL)
        case detached(DetachedIdentifier, entityName: String)
    }

    private let place: Place

    /// Makes the identifier of a managed object, which is that of its model.
    public init(_ objectID: NSManagedObjectID) {
        // A store of one's own names its records itself.
        if let store = objectID.persistentStore as? NSIncrementalStore,
            let given = (store as? any RecordNaming)?.identifier(of: objectID)
        {
            self = given
        } else {
            place = .record(objectID)
        }
    }

    init(detached identifier: DetachedIdentifier, entityName: String) {
        place = .detached(identifier, entityName: entityName)
    }

    private init(uri: URL) { place = .uri(uri) }

    /// The URI of the record, which is expensive to make.
    private var text: String {
        switch place {
        case .record(let objectID): objectID.uriRepresentation().absoluteString
        case .uri(let uri): uri.absoluteString
        case .detached(let identifier, let name):
            "x-coredata:///\(name)/m\(UInt(bitPattern: ObjectIdentifier(identifier)))"
        }
    }

    /// The identifier itself.
    public var id: PersistentIdentifier { self }

    /// The name of the model's entity.
    public var entityName: String {
        switch place {
        case .record(let objectID): objectID.entity.name ?? ""
        case .uri(let uri): uri.pathComponents.dropFirst().first ?? ""
        case .detached(_, let name): name
        }
    }

    /// The identifier of the store; nil until the model is saved.
    public var storeIdentifier: String? {
        isTemporary ? nil : URL(string: text)?.host()
    }

    /// Whether the model was not saved.
    public var isTemporary: Bool {
        switch place {
        case .record(let objectID): objectID.isTemporaryID
        case .uri: false
        case .detached: true
        }
    }

    /// Makes the identifier of a record, by its store, its entity and its number there.
    ///
    /// - Throws: `SwiftDataError.unsupportedKeyPath` for names that no identifier can have.
    public static func identifier<Key: Encodable>(
        for storeIdentifier: String, entityName: String, primaryKey: Key
    ) throws -> PersistentIdentifier {
        guard let uri = URL(string: "x-coredata://\(storeIdentifier)/\(entityName)/p\(primaryKey)") else {
            throw SwiftDataError.missingModelContext.stating("'\(entityName)' cannot be part of an identifier.")
        }
        return PersistentIdentifier(uri: uri)
    }

    /// The identifier in a coordinator's terms; nil if it is of another store, or of a model that is in no context.
    func objectID(in coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectID? {
        switch place {
        case .record(let objectID) where objectID.persistentStore?.persistentStoreCoordinator === coordinator: objectID
        case .record(let objectID) where objectID.isTemporaryID: objectID
        case .detached: nil
        default: inserted(in: coordinator) ?? URL(string: text).flatMap(coordinator.managedObjectID)
        }
    }

    /// The record that was inserted into a store of one's own, and was given this identifier by the store.
    private func inserted(in coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectID? {
        coordinator.persistentStores.lazy.compactMap { ($0 as? any RecordNaming)?.record(with: self) }.first
    }

    public static func == (one: Self, other: Self) -> Bool {
        switch (one.place, other.place) {
        case (.record(let one), .record(let other)): one == other
        case (.detached(let one, _), .detached(let other, _)): one === other
        default: one.text == other.text
        }
    }

    /// The number of the record in its store, by which a record and its URI have one hash value.
    public func hash(into hasher: inout Hasher) {
        switch place {
        case .record(let objectID) where objectID.isTemporaryID || objectID.namesItselfByKey:
            hasher.combine(objectID.key)
        case .detached(let identifier, _): hasher.combine(ObjectIdentifier(identifier))
        default: hasher.combine(text.split(separator: "/").last.flatMap { Int64($0.dropFirst()) } ?? 0)
        }
    }

    public static func < (one: Self, other: Self) -> Bool {
        if case .record(let one) = one.place, case .record(let other) = other.place, one.namesItselfByKey,
            other.namesItselfByKey, one.persistentStore === other.persistentStore, one.entity === other.entity
        {
            return one.key < other.key
        }
        return one.text.compare(other.text, options: .numeric) == .orderedAscending
    }

    public func encode(to encoder: any Encoder) throws {
        guard !isTemporary else {
            throw EncodingError.invalidValue(
                self, .init(codingPath: encoder.codingPath, debugDescription: "the model was not saved"))
        }
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let uri = URL(string: try container.decode(String.self)), uri.scheme == "x-coredata" else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no identifier of a model")
        }
        self.init(uri: uri)
    }
}

extension NSManagedObjectID {
    /// Whether the URI has the key: it is saved, in an open store of the library.
    fileprivate var namesItselfByKey: Bool {
        guard !isTemporaryID, let persistentStore else { return false }
        return !(persistentStore is NSIncrementalStore)
    }
}

/// A store that gives records identifiers of its own when it saves them.
protocol RecordNaming: AnyObject {
    /// The identifier that the store has given a record which was inserted here; nil for others.
    func identifier(of record: NSManagedObjectID) -> PersistentIdentifier?
    /// The record that was inserted here and has an identifier now; nil for others.
    func record(with identifier: PersistentIdentifier) -> NSManagedObjectID?
}
