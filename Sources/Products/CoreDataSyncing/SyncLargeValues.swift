import CoreDataModeling
import CoreDataStore
import CoreDataSync
import Foundation

/// When the bytes of large values come to a store: with the changes that name them, or when the program asks for them.
///
/// A value that comes on demand does not hold up what peers changed: until it is fetched the attribute has nil, or the value from before,
/// and the status lists it. Saves of other attributes leave it as it is; one that gives the attribute another value replaces it.
/// Attributes that may not be nil come at once.
public struct SyncLargeValues: Sendable, Hashable {
    /// The entities and attributes that come on demand; nil for all.
    let names: [String]?

    /// Large values come with the changes that name them.
    public static let atOnce = SyncLargeValues(names: [])
    /// All large values come when they are fetched.
    public static let onDemand = SyncLargeValues(names: nil)

    /// Some large values come when they are fetched, and the others at once.
    ///
    /// - Parameter names: Entities (`Photo`) and attributes (`Photo.original`); elements of composites have paths (`Photo.place.map`).
    public static func onDemand(of names: [String]) -> SyncLargeValues {
        SyncLargeValues(names: Array(Set(names)).sorted())
    }

    // MARK: In the store

    private init(names: [String]?) { self.names = names }

    init(bytes: [UInt8]?) {
        let text = String(decoding: bytes ?? [], as: UTF8.self)
        names = text == "*" ? nil : text.split(separator: "\n").map(String.init)
    }

    /// The bytes that the store keeps; none for what comes at once.
    var bytes: [UInt8] { Array((names?.joined(separator: "\n") ?? "*").utf8) }

    // MARK: In a model

    /// - Throws: `SyncError` with the code `model` for a name that the model lacks, or that is of no large values.
    func check(_ mapping: ModelMapping) throws {
        for name in names ?? []
        where !mapping.entities.contains(where: { entity in
            entity.attributes.contains { Self.isLarge($0) && Self.contains([name], entity, $0) }
        }) {
            throw SyncError(
                .model, "'\(name)' has no large values that could come on demand.",
                cure: "Name an entity or an optional attribute of texts, URIs, data or archives that no rule compares.")
        }
    }

    /// The attributes whose large values come on demand.
    func attributes(_ mapping: ModelMapping) -> Set<SchemaID> {
        var found: Set<SchemaID> = []
        for entity in mapping.entities {
            for attribute in entity.attributes where Self.isLarge(attribute) {
                if Self.contains(names, entity, attribute) { found.insert(attribute.id) }
            }
        }
        return found
    }

    private static func isLarge(_ attribute: AttributeMapping) -> Bool {
        attribute.isCut && attribute.declared.isOptional && attribute.attribute.isOptional
            && [.string, .uri, .binary, .transformable].contains(attribute.kind)
    }

    private static func contains(_ names: [String]?, _ entity: EntityMapping, _ attribute: AttributeMapping) -> Bool {
        guard let names else { return true }
        return names.contains { $0 == entity.name || $0 == "\(entity.name).\(attribute.name)" }
    }
}
