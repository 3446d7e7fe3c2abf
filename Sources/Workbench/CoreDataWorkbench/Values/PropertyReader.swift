import CoreData

/// The result of reading a property.
package enum PropertyReading {
    case null
    case value(Any, AttributeKind)
    case object(NSManagedObjectID)
    case objects([NSManagedObjectID], isOrdered: Bool)
    case text(String)
    /// The stored value does not have the attribute's type, or the record no longer exists.
    case unreadable(String)
}

/// Reads properties of a context's objects and reports values that cannot be read.
///
/// For an unreadable value the library returns nil and calls the context's `dataErrorHandler`, which the reader sets.
package final class PropertyReader {
    private var failures: [String] = []

    package init(_ context: NSManagedObjectContext) {
        context.dataErrorHandler = { [weak self] error, _ in self?.failures.append(ErrorText.line(for: error)) }
    }

    /// The value of an attribute, or the identifiers of the objects in a relationship.
    package func read(_ property: NSPropertyDescription, of object: NSManagedObject) -> PropertyReading {
        failures = []
        do {
            let value = try object.codedValue(forKey: property.name)
            if let failure = failures.first { return .unreadable(failure) }
            return PropertyReading(value, of: property)
        } catch {
            return .unreadable(ErrorText.line(for: error))
        }
    }

    /// The object that a to-one relationship leads to.
    func target(of relationship: NSRelationshipDescription, from object: NSManagedObject) -> NSManagedObject? {
        (try? object.codedValue(forKey: relationship.name)) as? NSManagedObject
    }
}

extension PropertyReading {
    /// The reading of a value of a property.
    package init(_ value: Any?, of property: NSPropertyDescription) {
        switch (value, property) {
        case (nil, let relationship as NSRelationshipDescription) where relationship.isToMany:
            self = .objects([], isOrdered: relationship.isOrdered)
        case (nil, _): self = .null
        case (let value?, let attribute as NSAttributeDescription): self = .value(value, AttributeKind(attribute))
        case (let target as NSManagedObject, _): self = .object(target.objectID)
        case (let set as NSOrderedSet, _): self = .objects(Self.ids(set.array), isOrdered: true)
        case (let set as NSSet, _):
            self = .objects(Self.ids(set.allObjects).sorted(by: Self.precedes), isOrdered: false)
        case (let list as [Any], _): self = .objects(Self.ids(list), isOrdered: true)
        default: self = .null
        }
    }

    private static func ids(_ objects: [Any]) -> [NSManagedObjectID] {
        objects.compactMap { ($0 as? NSManagedObject)?.objectID }
    }

    private static func precedes(_ left: NSManagedObjectID, _ right: NSManagedObjectID) -> Bool {
        (left.entity.name ?? "", left.key) < (right.entity.name ?? "", right.key)
    }

    /// Whether two readings have equal values; false if one is unreadable.
    package func isSame(as other: PropertyReading) -> Bool {
        switch (self, other) {
        case (.unreadable, _), (_, .unreadable): false
        case (.null, .null): true
        case (.null, _), (_, .null): false
        case (.value(let one as Data, _), .value(let other as Data, _)): one == other
        case (.object(let one), .object(let two)): one == two
        case (.objects(let ones, _), .objects(let others, _)): ones == others
        default: JSONWriter.line(json).utf8.elementsEqual(JSONWriter.line(other.json).utf8)
        }
    }
}

extension PropertyReading {
    /// The element of a composite value at the end of a path of names.
    package func element(at path: [String], as kind: AttributeKind) -> PropertyReading {
        switch self {
        case .value(let value, .composite):
            let element = (value as? [String: Any]).flatMap { CompositeCoding.value(at: path, in: $0) }
            return element.map { $0 is NSNull ? .null : .value($0, kind) } ?? .null
        case .unreadable: return self
        default: return .null
        }
    }

    /// The reading as JSON: identifiers are URIs; what cannot be read is null.
    package var json: JSONValue {
        switch self {
        case .null, .unreadable: .null
        case .value(let value, let kind): ValueCoding.json(value, kind)
        case .object(let id): .string(id.uri)
        case .objects(let ids, _): .array(ids.map { .string($0.uri) })
        case .text(let text): .string(text)
        }
    }
}

extension PropertyReading {
    /// The complete reading in one line; nil for null and for an unreadable value.
    package var text: String? {
        switch self {
        case .null, .unreadable: nil
        case .value(let value, let kind): ValueCoding.text(value, kind)
        case .object(let id): id.uri
        case .objects(let ids, _): ids.map(\.uri).joined(separator: " ")
        case .text(let text): text
        }
    }
}

extension NSManagedObjectID {
    /// The identifier's URI as text.
    package var uri: String {
        // Making a URL would be most of the cost of printing an object, and plain names need no escaping.
        guard let name = entity.name, name.utf8.allSatisfy(Self.isPlain), !isTemporaryID,
            let store = persistentStore?.identifier, store.utf8.allSatisfy(Self.isPlain)
        else { return uriRepresentation().absoluteString }
        return "x-coredata://\(store)/\(name)/p\(key)"
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    /// The identifier without the store: `Book/p7`.
    package var shortText: String { "\(entity.name ?? "")/p\(key)" }
}
