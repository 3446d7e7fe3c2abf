import CoreData

/// What the migration of a store would do, found without changing anything.
package struct MigrationPlanReport {
    package let job: MigrationJob
    package let path: [MigrationStage]
    /// The statements of each stage, in order; none of one that a mapping model describes.
    ///
    /// Those of later stages are for a store as this library makes it, and their rows are not known.
    package let statementsByStage: [[SchemaMigrationPlan.Step]]
    package let losses: [MigrationLoss]
    /// Constraints of which values are there twice.
    package private(set) var collisions: [(entity: String, properties: [String])]
    /// What can go wrong with some stores.
    package let remarks: [MigrationAnalysis.Finding]
    /// What it is expected to take; nil where a mapping model is on the way, whose expressions decide that, but for a server,
    /// where others wait meanwhile and are to know about how long, and for a file that is written as a whole.
    package private(set) var estimate: MigrationEstimate?
    /// The objects of the entities of before from which the first stage makes objects, where no SQL does it.
    private let mappedObjects: [String: Int]
    /// Why the migration would be refused; nil where it would not.
    package private(set) var refusal: MigrationRefusal?

    /// Whether data would be lost.
    package var losesData: Bool { losses.contains(where: \.isOfData) }

    /// Whether the store keeps its identity, and the objects their identifiers: what is made object by object is another
    /// store.
    package var keepsIdentity: Bool {
        path.isEmpty || !job.isWrittenWhole && path.allSatisfy { $0.kind == .lightweight }
    }

    /// Looks at the store with both models.
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

    /// The plan with what only a trial states about a store that is written as a whole: whether all numbers fit and values
    /// are unique, and the time. A copy in the temporary folder is migrated. Of other stores it is the plan itself.
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

    /// What is done to what, by however many statements.
    package struct Step {
        package let kind: String
        package let subject: String
        package var rows: Int?
        /// What it locks in a server, each once; empty for files, which are locked as a whole.
        package var locks: [SchemaMigrationPlan.Lock] = []
        /// How long the server is expected to take.
        package var seconds: Double?

        fileprivate mutating func add(_ statement: SchemaMigrationPlan.Step) {
            if let more = statement.rows { rows = max(rows ?? 0, more) }
            if let lock = statement.lock, !locks.contains(where: { $0.table == lock.table && $0.mode == lock.mode }) {
                locks.append(lock)
            }
            if let more = statement.seconds { seconds = (seconds ?? 0) + more }
        }
    }

    /// The statements without their texts: what is done to what, each once.
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

    /// How many rows are read or written, those of a table once for each statement that goes through them.
    package var rows: Int {
        statements.reduce(0) { $0 + ($1.rows ?? 0) } + mappedObjects.values.reduce(0, +)
    }

    /// Why data that would be lost keeps the store from being migrated.
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

/// What a stage would do to the store as it is now.
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
