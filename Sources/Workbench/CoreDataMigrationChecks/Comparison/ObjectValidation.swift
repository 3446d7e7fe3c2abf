import CoreDataGraph

/// Validates all objects of a store by the validation rules of the model, and counts the failures.
package struct ObjectValidation {
    /// A broken rule, without the value that breaks it.
    package struct Failure: Hashable, Sendable {
        package let entity: String
        /// Nil for a rule about the entire object.
        package let property: String?
        /// The error code that validation reports for the rule.
        package let code: Int
    }

    package private(set) var objects = 0
    /// The number of objects that break at least one rule.
    package private(set) var invalid = 0
    /// How many objects break each rule.
    package private(set) var failures: [Failure: Int] = [:]

    /// Fetches and validates all objects, page by page; resets the context after each page.
    ///
    /// - Throws: what fetching throws.
    package init(
        _ context: NSManagedObjectContext, _ model: NSManagedObjectModel, configuration: String? = nil
    ) throws {
        let names = model.concreteNames(in: configuration)
        for entity in NSManagedObjectModel.numbered(model.entities) where names.contains(entity.name ?? "") {
            let relationships = entity.relationshipsByName.values.filter { !$0.isTransient }.map(\.name)
            try StoreDigest.forEach(entity.name ?? "", in: context, prefetching: relationships) { object in
                objects += 1
                do {
                    try object.validateForInsert()
                } catch {
                    invalid += 1
                    for failure in Set(Self.failures(error as NSError, entity)) { failures[failure, default: 0] += 1 }
                }
            }
        }
    }

    private static func failures(_ error: NSError, _ entity: NSEntityDescription) -> [Failure] {
        if let details = error.userInfo[NSDetailedErrorsKey] as? [NSError] {
            return details.flatMap { failures($0, entity) }
        }
        let property = error.userInfo[NSValidationKeyErrorKey] as? String
        return [Failure(entity: entity.name ?? "", property: property, code: error.code)]
    }

    /// The broken rules, each with the number of objects that break it, the most frequent first.
    package var summary: [(failure: Failure, objects: Int)] {
        failures.map { ($0.key, $0.value) }.sorted {
            ($1.1, $0.0.entity, $0.0.property ?? "", $0.0.code) < ($0.1, $1.0.entity, $1.0.property ?? "", $1.0.code)
        }
    }
}
