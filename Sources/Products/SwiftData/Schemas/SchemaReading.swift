import Foundation

/// Collects model classes, their superclasses, those that they are related to, and what is wrong with them.
struct SchemaReading {
    private(set) var plans: [ModelPlan] = []
    private(set) var problems: [SwiftDataError] = []
    private var seen: Set<ObjectIdentifier> = []

    mutating func add(_ type: any PersistentModel.Type) {
        guard seen.insert(ObjectIdentifier(type)).inserted else { return }
        let plan = ModelPlan.of(type)
        if let other = plans.first(where: { $0.name == plan.name }) {
            problems.append(
                .invalidSchema(
                    "Two models of the schema are called '\(plan.name)': \(String(reflecting: other.type)) and "
                        + "\(String(reflecting: type)). Make a schema of each version."))
            return
        }
        plans.append(plan)
        problems += plan.problems
        if let superclass = plan.superplan?.type { add(superclass) }
        for property in plan.ownProperties {
            switch property.kind {
            case .toOne(let target), .toMany(let target): add(target)
            default: continue
            }
        }
    }
}
