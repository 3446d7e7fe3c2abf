import CoreData

/// One of the migrations that lead a store from its version to the new one.
package struct MigrationStage {
    package enum Kind: String, Sendable {
        /// Inferred; done by SQL statements in the file itself, or object by object if the file is rewritten
        /// completely.
        case lightweight
        /// Done object by object by a mapping model from a file.
        case mapping
    }

    /// The names of the two versions.
    package let from: String
    package let to: String
    let leg: MigrationLeg
    /// The mapping model by which objects are migrated one by one; nil if SQL statements migrate the store.
    let mapping: NSMappingModel?
    let losses: [MigrationLoss]
    package let remarks: [MigrationAnalysis.Finding]

    package var kind: Kind { leg.mapping == nil ? .lightweight : .mapping }

    /// The stages of a job, in order; empty if the store has the new version already.
    ///
    /// - Throws: `MigrationRefusal` if there is no path, naming the changes that cannot be inferred, or if a mapping
    /// has a policy.
    static func path(of job: MigrationJob) throws -> [MigrationStage] {
        guard !job.isUpToDate else { return [] }
        let analysis = MigrationAnalysis(
            from: job.source.model, to: job.destination.model, configuration: job.configuration)
        do {
            let path = try MigrationPath(
                from: job.source.model, to: job.destination.model, known: job.versions.map(\.model),
                mappings: job.mappings, url: job.facts.url, configuration: job.configuration)
            for leg in path.legs { try checkPolicies(leg, job) }
            return path.legs.map { MigrationStage($0, of: job) }
        } catch let refusal as MigrationRefusal {
            throw refusal
        } catch {
            guard !analysis.obstacles.isEmpty else { throw MigrationRefusal(error, store: job.facts.url) }
            throw MigrationRefusal(obstacles: analysis.obstacles, store: job.facts.url)
        }
    }

    /// Throws if a mapping has a custom migration policy, since its class is in the application and not in this
    /// program.
    private static func checkPolicies(_ leg: MigrationLeg, _ job: MigrationJob) throws {
        for mapping in leg.mapping?.entityMappings ?? [] {
            guard let policy = mapping.entityMigrationPolicyClassName, !policy.isEmpty,
                policy != "NSEntityMigrationPolicy"
            else { continue }
            throw MigrationRefusal(
                NSMigrationError, store: job.facts.url,
                cause:
                    "the mapping '\(mapping.name ?? "")' has the policy '\(policy)', which is code of the application",
                items: [(ModelItem(.entity, mapping.sourceEntityName ?? ""), "its mapping has a policy", nil)],
                hint: "migrate the store in the application")
        }
    }

    private init(_ leg: MigrationLeg, of job: MigrationJob) {
        self.leg = leg
        mapping =
            leg.mapping
            ?? (job.isWrittenWhole
                ? try? NSMappingModel.inferredMappingModel(
                    forSourceModel: leg.source, destinationModel: leg.destination,
                    configuration: job.configuration) : nil)
        from = job.name(of: leg.source)
        to = job.name(of: leg.destination)
        if let mapping = leg.mapping {
            losses = MappedLosses(mapping, source: leg.source, configuration: job.configuration).losses
            remarks = []
        } else {
            let analysis = MigrationAnalysis(
                from: leg.source, to: leg.destination, configuration: job.configuration)
            losses = analysis.losses.map {
                MigrationLoss(item: $0.item, reason: $0.reason, hint: $0.hint, isRounding: $0.isRounding)
            }
            remarks = analysis.remarks
        }
    }

    /// Plans the statements for the store, which must have this stage's old version; nil if objects are mapped one by
    /// one.
    func plan(of job: MigrationJob) throws -> SchemaMigrationPlan? {
        guard kind == .lightweight else { return nil }
        return try job.storeClass.schemaMigrating?.planSchemaMigration(
            leg.request(job.facts.url, configuration: job.configuration))
    }

    /// Plans the statements of a later stage, for an empty store of its old version; empty if objects are mapped one by
    /// one.
    func statements(of job: MigrationJob) throws -> [SchemaMigrationPlan.Step] {
        guard kind == .lightweight, let planning = job.storeClass.schemaMigrating else { return [] }
        do {
            // If a store on a server does not have the stage's old version yet, it plans by the names of its tables
            // alone.
            guard !job.isOnServer else {
                return try planning.planSchemaMigration(leg.request(job.facts.url, configuration: job.configuration))
                    .steps
            }
            return try ScratchFolder.with { folder in
                let empty = folder.file("Empty.sqlite")
                let coordinator = NSPersistentStoreCoordinator(managedObjectModel: leg.source)
                let store = try coordinator.addPersistentStore(
                    type: .sqlite, configuration: job.configuration, at: empty, options: nil)
                try coordinator.remove(store)
                return try planning.planSchemaMigration(leg.request(empty, configuration: job.configuration)).steps.map
                {
                    .init(kind: $0.kind, subject: $0.subject, statement: $0.statement, rows: nil)
                }
            }
        } catch {
            throw MigrationRefusal(error, store: job.facts.url)
        }
    }

    /// Migrates the store at a URL, which must have this stage's old version.
    func run(_ url: URL, _ job: MigrationJob) throws {
        try leg.runQuietly(url, configuration: job.configuration, storeClass: job.storeClass, type: job.facts.type)
    }

    /// The steps that map objects one by one, such as `map objects`, `User to Author`; empty if SQL migrates the store.
    ///
    /// - Parameter counts: the known numbers of objects by the names of source entities.
    func mappedSteps(_ counts: [String: Int], _ job: MigrationJob) -> [MigrationPlanReport.Step] {
        let steps = (mapping?.entityMappings ?? []).map { mapping in
            let ends = [mapping.sourceEntityName, mapping.destinationEntityName].map { $0 ?? "nothing" }
            return MigrationPlanReport.Step(
                kind: "map objects", subject: "\(ends[0]) to \(ends[1])", rows: counts[ends[0]])
        }
        guard job.isOnServer, !steps.isEmpty else { return steps }
        // The migration locks out other connections until the new store has replaced the old one.
        return [
            MigrationPlanReport.Step(
                kind: "lock store", subject: "the store",
                locks: [.init(table: "z_metadata", mode: "ACCESS EXCLUSIVE", rewrites: true)])
        ] + steps
    }

    package var json: JSONValue {
        .object([("from", .string(from)), ("to", .string(to)), ("kind", .string(kind.rawValue))])
    }
}

