import CoreData
import CoreDataTestSupport
import SQLiteKit
import Testing

/// One change of every kind in a store: of each entity one object is changed and one inserted, and one of them all is
/// deleted that nothing else hangs on.
final class Edit {
    /// Row ids by table that may differ afterwards.
    private(set) var touched: [String: Set<Int64>] = [:]
    /// Row ids by table of objects that had the deleted one among their members.
    private(set) var partners: [String: Set<Int64>] = [:]
    let joinTables: Set<String>
    private var changed: [NSManagedObject] = []
    private var inserted: [NSManagedObject] = []
    private var deleted: NSManagedObjectID?

    init(_ open: OpenStore) throws {
        joinTables = Set(
            try open.store.catalogDescription.filter { $0.kind == "table" && $0.name.hasPrefix("Z_") }.map(\.name))
        for entity in open.model.entities where !entity.isAbstract {
            let objects = try open.fetch(try #require(entity.name), includesSubentities: false)
            if let first = objects.first, Filling.change(first) {
                changed.append(first)
                touch(first)
            }
            let object = NSEntityDescription.insertNewObject(forEntityName: entity.name ?? "", into: open.context)
            Filling.fill(object, seed: entity.name?.count ?? 0)
            inserted.append(object)
        }
        for object in inserted { fillRelationships(object) }
        delete(in: open)
    }

    /// What each changed and inserted object is expected to be, as text, by URI.
    func expectations() throws -> [URL: String] {
        for object in inserted { touch(object) }
        #expect(inserted.allSatisfy { !$0.objectID.isTemporaryID })
        return Dictionary(
            uniqueKeysWithValues: (changed + inserted).map { ($0.objectID.uriRepresentation(), Self.text(of: $0)) })
    }

    func check(_ expected: [URL: String], _ open: OpenStore) throws {
        for (uri, text) in expected {
            let id = try #require(open.coordinator.managedObjectID(forURIRepresentation: uri))
            #expect(Self.text(of: try open.context.existingObject(with: id)) == text)
        }
        guard let deleted else { return }
        let id = try #require(open.coordinator.managedObjectID(forURIRepresentation: deleted.uriRepresentation()))
        #expect(throws: (any Error).self) { try open.context.existingObject(with: id) }
    }

    private func touch(_ object: NSManagedObject) {
        touched[RawStore.table(object.entity), default: []].insert(object.key)
    }

    /// Gives mandatory to-one relationships a target, and to-many ones that ask for members a new one.
    private func fillRelationships(_ object: NSManagedObject) {
        for (name, relationship) in object.entity.relationshipsByName where relationship.isToMany {
            guard relationship.minCount > 0, object.members(name).isEmpty, let context = object.managedObjectContext,
                let wanted = relationship.destinationEntity?.name
            else { continue }
            let member = NSEntityDescription.insertNewObject(forEntityName: wanted, into: context)
            Filling.fill(member, seed: 7)
            object.setValue([member], forKey: name)
            inserted.append(member)
        }
        for (name, relationship) in object.entity.relationshipsByName
        where !relationship.isToMany && !relationship.isOptional {
            guard object.value(forKey: name) == nil, let wanted = relationship.destinationEntity,
                let target = inserted.first(where: { $0.entity.isKindOf(entity: wanted) })
            else { continue }
            object.setValue(target, forKey: name)
        }
    }

    /// Deletes an object that has no others, so that no row of another table changes.
    private func delete(in open: OpenStore) {
        for entity in open.model.entities {
            let objects = (try? open.fetch(entity.name ?? "", includesSubentities: false)) ?? []
            let victim = objects.last { object in
                !object.isInserted && !changed.contains { $0 === object } && isAlone(object, open)
            }
            guard let victim else { continue }
            deleted = victim.objectID
            touch(victim)
            for name in victim.entity.relationshipsByName.keys {
                guard let partner = victim.value(forKey: name) as? NSManagedObject else { continue }
                partners[RawStore.table(partner.entity), default: []].insert(partner.key)
            }
            return open.context.delete(victim)
        }
    }

    private func isAlone(_ object: NSManagedObject, _ open: OpenStore) -> Bool {
        object.entity.relationshipsByName.allSatisfy { name, relationship in
            if relationship.isToMany { return object.members(name).isEmpty }
            guard object.value(forKey: name) != nil else { return true }
            // The row of a one-to-one partner would change, and that of an owner whose members are counted.
            let counted =
                (relationship.destinationEntity?.attributesByName.values.contains {
                    $0 is NSDerivedAttributeDescription
                }) ?? false
            return relationship.inverseRelationship?.isToMany == true && !counted
                && relationship.deleteRule != .cascadeDeleteRule
        }
    }

    private static func text(of object: NSManagedObject) -> String {
        object.entity.attributesByName.filter { !$0.value.isTransient && !($0.value is NSDerivedAttributeDescription) }
            .sorted { $0.key < $1.key }
            .map { "\($0.key)=\(object.value(forKey: $0.key).map { "\($0)" } ?? "nil")" }.joined(separator: ";")
    }
}

/// Values that fit attributes, for objects that nobody cares about.
enum Filling {
    /// Transformers of the programs that some of the stores come from; here they keep bytes as they are.
    private static let ownTransformers = ["CoverTransformer", "ContentTransformer"]

    private final class KeepingTransformer: ValueTransformer {
        override class func allowsReverseTransformation() -> Bool { true }
    }

    static func registerTransformers() {
        for name in ownTransformers {
            ValueTransformer.setValueTransformer(KeepingTransformer(), forName: NSValueTransformerName(name))
        }
    }

    static func fill(_ object: NSManagedObject, seed: Int) {
        for (name, attribute) in object.entity.attributesByName
        where !attribute.isTransient && !(attribute is NSDerivedAttributeDescription) {
            if let value = value(for: attribute, seed) { object.setValue(value, forKey: name) }
        }
    }

    /// Gives one attribute another value; false when there is none that can have one.
    static func change(_ object: NSManagedObject) -> Bool {
        for (name, attribute) in object.entity.attributesByName.sorted(by: { $0.key < $1.key })
        where !attribute.isTransient && !(attribute is NSDerivedAttributeDescription) {
            guard let value = value(for: attribute, 77) else { continue }
            object.setValue(value, forKey: name)
            return true
        }
        return false
    }

    private static func value(for attribute: NSAttributeDescription, _ seed: Int) -> Any? {
        switch attribute.attributeType {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType: NSNumber(value: seed % 50 + 1)
        case .booleanAttributeType: true
        case .doubleAttributeType, .floatAttributeType: NSNumber(value: Double(seed % 50) + 0.5)
        case .decimalAttributeType: NSDecimalNumber(string: "12.34")
        case .stringAttributeType: "Größe \(attribute.name) \(UUID().uuidString)"
        case .dateAttributeType: Date(timeIntervalSinceReferenceDate: 700_000_000.25 + Double(seed))
        case .binaryDataAttributeType: Data([0, 1, 2, UInt8(truncatingIfNeeded: seed)])
        case .UUIDAttributeType: UUID()
        case .URIAttributeType: URL(string: "https://example.org/\(seed)?q=1")
        case .transformableAttributeType where attribute.valueTransformerName.map(ownTransformers.contains) == true:
            Data("any bytes".utf8)
        default: nil
        }
    }
}
