import CoreData

/// Migrates a copy of a store, compares its contents before and after, and validates its objects.
package struct MigrationDryRun {
    package let report: MigrationPlanReport
    /// The store before and after each stage.
    package let comparisons: [(stage: MigrationStage, comparison: MigrationComparison)]
    /// The validation of the migrated objects by the rules of the new version.
    package let validation: ObjectValidation
    /// The faults that SQLite's integrity check finds in the migrated copy; empty for other store types.
    package let faults: [String]
    /// The duration of the migration of the copy, without the checks.
    package let seconds: Double

    /// Copies the store into a temporary folder, migrates and checks the copy, and removes it; does not change the
    /// store.
    ///
    /// - Throws: `MigrationRefusal` if the migration fails, `InspectionError` if the store or its copy cannot be read.
    package init(_ report: MigrationPlanReport) throws {
        self.report = report
        let job = report.job
        let copy = try MigrationCopy(of: job)
        var comparisons: [(MigrationStage, MigrationComparison)] = []
        var seconds = 0.0
        for stage in report.path {
            let counterparts = MigrationCounterparts(
                stage.leg.source, stage.leg.destination, configuration: job.configuration,
                keeps: stage.kind == .mapping ? .whatItSays : job.isWrittenWhole ? .values : .keysAndValues)
            let before = try Self.digest(copy, model: stage.leg.source, counterparts: counterparts, side: .before)
            seconds += try copy.migrate(stage)
            let after = try Self.digest(copy, model: stage.leg.destination, counterparts: counterparts, side: .after)
            comparisons.append((stage, MigrationComparison(before, after: after, counterparts: counterparts)))
        }
        (self.comparisons, self.seconds) = (comparisons, seconds)
        validation = try job.onCopy(at: copy.url).reading(job.destination.model) { store in
            try store.context.performAndWait {
                try ObjectValidation(
                    store.context, store.coordinator.managedObjectModel, configuration: job.configuration)
            }
        }
        // The validation above has read the complete file of such a store, so that damage would have failed it.
        faults = job.isWrittenWhole ? [] : try RawStore(at: copy.url).integrityFaults()
    }

    private static func digest(
        _ copy: MigrationCopy, model: NSManagedObjectModel, counterparts: MigrationCounterparts,
        side: StoreDigest.Side
    ) throws -> StoreDigest {
        try copy.job.onCopy(at: copy.url).reading(model) { store in
            try store.context.performAndWait {
                try store.namingFile { try StoreDigest(store.context, counterparts: counterparts, side: side) }
            }
        }
    }

    /// Unexpected differences, broken validation rules and faults of the file, as texts; empty if the migration is
    /// correct.
    package var problems: [String] {
        var problems = comparisons.flatMap(\.comparison.differences)
        if validation.invalid > 0 {
            problems.append("\(validation.invalid) of \(validation.objects) objects break rules of the new version")
        }
        return problems + faults.map { "the file: \($0)" }
    }

    /// `passed`, `losesData` or `failed`.
    package var verdict: String { problems.isEmpty ? report.losesData ? "losesData" : "passed" : "failed" }

    package var json: JSONValue {
        .object(
            [("result", .string(verdict))] + report.job.members + report.members + [
                ("seconds", .real((seconds * 1_000).rounded() / 1_000)),
                (
                    "comparisons",
                    .array(
                        comparisons.map { stage, comparison in
                            .object([("from", .string(stage.from)), ("to", .string(stage.to))] + comparison.members)
                        })
                ), ("validation", validation.json), ("faults", .array(faults.map { .string($0) })),
            ])
    }
}

extension MigrationComparison {
    fileprivate var members: [(String, JSONValue)] {
        [
            (
                "entities",
                .array(
                    entities.map {
                        .object([
                            ("old", .text($0.old)), ("new", .text($0.new)), ("before", .count($0.before)),
                            ("after", .count($0.after)), ("agrees", .bool($0.agrees)),
                        ])
                    })
            ),
            (
                "properties",
                .array(
                    properties.map {
                        .object([
                            ("entity", .string($0.entity)), ("name", .string($0.name)), ("old", .text($0.old)),
                            ("new", .text($0.new)),
                            ("kind", .string($0.isRelationship ? "relationship" : "attribute")),
                            ("before", .count($0.before)), ("after", .count($0.after)), ("agrees", .bool($0.agrees)),
                        ])
                    })
            ),
        ]
    }
}

extension ObjectValidation {
    fileprivate var json: JSONValue {
        .object([
            ("objects", .count(objects)), ("invalid", .count(invalid)),
            (
                "failures",
                .array(
                    summary.map { failure, count in
                        .object([
                            ("entity", .string(failure.entity)), ("property", .text(failure.property)),
                            ("code", .count(failure.code)), ("objects", .count(count)),
                        ])
                    })
            ),
        ])
    }
}
