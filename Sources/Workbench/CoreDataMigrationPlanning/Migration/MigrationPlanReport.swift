import CoreData

/// Determines what the migration of a store would do, without changing the store.
package struct MigrationPlanReport {
    package let job: MigrationJob
    package let path: [MigrationStage]
    /// The SQL statements of each stage, in order; empty for a stage that a mapping model describes.
    ///
    /// Statements of stages after the first are planned for an empty store of the stage's old version, without row
    /// counts.
    package let statementsByStage: [[SchemaMigrationPlan.Step]]
    package let losses: [MigrationLoss]
    /// The uniqueness constraints of the new version that objects of the store violate.
    package private(set) var collisions: [(entity: String, properties: [String])]
    /// Changes that can fail, depending on the data of the store.
    package let remarks: [MigrationAnalysis.Finding]
    /// The expected cost; nil if a mapping model migrates an SQLite file, since the cost depends on its expressions.
    /// Stores on servers always have an estimate, since other programs wait meanwhile, and so do files that are
    /// rewritten completely.
    package private(set) var estimate: MigrationEstimate?
    /// The numbers of objects of the source entities that the first stage maps one by one; empty if SQL migrates them.
    private let mappedObjects: [String: Int]
    /// Why the migration would fail; nil if it is expected to succeed.
    package private(set) var refusal: MigrationRefusal?

    /// Whether data would be lost.
    package var losesData: Bool { losses.contains(where: \.isOfData) }

    /// Whether the store keeps its UUID, and objects keep their object IDs; false if the migration maps objects one by
    /// one into a new store.
    package var keepsIdentity: Bool {
        path.isEmpty || !job.isWrittenWhole && path.allSatisfy { $0.kind == .lightweight }
    }

    /// Plans the migration from both models and counts the affected data of the store.
    ///
    /// - Throws: `InspectionError` or `MigrationRefusal` for a store that cannot be read.
    package init(_ job: MigrationJob) throws {
        self.job = job
        do {
            path = try MigrationStage.path(of: job)
        } catch let error as MigrationRefusal {
            (path, statementsByStage, losses, collisions, remarks, estimate) = ([], [], [], [], [], nil)
            mappedObjects = [:]
            refusal = error
            return
        }
        guard let first = path.first else {
            (statementsByStage, losses, collisions, remarks, estimate) = ([], [], [], [], nil)
            mappedObjects = [:]
            refusal = nil
            return
        }
        let survey = try MigrationStageSurvey(first, of: job)
        let statements = survey.plan?.steps ?? []
        statementsByStage = [statements] + (try path.dropFirst().map { try $0.statements(of: job) })
        mappedObjects = survey.mappedObjects
        collisions = survey.plan?.collisions ?? []
        losses = survey.losses + path.dropFirst().flatMap(\.losses)
        remarks = path.flatMap(\.remarks)
        estimate =
            path.allSatisfy { $0.kind == .lightweight } && !job.isWrittenWhole
            ? try MigrationEstimate(of: job, statements, stages: path.count)
            : MigrationEstimate(of: job, objects: survey.mappedObjects.values.reduce(0, +))
        refusal = Self.refusal(survey.plan?.misfits ?? [], job) ?? Self.refusal(collisions, job)
    }

    /// Migrates a temporary copy of a store that is rewritten completely, and returns the plan with the time that it
    /// took, or with its refusal, such as for numbers out of range or duplicate values. Returns `self` for other
    /// stores.
    ///
    /// - Throws: `InspectionError` or `MigrationRefusal` for a store that cannot be copied.
    package func tried() throws -> MigrationPlanReport {
        guard job.isWrittenWhole, refusal == nil, !path.isEmpty else { return self }
        var report = self
        let copy = try MigrationCopy(of: job)
        do {
            report.estimate?.seconds = try path.reduce(0) { try $0 + copy.migrate($1) }
        } catch let error as MigrationRefusal {
            report.refusal = error
            report.collisions = error.items.filter { $0.item.kind == .constraint }.map {
                ($0.item.entity ?? "", $0.item.name.components(separatedBy: ", "))
            }
        }
        return report
    }

    private static func refusal(_ misfits: [NumberMisfits], _ job: MigrationJob) -> MigrationRefusal? {
        guard !misfits.isEmpty else { return nil }
        return MigrationRefusal(
            NSMigrationError, store: job.facts.url,
            cause: "numbers do not fit their new types: " + misfits.map(\.text).joined(separator: "; "),
            items: misfits.map { (ModelItem(.attribute, $0.attribute, of: $0.entity), $0.text, nil) },
            hint: "change them first, keep the type, or convert them with a mapping model")
    }

    private static func refusal(
        _ collisions: [(entity: String, properties: [String])], _ job: MigrationJob
    ) -> MigrationRefusal? {
        guard !collisions.isEmpty else { return nil }
        let texts = collisions.map { "\($0.entity) by \($0.properties.joined(separator: ", "))" }
        return MigrationRefusal(
            NSMigrationConstraintViolationError, store: job.facts.url,
            cause: "the new version requires unique values, but some occur more than once: "
                + texts.joined(separator: "; "),
            hint: "change or delete all but one of them first")
    }

    /// The statements of all stages, in order.
    package var statements: [SchemaMigrationPlan.Step] { statementsByStage.flatMap(\.self) }

    /// All statements with the same kind and subject, summed up.
    package struct Step {
        package let kind: String
        package let subject: String
        package var rows: Int?
        /// The locks that the statements acquire on a server, without duplicates; empty for files, which are locked as
        /// a whole.
        package var locks: [SchemaMigrationPlan.Lock] = []
        /// The time that the server is expected to need; nil for files.
        package var seconds: Double?

        fileprivate mutating func add(_ statement: SchemaMigrationPlan.Step) {
            if let more = statement.rows { rows = max(rows ?? 0, more) }
            if let lock = statement.lock, !locks.contains(where: { $0.table == lock.table && $0.mode == lock.mode }) {
                locks.append(lock)
            }
            if let more = statement.seconds { seconds = (seconds ?? 0) + more }
        }
    }

    /// The statements grouped by kind and subject, followed by the steps of mapping models.
    package var steps: [Step] {
        var steps: [Step] = []
        var places: [String: Int] = [:]
        for statement in statements {
            let key = "\(statement.kind)\u{0}\(statement.subject)"
            let place = places[key] ?? steps.count
            if place == steps.count {
                places[key] = place
                steps.append(Step(kind: statement.kind, subject: statement.subject))
            }
            steps[place].add(statement)
        }
        return steps
            + path.enumerated().flatMap { number, stage in stage.mappedSteps(number == 0 ? mappedObjects : [:], job)
            }
    }

    /// The number of rows that all statements read or write, plus the objects mapped; each statement on a table counts
    /// its rows again.
    package var rows: Int {
        statements.reduce(0) { $0 + ($1.rows ?? 0) } + mappedObjects.values.reduce(0, +)
    }

    /// The refusal of a migration that would lose data, unless the user allows the loss.
    package var lossRefusal: MigrationRefusal {
        let lost = losses.filter(\.isOfData)
        let texts = lost.prefix(10).map { loss in
            let hint = loss.hint.map { " (\($0))" } ?? ""
            return "\(loss.item.kind.rawValue) \(loss.item.path), \(loss.amount)\(hint)"
        }
        let more = lost.count > texts.count ? "; and \(lost.count - texts.count) more" : ""
        return MigrationRefusal(
            NSInferredMappingModelError, store: job.facts.url,
            cause: "data would be lost: " + texts.joined(separator: "; ") + more,
            items: lost.map { ($0.item, $0.reason, $0.hint) }, hint: "with --allow-loss it is migrated all the same")
    }
}

/// The plan, losses and mapped objects of the first stage, determined from the data in the store.
struct MigrationStageSurvey {
    let plan: SchemaMigrationPlan?
    let losses: [MigrationLoss]
    let mappedObjects: [String: Int]

    init(_ stage: MigrationStage, of job: MigrationJob) throws {
        do {
            plan = try stage.plan(of: job)
        } catch {
            throw MigrationRefusal(error, store: job.facts.url)
        }
        let names = Set((stage.mapping?.entityMappings ?? []).compactMap(\.sourceEntityName))
        guard !stage.losses.isEmpty || !names.isEmpty else {
            (losses, mappedObjects) = ([], [:])
            return
        }
        (losses, mappedObjects) = try job.reading(job.source.model) { store in
            let count = MigrationLossCount(store, from: stage.leg.source, to: stage.leg.destination)
            return (count.counted(stage.losses), count.objects(of: names))
        }
    }
}
