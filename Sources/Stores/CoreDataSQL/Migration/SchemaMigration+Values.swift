import CoreDataStore

/// The values that the migration's statements do not compute.
extension SchemaMigration {
    /// Returns the derived attributes whose values cannot be copied from the old store.
    package func derivationsToCompute(_ layouts: ModelLayout) -> [NSDerivedAttributeDescription] {
        let carried = isAdditive ? carriedDerivations : []
        return layouts.entities.flatMap { layout in
            layout.entity.ownProperties.compactMap { $0 as? NSDerivedAttributeDescription }
                .filter { !$0.isTransient && !carried.contains("\($0.entity?.name ?? "").\($0.name)") }
                .sorted { $0.name < $1.name }
        }
    }

    /// Returns the attributes with a backfill rule that no kept entity had before, each once, of the entity that
    /// declares it.
    package func attributesToBackfill(_ layouts: ModelLayout) -> [NSAttributeDescription] {
        layouts.entities.flatMap { layout in
            layout.entity.ownProperties.compactMap { $0 as? NSAttributeDescription }
                .filter { $0.backfillRule != nil && $0.isStored && !($0 is NSDerivedAttributeDescription) }
                .filter { attribute in
                    !keptEntities.contains { kept in
                        let entity = layouts.layout(named: kept.after.name)?.entity
                        return entity?.isKindOf(entity: layout.entity) == true
                            && kept.names.values.contains(attribute.name)
                    }
                }
        }
    }

    /// Makes the error of a backfill rule that failed.
    package static func backfillFailure(_ attribute: NSAttributeDescription, _ error: any Error) -> NSError {
        let name = "\(attribute.entity?.name ?? "").\(attribute.name)"
        return CoreDataError.make(
            NSMigrationError,
            "The rule by which old objects get a value of \(name) cannot be carried out: \(error)",
            hint: "Look at '\(CoreDataBackfillUserInfoKey)' in the attribute's user info.", underlying: error,
            userInfo: ["entity": attribute.entity?.name ?? "", "attribute": attribute.name])
    }
}

/// The errors of failed checks.
extension MigrationStep {
    /// Returns the error if the check's query returned rows; otherwise nil.
    ///
    /// - Parameters:
    ///   - rows: the rows that the query returned.
    ///   - place: the path or URL of the store, for the error.
    package func failure(rows: [[Int64?]], at place: String) -> NSError? {
        guard let count = rows.first?.first ?? nil else { return nil }
        if let misfits = misfits(rows: rows) { return misfits.error(at: place) }
        return kind == .checkUnique ? collision(count, place) : missingValue(count, place)
    }

    /// Returns what a check of numbers found; nil if it found nothing, and for other steps.
    package func misfits(rows: [[Int64?]]) -> NumberMisfits? {
        guard let numbers, let count = rows.first?.first ?? nil else { return nil }
        let names = rows.compactMap { row -> String? in
            guard row.count == 3, let key = row[1] else { return nil }
            return "\(row[2].flatMap { numbers.entities[$0] } ?? subject)/p\(key)"
        }
        return NumberMisfits(
            entity: subject, attribute: properties.joined(separator: ", "), conversion: numbers.conversion,
            count: Int(count), rows: names)
    }

    private func collision(_ count: Int64, _ place: String) -> NSError {
        CoreDataError.make(
            NSMigrationConstraintViolationError,
            "The store '\(place)' cannot be migrated: \(count) objects of \(subject) or more have the same "
                + "\(properties.joined(separator: ", ")), which the new model wants to be unique.",
            hint: "Change or delete all but one of them with the model of before, then migrate again.",
            userInfo: [NSFilePathErrorKey: place, "entity": subject, "constraint": properties])
    }

    private func missingValue(_ count: Int64, _ place: String) -> NSError {
        let property = properties.joined(separator: ", ")
        return CoreDataError.make(
            NSMigrationError,
            "The store '\(place)' cannot be migrated: \(count) objects of \(subject) have no \(property), which the "
                + "new model requires.",
            reason: "Validation error missing attribute values on mandatory destination attribute",
            hint: "Give them a value with the model of before, or give the attribute a default value.",
            userInfo: [NSFilePathErrorKey: place, "entity": subject, "attribute": property])
    }
}
