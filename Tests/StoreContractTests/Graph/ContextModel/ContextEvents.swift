import CoreData

/// Counts what the sequences of a run have met, so that nothing is thought tested that never happened.
final class ContextEvents {
    enum Conflict: CaseIterable { case bothChanged, changedOverGone, deletedOverChanged, bothDeleted }

    enum Event: Hashable {
        case conflict(NSMergePolicyType, Conflict)
        case conflictOfChildsChange(Conflict)
        case childOverGone(NSMergePolicyType)
        case broughtBackOverPresent, broughtBackOverDeleted
        case childDeletesGone, childOverParentsChange
        case mergedUpdate(ReferenceObject.Life)
        case mergedDeletion(ReferenceObject.Life)
        case mergedUpdateOfGone
        case refreshWithChanges(ReferenceObject.Life)
        case refreshOfGone, refreshOfGoneWithChanges
        case rollback(ReferenceObject.Life)
        case resetWithChanges, nothingWritten
        case unsavedFetchedThroughParent
        /// A conflict of an object that another owner or other tags were given, and tags that a child's save carries.
        case conflictOfOwned, conflictOfTagged, childsTags
    }

    static let policies: [NSMergePolicyType] = [
        .errorMergePolicyType, .mergeByPropertyStoreTrumpMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType,
        .overwriteMergePolicyType, .rollbackMergePolicyType,
    ]

    static let all: [Event] =
        policies.flatMap { policy in Conflict.allCases.map { Event.conflict(policy, $0) } }
        + policies.map { .childOverGone($0) }
        + [Conflict.bothChanged, .changedOverGone, .deletedOverChanged].map { .conflictOfChildsChange($0) }
        + [
            .broughtBackOverPresent, .broughtBackOverDeleted, .childDeletesGone, .childOverParentsChange,
            .mergedUpdateOfGone, .refreshOfGone, .refreshOfGoneWithChanges,
        ]
        + [ReferenceObject.Life.unchanged, .updated, .deleted].flatMap { [.mergedUpdate($0), .mergedDeletion($0)] }
        + [.refreshWithChanges(.updated), .refreshWithChanges(.deleted), .resetWithChanges, .nothingWritten]
        + [ReferenceObject.Life.inserted, .updated, .deleted].map { .rollback($0) }
        + [.unsavedFetchedThroughParent, .conflictOfOwned, .conflictOfTagged, .childsTags]

    private(set) var counts: [Event: Int] = [:]

    func note(_ event: Event) { counts[event, default: 0] += 1 }

    func add(_ other: ContextEvents) { counts.merge(other.counts, uniquingKeysWith: +) }

    var unmet: [Event] { Self.all.filter { counts[$0] == nil } }

    var table: String { Self.all.map { "\(Self.name($0)): \(counts[$0] ?? 0)" }.joined(separator: "\n") }

    static func name(_ event: Event) -> String {
        switch event {
        case .conflict(let policy, let kind): "\(name(policy)) × \(kind)"
        case .childOverGone(let policy): "\(name(policy)) × child over gone"
        default: "\(event)"
        }
    }

    static func name(_ policy: NSMergePolicyType) -> String {
        switch policy {
        case .errorMergePolicyType: "error"
        case .mergeByPropertyStoreTrumpMergePolicyType: "store trump"
        case .mergeByPropertyObjectTrumpMergePolicyType: "object trump"
        case .overwriteMergePolicyType: "overwrite"
        case .rollbackMergePolicyType: "rollback"
        }
    }
}
