import CoreDataStore
import CoreDataSync

/// Why the corrections of a program cannot be made.
struct CorrectionRefusal: Error {
    let reason: String
}

/// What the corrections of a verdict may be of, and refer to: the objects of the merge, and those that they insert.
struct CorrectionSubjects {
    let mapping: ModelMapping
    var objects: [String: LocalObject] = [:]
    var entities: [String: String] = [:]
    private var insertedCount = 0

    init(_ mapping: ModelMapping) { self.mapping = mapping }

    /// Adds the object that a correction inserts, if it does.
    ///
    /// - Throws: `CorrectionRefusal` for an entity that the store has no objects of, and an identity that another object has.
    mutating func add(_ correction: SyncCorrection) throws {
        guard case .insert(let name, _, _) = correction.kind else { return }
        guard let entity = mapping.entity(named: name), !entity.layout.isAbstract else {
            throw CorrectionRefusal(reason: "a correction inserts an object of '\(name)', which is no synced entity")
        }
        guard objects[correction.identity] == nil else {
            throw CorrectionRefusal(reason: "a correction inserts an object with the identity of another")
        }
        objects[correction.identity] = .new(insertedCount)
        entities[correction.identity] = name
        insertedCount += 1
    }
}
