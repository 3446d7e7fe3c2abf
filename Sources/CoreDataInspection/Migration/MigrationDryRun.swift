import CoreData

/// A migration that was made of a copy of a store, and what became of everything in it.
package struct MigrationDryRun {
    package let report: MigrationPlanReport
    /// The store before and after each stage.
    package let comparisons: [(stage: MigrationStage, comparison: MigrationComparison)]
    /// The objects of the copy, by the rules of the new version.
    package let validation: ObjectValidation
    /// What SQLite finds wrong with the copy's file.
    package let faults: [String]
    /// How long migrating the copy took.
    package let seconds: Double

    /// Copies the store into the temporary folder, migrates the copy and removes it; the store stays as it is.
    ///
    /// - Throws: `MigrationRefusal` where the migration fails, `InspectionError` for what cannot be read.
    package init(_ report: MigrationPlanReport) throws {
        self.report = report
        let folder = try ScratchFolder()
        defer { withExtendedLifetime(folder) {} }
        let copy = folder.file("Copy.sqlite")
        let job = report.job
        do {
            try StoreFile.replaceStore(at: copy, options: [:], withStoreAt: job.facts.url, options: [:])
        } catch {
            throw MigrationRefusal(error, store: job.facts.url)
        }
        var comparisons: [(MigrationStage, MigrationComparison)] = []
        var seconds = 0.0
        for stage in report.path {
            let counterparts = MigrationCounterparts(
                stage.leg.source, stage.leg.destination, configuration: job.configuration,
                keepsKeys: stage.kind == .lightweight)
            let before = try Self.digest(job, copy, stage.leg.source, counterparts, .before)
            seconds += try Self.migrate(job, copy, stage)
            let after = try Self.digest(job, copy, stage.leg.destination, counterparts, .after)
            comparisons.append((stage, MigrationComparison(before, after, counterparts)))
        }
        (self.comparisons, self.seconds) = (comparisons, seconds)
        validation = try job.onCopy(at: copy).reading(job.destination.model) { store in
            try store.context.performAndWait {
                try ObjectValidation(
                    store.context, store.coordinator.managedObjectModel, configuration: job.configuration)
            }
        }
        faults = try RawStore(at: copy).integrityFaults()
    }

    private static func digest(
        _ job: MigrationJob, _ copy: URL, _ model: NSManagedObjectModel, _ counterparts: MigrationCounterparts,
        _ side: StoreDigest.Side
    ) throws -> StoreDigest {
        try job.onCopy(at: copy).reading(model) { store in
            try store.context.performAndWait {
                try store.namingFile { try StoreDigest(store.context, counterparts, side) }
            }
        }
    }

    private static func migrate(_ job: MigrationJob, _ copy: URL, _ stage: MigrationStage) throws -> Double {
        let start = ContinuousClock.now
        do {
            try stage.run(copy, job)
        } catch {
            // What is said of the copy is true of the store, and its path is the one that is known.
            let refusal = MigrationRefusal(error, store: copy)
            throw MigrationRefusal(
                refusal.code, job.facts.url, refusal.cause.replacing(copy.path, with: job.facts.url.place),
                items: refusal.items, hint: refusal.hint)
        }
        return start.duration(to: .now) / .seconds(1)
    }

    /// What is not as it has to be, as sentences.
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
                            ("entity", .string($0.entity)), ("name", .string($0.name)),
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
