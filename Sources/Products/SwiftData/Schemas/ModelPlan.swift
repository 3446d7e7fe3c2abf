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
    /// The plan of the superclass, if it is a model.
    let superplan: ModelPlan?
    /// All properties: those of the superclass, then those that the class declares.
    @usableFromInline let properties: [PropertyPlan]
    /// The properties that the class declares.
    var ownProperties: ArraySlice<PropertyPlan> { properties[(superplan?.properties.count ?? 0)...] }
    /// The class of the managed objects that hold the values.
    let recordType: ModelRecord.Type
    let declaredIndexes: [(isTree: Bool, names: [String])]
    let declaredConstraints: [[String]]
    let problems: [SwiftDataError]
    private let numbers: [AnyKeyPath: Int]
    /// The numbers by key paths in the form in which those of subclasses are compared.
    private let inheritable: [AnyKeyPath: Int]
    /// Makes a model of a record.
    let makeModel: (ModelRecord) -> any PersistentModel
    /// Makes the values of a record, as stores of one's own are handed them.
    let makeValues: (ModelRecord) -> any BackingData

    private static let known = Mutex<[ObjectIdentifier: ModelPlan]>([:])
    static let empty = ModelPlan(NoModel.self)

    private init<Model: PersistentModel>(_ type: Model.Type) {
        self.type = type
        name = Schema.entityName(for: type)
        recordType = ModelObject<Model>.self
        makeModel = { Model(_$storage: ModelStorage(record: $0)) }
        makeValues = { StoredBackingData<Model>(storage: ModelStorage(record: $0)) }
        let superplan = type._$superclass.map { ModelPlan.of($0) }
        self.superplan = superplan
        let entity = name
        let inherited = superplan?.properties ?? []
        let plans = type.schemaMetadata.enumerated().map {
            PropertyPlan(number: inherited.count + $0, $1, entity: entity)
        }
        properties = inherited + plans
        numbers = Dictionary(plans.map { ($0.keyPath, $0.number) }) { first, _ in first }
        inheritable = Dictionary(plans.map { (InheritedKeyPath.of($0.keyPath, type), $0.number) }) { first, _ in first }
        var problems = plans.compactMap(\.problem)
        let names = { (paths: [AnyKeyPath]) -> [String] in
            paths.compactMap { path in
                if let plan = plans.first(where: { $0.keyPath == path }) { return plan.name }
                if let name = superplan?.name(of: path) { return name }
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

    /// The property that a key path of the class, of its superclasses or of a subclass leads to.
    func property(at path: AnyKeyPath) -> PropertyPlan? {
        if let number = numbers[path] { return properties[number] }
        if InheritedKeyPath.isOfSubclass(path, type), let number = inheritable[InheritedKeyPath.of(path, type)] {
            return properties[number]
        }
        return superplan?.property(at: path)
    }

    /// Returns the plan of the class of a model, which may be a subclass of its type in the source.
    static func of(dynamicTypeOf model: some PersistentModel) -> ModelPlan {
        let type: any PersistentModel.Type = Swift.type(of: model)
        return of(type)
    }
}

/// A model without properties.
private final class NoModel: PersistentModel {
    var _$storage = ModelStorage()
    init(_$storage storage: ModelStorage) {}
    static var schemaMetadata: [Schema.PropertyMetadata] { [] }
    static var schemaAnnotations: [any SchemaAnnotation] { [] }
}
