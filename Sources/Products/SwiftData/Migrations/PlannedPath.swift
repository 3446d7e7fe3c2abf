import CoreDataGraph
import Foundation

/// The way from the version of a store to that of a container, through the stages of a plan.
struct PlannedPath {
    /// A step: its versions, and the functions of a custom stage.
    struct Step {
        let from: PlannedVersion
        let to: PlannedVersion
        let stage: MigrationStage?

        /// Whether code of the program runs in the step.
        var isCustom: Bool {
            switch stage {
            case .custom, .transform: true
            case .lightweight, nil: false
            }
        }
    }

    private let versions: [PlannedVersion]
    private let stages: [MigrationStage]
    private let plan: any SchemaMigrationPlan.Type

    /// The path to a schema, which is one of the plan's or comes after its last one.
    init(_ plan: any SchemaMigrationPlan.Type, to schema: Schema) throws {
        self.plan = plan
        stages = plan.stages
        var versions = plan.schemas.map { PlannedVersion($0) }
        if let problem = versions.lazy.flatMap(\.schema.problems).first { throw problem }
        let target = PlannedVersion(schema: schema)
        let hashes = target.model.entityVersionHashesByName
        if let last = versions.lastIndex(where: { $0.agrees(with: hashes, isPart: false) }) {
            newerVersions = Array(versions[(last + 1)...])
            versions.removeSubrange((last + 1)...)
        } else {
            newerVersions = []
            versions.append(target)
        }
        self.versions = versions
    }

    /// The versions of the plan after that of the container.
    private let newerVersions: [PlannedVersion]

    /// The steps for a store with some version hashes; none if it is of the container's version.
    ///
    /// - Throws: `SwiftDataError.unknownSchema` that names the nearest version, `.backwardMigration`, or
    ///   `.loadIssueModelContainer` for stages that lead nowhere.
    func steps(from store: StoreVersion) throws -> [Step] {
        guard let target = versions.last else { return [] }
        if target.agrees(with: store.hashes, isPart: store.isPart) { return [] }
        guard let first = versions.last(where: { $0.agrees(with: store.hashes, isPart: store.isPart) }) else {
            guard let steps = stepsBack(from: store, to: target) else { throw refusal(of: store) }
            return steps
        }
        var steps: [Step] = []
        var present = first
        while !present.agrees(with: target.model.entityVersionHashesByName, isPart: false) {
            let step = try step(after: present)
            steps.append(step)
            present = step.to
            guard steps.count <= versions.count else {
                throw SwiftDataError.loadIssueModelContainer.stating(
                    "The stages of \(plan) lead from version \(first.name) around, and not to \(target.name).")
            }
        }
        return steps
    }

    /// The stages that lead from a version of the plan after the container's back to that; nil if the store is of none,
    /// or a stage is missing.
    private func stepsBack(from store: StoreVersion, to target: PlannedVersion) -> [Step]? {
        let known = versions + newerVersions
        let newer = newerVersions.first { $0.agrees(with: store.hashes, isPart: store.isPart) }
        guard var present = newer else { return nil }
        var steps: [Step] = []
        while !present.agrees(with: target.model.entityVersionHashesByName, isPart: false) {
            guard steps.count < known.count,
                let stage = stages.first(where: { present.isDeclared(by: $0.fromVersion) }),
                let next = known.first(where: { $0.isDeclared(by: stage.toVersion) })
            else { return nil }
            steps.append(Step(from: present, to: next, stage: stage))
            present = next
        }
        return steps
    }

    private func step(after present: PlannedVersion) throws -> Step {
        let isLast = { (version: PlannedVersion) in version.type == nil }
        if let stage = stages.first(where: { present.isDeclared(by: $0.fromVersion) }) {
            guard let next = versions.first(where: { $0.isDeclared(by: stage.toVersion) }) else {
                throw SwiftDataError.loadIssueModelContainer.stating(
                    "A stage of \(plan) leads from version \(present.name) to \(stage.toVersion), which is not among "
                        + "the plan's schemas up to that of the container.")
            }
            return Step(from: present, to: next, stage: stage)
        }
        guard !isLast(present), let type = present.type,
            let index = versions.firstIndex(where: { $0.isDeclared(by: type) }), index + 1 < versions.count
        else {
            throw SwiftDataError.loadIssueModelContainer.stating("No stage of \(plan) leads on from \(present.name).")
        }
        return Step(from: present, to: versions[index + 1], stage: nil)
    }

    private func refusal(of store: StoreVersion) -> SwiftDataError {
        if let newer = newerVersions.first(where: { $0.agrees(with: store.hashes, isPart: store.isPart) }) {
            return .backwardMigration.stating(
                "The store \(store.url.path) is of version \(newer.name), newer than the container's schema "
                    + "\(versions.last?.name ?? ""), and no stages of the plan lead back to it.")
        }
        let compared = (versions + newerVersions).map { ($0, $0.differences(from: store.hashes, store.keptModel)) }
        guard let (nearest, differences) = compared.min(by: { $0.1.count < $1.1.count }) else {
            return .unknownSchema.stating("The plan \(plan) has no schemas.")
        }
        let shown = differences.prefix(10).joined(separator: "; ")
        let more = differences.count > 10 ? "; and \(differences.count - 10) more" : ""
        return .unknownSchema.stating(
            "The store \(store.url.path) is of no version of \(plan). The nearest is \(nearest.name); what differs: "
                + "\(shown)\(more). Declare the store's version in the plan.")
    }
}
