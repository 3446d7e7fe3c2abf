import CoreDataFoundation

/// How a migration makes objects of one model from objects of another: a mapping for each entity.
///
/// Made in code, read from an `.xcmappingmodel` or a `.cdm`, or inferred. May be changed by one thread at a time.
///
/// ```swift
/// let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: oldModel, destinationModel: newModel)
/// for entity in mapping.entityMappings ?? [] {
///     print(entity.name ?? "", entity.sourceEntityName ?? "-", entity.destinationEntityName ?? "-")
/// }
/// ```
open class NSMappingModel: NSObject {
    /// The mappings, in the order in which a migration executes them.
    open var entityMappings: [NSEntityMapping]! = []

    /// Whether the mapping was inferred from two models.
    final package internal(set) var isInferred = false

    /// The mappings by name, the first of several with one name. Takes time linear in their number.
    open var entityMappingsByName: [String: NSEntityMapping] {
        let named = (entityMappings ?? []).compactMap { mapping in mapping.name.map { ($0, mapping) } }
        return Dictionary(named, uniquingKeysWith: { first, _ in first })
    }

    /// Makes a model without mappings.
    public override init() {}

    /// All mappings and the expressions of their properties, one line for each; `–` for a missing expression.
    override open var description: String {
        (entityMappings ?? []).map(\.description).joined(separator: "\n")
    }
}
