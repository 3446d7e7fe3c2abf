import CoreDataModeling
import Foundation

/// The part of the objects that a store keeps: entities, and of each the objects that a predicate holds for.
///
/// What leaves the part is removed from this store and from no other. Relationships to objects outside of it are empty here, and keep their
/// meaning at the peers.
///
/// ```swift
/// import CoreDataSyncing
///
/// var part = SyncPart()
/// part.keep("Hero", where: NSPredicate(format: "level > 3"))
/// part.keep("Team")
/// var options = SyncOptions()
/// options.part = part
/// ```
public struct SyncPart: Sendable, Hashable {
    /// The texts of the predicates by entity.
    var formats: [String: String] = [:]
    /// Whether the part is all there is.
    let isWhole: Bool

    /// Makes a part without objects.
    public init() { isWhole = false }

    private init(whole: Void) { isWhole = true }

    /// All objects of all entities.
    public static let everything = SyncPart(whole: ())

    /// Keeps the objects of an entity, and of its subentities unless these are named themselves.
    ///
    /// - Parameter predicate: A predicate over attributes of the object itself that are synced; nil for all objects. It may not depend on
    ///   the time, nor be a block: the store keeps its text, so that every program keeps the same part.
    public mutating func keep(_ entity: String, where predicate: NSPredicate? = nil) {
        formats[entity] = predicate?.formatString ?? "TRUEPREDICATE"
    }
}

extension SyncPart {
    /// The part as a store keeps it; empty for all objects.
    var bytes: [UInt8] {
        guard !isWhole else { return [] }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(formats)).map { Array($0) } ?? []
    }

    /// Reads what `bytes` gives.
    ///
    /// - Throws: `SyncError` with the code `damagedState`.
    init(bytes: [UInt8]) throws {
        guard !bytes.isEmpty else {
            self = .everything
            return
        }
        self.init()
        do { formats = try JSONDecoder().decode([String: String].self, from: Data(bytes)) } catch {
            throw SyncError(
                .damagedState, "What the store says of the part that it keeps is damaged.",
                cure: "Give the part in the options of the session.")
        }
    }
}
