import CoreDataGraph

/// Makes the errors of migrations by mapping models; the user info says where the migration failed.
enum MigrationFailure {
    /// The mapping, entity, property and policy method at which a migration failed.
    struct Place {
        var mapping: String?
        var entity: String?
        var property: String?
        /// The policy method that was running.
        var method: String?
        /// The properties of the violated uniqueness constraint.
        var constraint: [String]?

        var userInfo: [String: Any] {
            var info: [String: Any] = [:]
            info["mapping"] = mapping
            info["entity"] = entity
            info["property"] = property
            info["method"] = method
            info["constraint"] = constraint
            return info
        }

        /// The place in words, such as `'name' of entity 'Hero' in the mapping 'HeroToHero'`.
        var text: String {
            let parts = [
                property.map { "'\($0)'" }, entity.map { "entity '\($0)'" }, mapping.map { "the mapping '\($0)'" },
            ].compactMap { $0 }
            return parts.joined(separator: " of ").replacingOccurrences(of: " of the mapping", with: " in the mapping")
        }
    }

    static func make(
        _ code: Int, _ description: String, at place: Place = Place(), reason: String? = nil, hint: String? = nil,
        underlying: (any Error)? = nil
    ) -> NSError {
        CoreDataError.make(
            code, description, reason: reason ?? underlying.map(Self.text), hint: hint, underlying: underlying,
            userInfo: place.userInfo)
    }

    /// The reason of an error of any domain.
    static func text(_ error: any Error) -> String {
        let cocoa = error as NSError
        if cocoa.domain == NSCocoaErrorDomain { return cocoa.localizedFailureReason ?? cocoa.localizedDescription }
        return "\(error)"
    }

    /// The error for a mapping model that cannot be used, with the reason.
    static func unusable(_ place: Place, _ reason: String, hint: String? = nil) -> NSError {
        make(
            NSMigrationError,
            "The mapping model cannot be used: \(place.text.isEmpty ? "" : place.text + ": ")\(reason).",
            at: place, reason: reason, hint: hint)
    }

    static func cancelled() -> NSError {
        make(NSMigrationCancelledError, "The migration was cancelled.", reason: "The program asked for it.")
    }
}
