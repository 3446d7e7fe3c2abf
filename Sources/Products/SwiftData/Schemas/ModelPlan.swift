import CoreDataGraph
import Foundation
import Synchronization

/// What the library knows of a model class: its properties and how their values are stored. Made once for each class.
///
/// Constant after it is made.
@usableFromInline
final class ModelPlan: @unchecked Sendable {
    let type: any PersistentModel.Type
    let name: String
    @usableFromInline let properties: [PropertyPlan]
    /// The class of the managed objects that hold the values.
    let recordType: ModelRecord.Type
    let declaredIndexes: [(isTree: Bool, names: [String])]
    let declaredConstraints: [[String]]
    let problems: [SwiftDataError]
    private let numbers: [AnyKeyPath: Int]
    /// Makes a model of a record.
    let makeModel: (ModelRecord) -> any PersistentModel

    private static let known = Mutex<[ObjectIdentifier: ModelPlan]>([:])
    static let empty = ModelPlan(NoModel.self)

    private init<Model: PersistentModel>(_ type: Model.Type) {
        self.type = type
        name = Schema.entityName(for: type)
        recordType = ModelObject<Model>.self
        makeModel = { Model(backingData: StoredBackingData(storage: ModelStorage(record: $0))) }
        let metadata = type.schemaMetadata
        let entity = name
        let plans = metadata.enumerated().map { PropertyPlan(number: $0, $1, entity: entity) }
        properties = plans
        numbers = Dictionary(metadata.enumerated().map { ($1.keypath, $0) }) { first, _ in first }
        var problems = plans.compactMap(\.problem)
        let names = { (paths: [AnyKeyPath]) -> [String] in
            paths.compactMap { path in
                if let number = metadata.firstIndex(where: { $0.keypath == path }) { return metadata[number].name }
                problems.append(
                    .invalidSchema("An index or a constraint of '\(entity)' names \(path), which is not persisted."))
                return nil
            }
        }
        let annotations = type.schemaAnnotations.compactMap { $0 as? any DeclaredAnnotation }
        declaredIndexes = annotations.flatMap { $0.declaredIndexes.map { ($0.isTree, names($0.paths)) } }
        declaredConstraints = annotations.flatMap { $0.declaredConstraints.map(names) }
        self.problems = problems
    }

    /// Returns the plan of a model class.
    static func of<Model: PersistentModel>(_ type: Model.Type) -> ModelPlan {
        if let plan = known.withLock({ $0[ObjectIdentifier(type)] }) { return plan }
        let made = ModelPlan(type)
        return known.withLock { known in
            let plan = known[ObjectIdentifier(type)] ?? made
            known[ObjectIdentifier(type)] = plan
            return plan
        }
    }

    /// The name of the property that a key path leads to; nil if it is not one persisted property.
    func name(of path: AnyKeyPath) -> String? { property(at: path)?.name }

    func property(at path: AnyKeyPath) -> PropertyPlan? { numbers[path].map { properties[$0] } }
}

/// A model without properties.
private final class NoModel: PersistentModel {
    var _$storage = ModelStorage()
    init(backingData: any BackingData<NoModel>) {}
    static var schemaMetadata: [Schema.PropertyMetadata] { [] }
    static var schemaAnnotations: [any SchemaAnnotation] { [] }
}
