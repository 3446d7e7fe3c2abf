import CoreData

/// Finds the properties that a person can set.
enum SettableProperty {
    /// The property of a key.
    ///
    /// - Throws: `InspectionError` of code `unknownKey` with the nearest keys that may be read, or `badValue` for what cannot
    ///   be set.
    static func named(
        _ key: String, of entity: NSEntityDescription, _ access: BrowserAccess
    ) throws -> NSPropertyDescription {
        guard let property = entity.propertiesByName[key] else { throw access.unknownKey(key, of: entity) }
        guard isSettable(property) else {
            throw InspectionError(.badValue, subject: key, cause: "the property is made from others and cannot be set")
        }
        return property
    }

    /// Whether a property is stored, and not made from others.
    static func isSettable(_ property: NSPropertyDescription) -> Bool {
        !property.isTransient && !(property is NSDerivedAttributeDescription)
            && !(property is NSFetchedPropertyDescription)
    }
}

/// Says what is wrong with which step.
struct StepFailure {
    let failure: BrowserFailure

    init(number: Int, of count: Int, step: EditStep, _ error: any Error) {
        let known = BrowserFailure(error)
        let isOwn = error is BrowserFailure || error is InspectionError
        let rejected = error is ValueRejection || error is UnknownKeyError
        let reason = count > 1 ? "step \(number + 1) of \(count): \(known.reason)" : known.reason
        // Whatever a step asks for that cannot be is the client's mistake; what the store cannot do is not.
        let status = known.status == 403 ? 403 : isOwn && known.status < 500 || rejected ? 422 : known.status
        failure = BrowserFailure(
            status, code: rejected ? "badValue" : known.code, reason: reason, hint: known.hint,
            details: known.details + [
                .init(key: "object", value: .text(step.place.object)), .init(key: "key", value: .text(step.place.key)),
                .init(key: "step", value: .integer(Int64(number))),
            ])
    }
}