extension MigrationJob {
    /// The name of the version that a model on the path belongs to.
    fileprivate func name(of model: NSManagedObjectModel) -> String {
        if model === source.model { return source.name }
        if model === destination.model { return destination.name }
        return versions.first { $0.model === model }?.name ?? "a version between"
    }
}

/// Lists the entities that no mapping migrates, and the attributes that no mapping expression reads.
private struct MappedLosses {
    private(set) var losses: [MigrationLoss] = []

    init(_ mapping: NSMappingModel, source: NSManagedObjectModel, configuration: String?) {
        let mappings = (mapping.entityMappings ?? []).filter { $0.mappingType != .removeEntityMappingType }
        let entities = source.entities(forConfigurationName: configuration) ?? source.entities
        for entity in NSManagedObjectModel.numbered(entities) where !entity.isAbstract {
            let own = mappings.filter { $0.sourceEntityName == entity.name }
            guard !own.isEmpty else {
                losses.append(
                    MigrationLoss(
                        item: ModelItem(.entity, entity.name ?? ""), reason: "no mapping takes its objects", hint: nil))
                continue
            }
            // A policy is code that may read any attribute, so that no loss can be determined.
            guard own.allSatisfy({ $0.entityMigrationPolicyClassName?.isEmpty ?? true }) else { continue }
            let texts = own.flatMap { ($0.attributeMappings ?? []) + ($0.relationshipMappings ?? []) }
                .compactMap { $0.valueExpression?.description }
            let words = Set(texts.flatMap { $0.split { !($0.isLetter || $0.isNumber || $0 == "_") } })
            for attribute in entity.attributesByName.values.sorted(by: { $0.name < $1.name })
            where attribute.isStored && !(attribute is NSDerivedAttributeDescription)
                && !words.contains(attribute.name[...])
            {
                losses.append(
                    MigrationLoss(
                        item: ModelItem(.attribute, attribute.name, of: entity.name),
                        reason: "no expression of the mapping reads it", hint: nil))
            }
        }
    }
}
